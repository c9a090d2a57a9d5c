"""The command line: read, export, import, details, doctor, measure, sample. Needs no Qt.

Exit codes: 0 every page has its end; 1 nothing could be done, an error says why; 2 the order makes
no sense; 3 done, but some pages failed; 130 stopped by the keyboard.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import resources
from app.answers import DetailsStored, ExportEnded
from app.book import MOST_ROUNDS, Book, Details, Page, PageState
from app.errors import EngineError, ExportError, UserFacing
from app.export.document import ExportOptions
from app.export.formats import FLOWING, FORMATS
from app.export.wording import rules
from app.exporting import ExportOrder
from app.importing.taking import ImportOrder
from app.imports import ImportEnded, told
from app.language import _, plural
from app.log import Log
from app.page_range import pages_of
from app.page_words import reason_text, state_text
from app.places import places
from app.settings import SETTINGS_NAME, load_settings
from app.terminal import Interrupted, Terminal
from app.there import is_there
from model.api import Engine, Stop

if TYPE_CHECKING:
    from app.doctor import Finding

VERSION = "0.1.0"
NAMES = ("read", "export", "import", "details", "log", "fetch", "doctor", "measure", "sample")
"""First words that are commands; anything else is a book for the window."""
ENGINES = ", ".join(each for each in Engine if each is not Engine.FAKE)
"""Those that a person may choose; the scripted one is for tests."""


class Exit(IntEnum):
    """What the shell is told."""

    DONE = 0
    ERROR = 1
    USAGE = 2
    PAGES_FAILED = 3
    INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line.

    Returns:
        The exit code.
    """
    output: object = sys.stdout
    if isinstance(output, io.TextIOWrapper):
        output.reconfigure(errors="surrogateescape")  # names of files may be no valid Unicode
    options = parser().parse_args(arguments)
    order: Callable[[argparse.Namespace], int] = options.order
    try:
        log = Log(places().log)
        try:
            return order(options)
        finally:
            log.close()
    except UserFacing as error:
        sys.stderr.write(f"{error}\n")
        return Exit.USAGE if error.code == "pages_unknown" else Exit.ERROR
    except (Interrupted, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except BrokenPipeError:  # who read the output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes it at exit
        return Exit.ERROR


def parser() -> argparse.ArgumentParser:
    """The grammar of the command line."""
    top = argparse.ArgumentParser(
        "incunable",
        description=_("Turns scanned books into trustworthy text."),
        epilog=_("'incunable BOOK' opens the window on a book."),
    )
    top.add_argument("--version", action="version", version=f"incunable {VERSION}")
    orders = top.add_subparsers(required=True, metavar=_("COMMAND"))
    _add_read(orders.add_parser("read", help=_("read a book and write its text")))
    _add_export(orders.add_parser("export", help=_("write the text of a book read before")))
    _add_import(orders.add_parser("import", help=_("take in readings that others made")))
    _add_details(orders.add_parser("details", help=_("say what the catalogue says of a book")))
    _add_log(orders.add_parser("log", help=_("print the audit log of a book as a table")))
    _add_fetch(orders.add_parser("fetch", help=_("fetch a book's images by its IIIF manifest")))
    _add_doctor(orders.add_parser("doctor", help=_("check the machine, the engines, the folders")))
    _add_measure(orders.add_parser("measure", help=_("measure the engines on pages of known text")))
    _add_sample(orders.add_parser("sample", help=_("read the sample book")))
    return top


def _engine(name: str) -> Engine:
    try:
        return Engine(name)
    except ValueError:
        raise argparse.ArgumentTypeError(
            _("'{name}' is none of {engines}").format(name=name, engines=ENGINES)
        ) from None


# --- read ---------------------------------------------------------------------------------------


def _add_read(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_read)
    _add_book(order)
    _add_output(order, required=False)
    order.add_argument(
        "--engine",
        type=_engine,
        metavar=_("ENGINE"),
        help=_("which engine reads: {engines}; by default the best that is there").format(
            engines=ENGINES
        ),
    )
    order.add_argument("--model", type=Path, metavar=_("FOLDER"), help=_("checkpoint folder"))
    order.add_argument(
        "--again", action="store_true", help=_("read anew what was read before; nothing is lost")
    )


def _read(options: argparse.Namespace) -> int:
    targets = _targets(options)
    with Terminal() as terminal:
        _choose_engine(terminal, options)
        book = terminal.open(options.book, options.password)
        return _read_and_write(terminal, book, targets, options)


def _read_and_write(
    terminal: Terminal, book: Book, targets: list[Path], options: argparse.Namespace
) -> int:
    _see_that_it_can_be_changed(terminal)
    pages = _pages(book, options)
    if not terminal.read(pages, again=options.again):
        terminal.say(_("Every page was read before. --again reads them anew."))
    read = terminal.session.book or book
    terminal.say(summary(read.pages))
    for path in targets:
        _write(terminal, path, pages, options)
    asked_for = read.pages if pages is None else [read.pages[number] for number in pages]
    failed = any(page.state is PageState.FAILED for page in asked_for)
    return Exit.PAGES_FAILED if failed else Exit.DONE


def _choose_engine(terminal: Terminal, options: argparse.Namespace) -> None:
    """Let the options stand before the settings, for this run only."""
    settings = terminal.session.settings
    engine = options.engine
    if options.model is not None and engine is None:
        engine = Engine.UNLIMITED_OCR
    checkpoint = options.model or settings.checkpoint
    chosen = replace(settings, engine=engine or settings.engine, checkpoint=checkpoint)
    terminal.session.runs.settings = chosen


def summary(pages: Sequence[Page]) -> str:
    """How the pages stand, in a few lines: nothing looks finished that is not."""
    counts = {state: sum(page.state is state for page in pages) for state in PageState}
    words = ", ".join(f"{count} {state_text(state)}" for state, count in counts.items() if count)
    head = plural("{n} page", "{n} pages", len(pages))
    doubtful = [page for page in pages if page.state in {PageState.LOOK, PageState.FAILED}]
    return "\n".join([f"{head}: {words}", *(_page_line(page) for page in doubtful)])


def _page_line(page: Page) -> str:
    why = ", ".join(reason_text(reason) for reason in page.reasons) or page.failure_detail
    return f"  {_('page')} {page.number + 1}: {state_text(page.state)} ({why})"


# --- export -------------------------------------------------------------------------------------


def _add_export(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_export)
    _add_book(order)
    _add_output(order, required=True)


def _export(options: argparse.Namespace) -> int:
    targets = _targets(options)
    with Terminal() as terminal:
        book = terminal.open(options.book, options.password)
        for path in targets:
            _write(terminal, path, _pages(book, options), options)
    return Exit.DONE


def _add_import(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_import)
    _add_book(order)
    order.add_argument("files", type=Path, help=_("folder of PAGE, ALTO, hOCR or plain text"))
    order.add_argument(
        "--current",
        action="store_true",
        help=_("also as the text of pages that have one, unless it is by hand"),
    )


def _import(options: argparse.Namespace) -> int:
    with Terminal() as terminal:
        terminal.open(options.book, options.password)
        _see_that_it_can_be_changed(terminal)
        order = ImportOrder(options.files.absolute(), make_current=options.current)
        terminal.session.imports.begin(order)
        ended = terminal.wait_for(ImportEnded)
        assert isinstance(ended, ImportEnded)
    report = ended.report
    print(told(report))
    for name in report.empty:
        terminal.say(_("{name}: no text").format(name=name))
    return Exit.PAGES_FAILED if report.unmatched or report.unreadable else Exit.DONE


def _write(
    terminal: Terminal, path: Path, pages: tuple[int, ...] | None, options: argparse.Namespace
) -> None:
    export = ExportOptions(
        pages=pages,
        running_heads=options.running_heads,
        page_marks=options.page_marks,
        join_hyphens=not options.keep_hyphens,
        doubts_as_comments=options.doubts,
        page_notes=not options.no_page_notes,
        pictures=options.pictures,
        level=options.level,
        states=frozenset({*map(PageState, options.states), PageState.BLANK})
        if options.states
        else None,
    )
    order = ExportOrder(path, _format(path, options.format), export, replace=options.replace)
    terminal.session.exports.begin(order)
    ended = terminal.wait_for(ExportEnded)
    assert isinstance(ended, ExportEnded)
    if ended.report is not None and options.level is not None:
        terminal.say("\n".join(rules(ended.report.provenance)))
    print(path, flush=True)


def _format(path: Path, chosen: str | None) -> str:
    """The format that was named, else that of the file's ending; folders have none."""
    if chosen is not None:
        return chosen
    for name, each in FORMATS.items():
        if each.suffix and path.suffix.lower() == each.suffix:
            return name
    raise ExportError("export_format_unknown", name=path.name, known=_endings())


def _endings() -> str:
    """The endings that tell a format, to be read by a person."""
    return ", ".join(sorted({each.suffix for each in FORMATS.values() if each.suffix}))


def _targets(options: argparse.Namespace) -> list[Path]:
    """The files to be written, refused before hours of reading and not after."""
    for path in options.output:
        _format(path, options.format)
        if is_there(path) and not options.replace:
            raise ExportError("export_exists", name=path.name)
        if not os.access(path.absolute().parent, os.W_OK):
            error = errno.EACCES if is_there(path.absolute().parent) else errno.ENOENT
            raise ExportError("export_unwritable", name=path.name, detail=os.strerror(error))
    return list(dict.fromkeys(options.output))


def _see_that_it_can_be_changed(terminal: Terminal) -> None:
    shown = terminal.session.shown
    if shown is not None and shown.store.refusal is not None:
        raise shown.store.refusal


# --- details ------------------------------------------------------------------------------------


def _add_details(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_details)
    _add_book(order)
    order.description = _("Shows what is known of the book; what is given is changed first.")
    for each in fields(Details):
        order.add_argument(f"--{each.name}", **_shape(each.name))


def _shape(detail: str) -> dict[str, Any]:
    """What may be given as this detail; most are free text."""
    match detail:
        case "language":
            return {"metavar": _("CODE"), "help": _("for example de, la, fr")}
        case "script":
            return {"metavar": _("CODE"), "help": _("for example Latn, Latf (blackletter), Grek")}
        case "direction":
            return {"choices": ["", "ltr", "rtl"], "help": _("how lines run and pages turn")}
        case "rounds":
            return {
                "type": int,
                "choices": range(1, MOST_ROUNDS + 1),
                "metavar": _("NUMBER"),
                "help": _("how many persons are to proofread each page"),
            }
        case _:
            return {"metavar": _("TEXT")}


def _details(options: argparse.Namespace) -> int:
    given = {each.name: getattr(options, each.name) for each in fields(Details)}
    given = {name: text for name, text in given.items() if text is not None}
    with Terminal() as terminal:
        book = terminal.open(options.book, options.password)
        if given:
            _see_that_it_can_be_changed(terminal)
            terminal.session.catalogue.set_details(replace(book.details, **given))
            terminal.wait_for(DetailsStored)
        now = (terminal.session.book or book).details
    for each in fields(Details):
        print(f"{each.name:<10} {getattr(now, each.name)}")
    return Exit.DONE


def _add_log(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_log)
    _add_book(order)


def _log(options: argparse.Namespace) -> int:
    with Terminal() as terminal:
        terminal.open(options.book, options.password)
        opened = terminal.session.shown
        assert opened is not None
        with opened.store.reader() as reader:
            sys.stdout.write(reader.audit_log())
    return Exit.DONE


def _add_fetch(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_fetch)
    order.add_argument("address", help=_("of the book's IIIF manifest, or a file with it"))
    order.add_argument("--into", type=Path, metavar=_("FOLDER"), help=_("where the images go"))


def _fetch(options: argparse.Namespace) -> int:
    from app.fetches import FOLDER
    from app.fetching.fetch import fetch, folder_for, look_at

    manifest = look_at(options.address)
    below = places().data / FOLDER
    folder = options.into or folder_for(manifest, options.address, below=below)
    hosts = ", ".join(manifest.hosts)
    _tell(_("{count} images on {hosts}").format(count=len(manifest.canvases), hosts=hosts))
    record = fetch(manifest, folder, tell=_tell_fetched, stop=Stop())
    print(record)
    return Exit.DONE


def _tell_fetched(done: int, images: int) -> None:
    sys.stderr.write(_("{done} of {images}").format(done=done, images=images) + "\n")


# --- doctor, measure, sample --------------------------------------------------------------------


def _add_doctor(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_doctor)
    order.add_argument(
        "--model",
        type=Path,
        metavar=_("FOLDER"),
        help=_("checkpoint folder; by default that of the settings"),
    )
    order.add_argument(
        "--compare",
        action="store_true",
        help=_("compare a checkpoint with its own code, which Unlimited-OCR-2 needs once"),
    )
    code = order.add_mutually_exclusive_group()
    code.add_argument(
        "--allow-code",
        action="store_true",
        help=_("compare, and let that code run, until one of its files changes"),
    )
    code.add_argument(
        "--forbid-code", action="store_true", help=_("that code may not run any more")
    )


def _doctor(options: argparse.Namespace) -> int:
    from app import doctor

    is_well = True
    settings = load_settings(places().config / SETTINGS_NAME)
    if options.compare or options.allow_code or options.forbid_code:
        finding = _compare(options.model or settings.checkpoint, options)
        print(doctor.line(finding), flush=True)
        return Exit.DONE if finding.is_well else Exit.ERROR
    for finding in doctor.examine(checkpoint=options.model or settings.checkpoint):
        print(doctor.line(finding), flush=True)
        is_well &= finding.is_well
    return Exit.DONE if is_well else Exit.ERROR


def _compare(folder: Path | None, options: argparse.Namespace) -> Finding:
    from app.comparing.examining import examine, forbid

    if folder is None:
        raise EngineError("weights_missing", folder="", detail=_("no checkpoint folder is set"))
    if options.forbid_code:
        return forbid(folder, places())
    return examine(folder, places(), is_allowed_now=options.allow_code)


def _add_measure(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_measure)
    order.add_argument("what", choices=["accuracy"], help=_("letters and words that are wrong"))
    order.add_argument("folder", type=Path, help=_("pages with .gt.txt beside them"))
    order.add_argument(
        "--engine",
        type=_engine,
        action="append",
        metavar=_("ENGINE"),
        help=_("{engines}; may be repeated").format(engines=ENGINES),
    )
    order.add_argument("--model", type=Path, metavar=_("FOLDER"), help=_("checkpoint folder"))
    order.add_argument("--json", action="store_true", help=_("for programs"))


def _measure(options: argparse.Namespace) -> int:
    from app import measure

    engines = tuple(options.engine or (Engine.READER, Engine.LINE_READER))
    table = measure.accuracy(options.folder, engines, checkpoint=options.model, tell=_tell)
    print(measure.as_json(table) if options.json else measure.as_text(table))
    return Exit.DONE


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _add_sample(order: argparse.ArgumentParser) -> None:
    order.set_defaults(order=_sample)
    order.add_argument("-o", "--into", type=Path, default=Path("build/sample"), metavar=_("FOLDER"))


def _sample(options: argparse.Namespace) -> int:
    """What `make run` does where there is no display."""
    options.into.mkdir(parents=True, exist_ok=True)
    targets = [str(options.into / f"sample{each.suffix}") for each in FLOWING.values()]
    outputs = [word for target in targets for word in ("-o", target)]
    book = resources.path("sample/book.pdf")
    return main(["read", str(book), *outputs, "--replace"])


# --- shared by several --------------------------------------------------------------------------


def _add_book(order: argparse.ArgumentParser) -> None:
    order.add_argument(
        "book", type=Path, help=_("PDF, folder of images, TIFF, CBZ, DjVu, METS, image")
    )
    order.add_argument("--password", help=_("of an encrypted PDF; better typed when asked for"))


def _add_output(order: argparse.ArgumentParser, *, required: bool) -> None:
    order.add_argument(
        "-o",
        "--output",
        type=Path,
        action="append",
        required=required,
        default=None if required else [],
        metavar=_("FILE"),
        help=_(
            "a file whose ending tells the format ({endings}), or a folder; may be repeated"
        ).format(endings=_endings()),
    )
    order.add_argument(
        "--format",
        choices=list(FORMATS),
        help=_(
            "what to write, where the name does not tell it: a folder of ALTO, PAGE or hOCR, PDF/A"
        ),
    )
    order.add_argument("--pages", metavar=_("RANGE"), help=_("for example 1-12, 15, 20-"))
    order.add_argument(
        "--pictures", action="store_true", help=_("cut out of the scan, in HTML and EPUB")
    )
    order.add_argument(
        "--level", type=int, choices=[1, 2, 3], help=_("of transcription, as OCR-D has them")
    )
    order.add_argument(
        "--state",
        dest="states",
        action="append",
        choices=[state.value for state in (PageState.PROOFREAD, PageState.READ, PageState.LOOK)],
        help=_("only the text of pages in this state; may be repeated"),
    )
    order.add_argument("--replace", action="store_true", help=_("existing files may be replaced"))
    order.add_argument("--running-heads", action="store_true", help=_("keep them in the text"))
    order.add_argument(
        "--page-marks",
        choices=["marks", "breaks", "none"],
        default="marks",
        help=_("how page ends are shown"),
    )
    order.add_argument("--keep-hyphens", action="store_true", help=_("do not join line ends"))
    order.add_argument("--doubts", action="store_true", help=_("doubtful words as comments"))
    order.add_argument(
        "--no-page-notes", action="store_true", help=_("leave out what a person noted on pages")
    )


def _pages(book: Book, options: argparse.Namespace) -> tuple[int, ...] | None:
    if options.pages is None:
        return None
    return pages_of(options.pages, len(book.pages), [page.label for page in book.pages])
