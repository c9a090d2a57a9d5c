"""Why a file or a page could not be opened: codes that the child sends, and the words for them.

The child knows no language: it sends a code, and where it has none the decoder's own words.
"""

from __future__ import annotations

import errno

from app.language import N_, _

CAUSES: dict[str, str] = {
    "truncated": N_("the file ends too early"),
    "not_an_image": N_("its content is not an image of a known kind"),
    "not_a_pdf": N_("its content is not a PDF"),
    "not_a_zip": N_("its content is not a ZIP archive"),
    "damaged_image": N_("the image data are damaged"),
    "damaged_page": N_("its inner structure is damaged"),
    "no_memory": N_("decoding it needs more memory than is allowed"),
    "crashed": N_("the decoder crashed on it"),
    "hung": N_("opening it took too long"),
    "pixel_form": N_("its pixels are of a form that is not known"),
    "forbidden": N_("you may not read it"),
    "disk": N_("the disk reported an error"),
    "not_a_file": N_("it is neither a file nor a folder"),
    "climbs_out": N_("it holds files that want to lie outside of it"),
    "too_many_pages": N_("it claims to have more pages than can be true"),
    "locked_zip": N_("it is a ZIP archive locked with a password"),
    "member_too_large": N_("the file inside the archive is too large"),
    "not_xml": N_("it is not well-formed XML"),
    "missing_file": N_("the file is not where the METS file says"),
    "remote_file": N_("the image lies on a server"),
    "rar": N_("it is a RAR archive"),
    "no_ddjvu": N_("it is a DjVu file, and the program ddjvu (package djvulibre-bin) is not there"),
    "djvu_parts": N_("it is a DjVu file whose pages are separate files"),
}


class Undecodable(Exception):
    """Raised in the child where a file or page cannot be decoded, with a code of `CAUSES`."""

    def __init__(self, cause: str, said: str = "") -> None:
        super().__init__(cause, said)
        self.cause = cause
        self.said = said  # the decoder's own words


def in_words(cause: str, said: str = "") -> str:
    """The cause for people, in the language of the interface; never with a full stop."""
    if cause in CAUSES:
        return _(CAUSES[cause])
    return _("the decoder said '{said}'").format(said=" ".join(said.split())[:120])


def of_os_error(error: OSError) -> str:
    """The code for what the system answered."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return "forbidden"
    return "disk"
