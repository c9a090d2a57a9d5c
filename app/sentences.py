"""The one table that turns error codes into sentences, for the window and the command line.

Each entry says what happened, what it means for the book, what to do next. Parameters stand in
braces. A code that is missing here is a bug; a test walks all codes raised in `app/`.
"""

from __future__ import annotations

from typing import NamedTuple

from app.errors import UserFacing
from app.language import N_, _


class Sentence(NamedTuple):
    """What people want to know of an error."""

    happened: str
    means: str
    next: str


SENTENCES: dict[str, Sentence] = {
    # sources
    "source_missing": Sentence(
        N_("{name} is not there."),
        N_("What was read and typed is safe; the pages cannot be shown until the scan is found."),
        N_("Check the name, put the scan back, or show with 'Locate scan…' where it lies now."),
    ),
    "source_gone": Sentence(
        N_("{name} is not there any more."),
        N_("The run has ended; the pages read before are saved, and no page is marked as failed."),
        N_("Put the scan back, or connect the disk it lies on, and read on."),
    ),
    "source_unreadable": Sentence(
        N_("{name} cannot be read: {detail}."),
        N_("No page of it was opened and nothing was changed."),
        N_("Check that you may read the file, and that the disk it lies on is connected."),
    ),
    "source_kind_unknown": Sentence(
        N_("{name} is not a kind of file that Incunable opens."),
        N_("Nothing was changed."),
        N_("Open a PDF, a folder of images, a TIFF, a CBZ or a single image."),
    ),
    "source_unsupported": Sentence(
        N_("{name} cannot be opened here: {detail}."),
        N_("Nothing was changed."),
        N_("Convert it to PDF, TIFF or PNG with another program, then open that."),
    ),
    "source_mixed": Sentence(
        N_("These files cannot be opened as one book; only images can."),
        N_("Nothing was changed."),
        N_("Open them one after the other, or put the images of a book into one folder."),
    ),
    "source_empty": Sentence(
        N_("{name} holds no page."),
        N_("There is nothing to read in it."),
        N_("Check that the scan was copied completely, then open it again."),
    ),
    "source_damaged": Sentence(
        N_("{name} is damaged: {detail}."),
        N_("It cannot be opened; books opened before are not touched."),
        N_("Copy the file again from where it came from, or ask for a new scan."),
    ),
    "opening_given_up": Sentence(
        N_("{name} was not opened, since something else was asked for meanwhile."),
        N_("Nothing was changed."),
        N_("Open it again, and give it the time that it needs."),
    ),
    "source_changed": Sentence(
        N_("The scan {name} has changed since it was last open."),
        N_("{new} pages are new, {replaced} have another image; {kept} with text have no image."),
        N_("Texts were kept with their pages. Look at the pages with another image."),
    ),
    "password_needed": Sentence(
        N_("{name} is locked with a password."),
        N_("Its pages cannot be shown without it."),
        N_("Type the password. It is used on this machine only and is not kept."),
    ),
    "password_wrong": Sentence(
        N_("That password does not open {name}."),
        N_("Its pages cannot be shown without the right one."),
        N_("Try again; capital letters count."),
    ),
    "arrange_while_reading": Sentence(
        N_("The book is being read, so its pages cannot be changed now."),
        N_("Nothing was changed; the run goes on."),
        N_("Wait for the end of the run or stop it, then do this again."),
    ),
    "book_being_arranged": Sentence(
        N_("The pages of the book are being arranged."),
        N_("It takes a moment; nothing is lost."),
        N_("Go on when the pages are shown again."),
    ),
    "page_not_in_scan": Sentence(
        N_("Page {page} is not in {name} any more."),
        N_("Its text is kept; there is no image to compare it with or to read."),
        N_("Put the image back and open the book again, or leave the page as it is."),
    ),
    "page_undecodable": Sentence(
        N_("The image of page {page} cannot be decoded: {detail}."),
        N_("The page is marked as failed; the others are not touched."),
        N_("Replace the scan of this page, then read it again."),
    ),
    "page_too_large": Sentence(
        N_("Page {page} would be {megapixels} megapixels, more than the limit of {limit}."),
        N_("It was not decoded, to protect this machine; the page is marked as failed."),
        N_("Save the page at a lower resolution and read it again."),
    ),
    "page_timeout": Sentence(
        N_("The image of page {page} took longer than {seconds} seconds to decode."),
        N_("Decoding was ended and the page is marked as failed; the others are not touched."),
        N_("Read the page again, or replace its scan."),
    ),
    "page_zero_size": Sentence(
        N_("The image of page {page} has no height or no width."),
        N_("The page is marked as failed; the others are not touched."),
        N_("Replace the scan of this page, then read it again."),
    ),
    # store
    "store_newer": Sentence(
        N_("This book's data is of a newer Incunable (format {found}, known {known})."),
        N_("It was left as it is, so nothing in it is lost."),
        N_("Update Incunable and open the book again."),
    ),
    "store_damaged": Sentence(
        N_("The data of this book is damaged: {detail}."),
        N_("It was kept aside as {kept} and a new file was begun."),
        N_("Keep the damaged file: text may be recovered from it. Read the book again meanwhile."),
    ),
    "copy_damaged": Sentence(
        N_("{name} is damaged: {detail}."),
        N_("No book was opened from it, and it was left as it is."),
        N_("Copy it again from where it came from, or open the scan itself."),
    ),
    "store_unwritable": Sentence(
        N_("The data of this book cannot be written: {detail}."),
        N_("Everything up to the last save is safe; what came after it is still on the screen."),
        N_("Make room on the disk, or make the folder {folder} writable, then try again."),
    ),
    "places_unwritable": Sentence(
        N_("The folder {folder} cannot be made: {detail}."),
        N_("Incunable keeps its data there; nothing was opened or changed."),
        N_("Make it possible to write there, or let INCUNABLE_HOME name another folder."),
    ),
    "store_foreign": Sentence(
        N_("{name} is a database of another program."),
        N_("It was not touched, and no book was opened."),
        N_("Choose a book of Incunable; its files end in .incunable."),
    ),
    "store_older": Sentence(
        N_("The data of this book has an older format ({found}, now {known}), to be renewed."),
        N_("That cannot be done while the file may only be read; nothing was changed."),
        N_("Close the book elsewhere, or copy the file to a disk that can be written."),
    ),
    "store_failing": Sentence(
        N_("The data of this book can no longer be read: {detail}."),
        N_("Everything up to the last save is left in the file as it is."),
        N_("Close the book, check the disk it lies on, and open it again."),
    ),
    "store_closed": Sentence(
        N_("The book was closed before this was done."),
        N_("Nothing of it was changed."),
        N_("Open the book and give the order again."),
    ),
    "store_locked": Sentence(
        N_("This book is open in another window or program."),
        N_("It is shown here for reading only, so that two hands do not overwrite each other."),
        N_("Close it there and open it here again to change it."),
    ),
    # engines
    "weights_missing": Sentence(
        N_("There is no complete checkpoint: {detail}."),
        N_("No page was read with it; pages read before are not touched."),
        N_("Choose its folder in Settings or with --model, or another engine."),
    ),
    "weights_damaged": Sentence(
        N_("The checkpoint in {folder} cannot be trusted: {detail}."),
        N_("It was not loaded and no page was read with it."),
        N_("Copy the checkpoint again, then run 'incunable doctor'."),
    ),
    "second_reader_failed": Sentence(
        N_("The second reader could not read: {detail}"),
        N_("Every page keeps the text that the first one has read."),
        N_("Pages that ask for a look can be read with another engine by Read > Read again with…"),
    ),
    "engine_unavailable": Sentence(
        N_("The engine {engine} cannot start: {detail}."),
        N_("No page was read; pages read before are not touched."),
        N_("Run 'incunable doctor' to see what is missing, or choose another engine."),
    ),
    "engine_not_compared": Sentence(
        N_("The checkpoint in {folder} is Unlimited-OCR-2 and stays off: {detail}."),
        N_("No page was read: its text might not be what its makers' program would write."),
        N_("Run 'incunable doctor --compare', which says what it needs, or choose another engine."),
    ),
    "run_too_long": Sentence(
        N_("A run of {pages} pages is longer than the {most} that the settings allow."),
        N_("Nothing was read; pages read before are not touched."),
        N_("Read a part of the book, or raise 'Longest run' in Settings, Expert details."),
    ),
    "out_of_memory": Sentence(
        N_("The memory of {device} is not enough for this page."),
        N_("The pages read before are saved; this one is still unread."),
        N_("Close other programs, lower the memory settings, or read with the line reader."),
    ),
    "engine_failed": Sentence(
        N_("The engine failed: {detail}."),
        N_("The pages read before are saved; the run has ended."),
        N_("Start Incunable again; reading goes on at this page."),
    ),
    "page_failed": Sentence(
        N_("The engine failed on page {page}: {detail}."),
        N_("The page is marked as failed and the run went on."),
        N_("Read the page again with another engine."),
    ),
    # exports
    "export_unwritable": Sentence(
        N_("{name} cannot be written: {detail}."),
        N_("The transcript was not exported; the book is not touched."),
        N_("Choose another folder, or make room on the disk."),
    ),
    "export_exists": Sentence(
        N_("{name} is already there."),
        N_("It was not overwritten."),
        N_("Choose another name, or say that it may be replaced (--replace)."),
    ),
    "source_remote": Sentence(
        N_("The images of {name} lie on a server: {host}."),
        N_("The book was not opened; nothing was fetched."),
        N_("Fetch the images first, or give the address to File, Fetch a book."),
    ),
    "manifest_wrong": Sentence(
        N_("{address} is no IIIF manifest of one book: {cause}."),
        N_("Nothing was fetched."),
        N_("Look for the link to the manifest on the book's page in its library."),
    ),
    "fetch_failed": Sentence(
        N_("{address} could not be fetched: {detail}."),
        N_("The images that have arrived stay."),
        N_("Try again later; the fetch goes on where it was."),
    ),
    "fetch_unwritable": Sentence(
        N_("The folder {folder} takes no images: {detail}."),
        N_("The images that have arrived stay."),
        N_("Make room on the disk, then fetch the book again; it goes on where it was."),
    ),
    "export_folder_foreign": Sentence(
        N_("The folder {name} holds other files than an export's."),
        N_("It was not replaced, so that nothing of it is lost."),
        N_("Choose another name, or empty the folder first."),
    ),
    "export_no_scan": Sentence(
        N_("{name} shows the pages themselves, and the scan is not at hand."),
        N_("Nothing was written; the text of the book is safe."),
        N_("Locate the scan, or choose a format of text alone."),
    ),
    "export_nothing": Sentence(
        N_("None of the chosen pages has been read yet."),
        N_("There is nothing to export."),
        N_("Read the book first, or choose other pages."),
    ),
    "export_differs": Sentence(
        N_("{name} was written, but reading it back gave something else: {detail}."),
        N_("The file was not kept, so that no faulty transcript is handed in."),
        N_("Please report this; another format may work meanwhile."),
    ),
    "truth_missing": Sentence(
        N_("{name} holds no page with its true text."),
        N_("Nothing could be measured."),
        N_("Put NAME.gt.txt beside each image NAME.png, .jpg or .tif."),
    ),
    "export_format_unknown": Sentence(
        N_("{name} is not a format that Incunable writes."),
        N_("Nothing was written."),
        N_("Choose a name that ends in one of: {known}; or name the format (--format)."),
    ),
    # imports
    "import_missing": Sentence(
        N_("{name} is not there."),
        N_("Nothing was taken in; the book is not touched."),
        N_("Check the name, and that the disk it lies on is connected."),
    ),
    "import_nothing": Sentence(
        N_("{name} holds no page with a text."),
        N_("Nothing was taken in; the book is not touched."),
        N_("Choose the folder that holds PAGE, ALTO, hOCR or plain text, one file a page."),
    ),
    "import_unreadable": Sentence(
        N_("{name} cannot be taken in: {detail}."),
        N_("Nothing was taken in; the book is not touched."),
        N_("Check that the file is whole, and that it is PAGE, ALTO, hOCR or plain text."),
    ),
    "import_unmatched": Sentence(
        N_("No file in {name} fits a page of this book; the first is {first}."),
        N_("Nothing was taken in; the book is not touched."),
        N_("Open the scan that these files belong to, or name the files after its images."),
    ),
    "import_ended": Sentence(
        N_("{taken} pages were taken in: {current} as the text of their page, {beside} beside it."),
        N_("Nothing was replaced; every earlier reading is still there."),
        N_("Look the pages through; 'Earlier readings' shows and takes the others."),
    ),
    "import_ended_in_part": Sentence(
        N_("{taken} pages were taken in: {current} as the text of their page, {beside} beside it."),
        N_("{left} files were left out, as they fit no page or cannot be read: {names}."),
        N_("Name those files after the images of the scan, and import them again."),
    ),
    # finding
    "pattern_bad": Sentence(
        N_("This pattern makes no sense: {why} (letter {at})."),
        N_("Nothing was looked for."),
        N_("Mend it, put a \\ before a sign that is meant as a letter, or look for plain text."),
    ),
    "pattern_long": Sentence(
        N_("A pattern may have {most} letters; this one is longer."),
        N_("Nothing was looked for."),
        N_("Shorten it."),
    ),
    "pattern_slow": Sentence(
        N_("This pattern takes too long."),
        N_("The search was given up; nothing was changed."),
        N_("Make it simpler: signs that repeat (* and +) within one another are slow."),
    ),
    "template_bad": Sentence(
        N_("What is to be put instead names a group that the pattern does not have: {group}."),
        N_("Nothing was changed."),
        N_("Groups are counted by the brackets of the pattern, from 1; write \\\\ for a \\."),
    ),
    # orders
    "page_being_read": Sentence(
        N_("Page {page} is being read."),
        N_("It was not changed, since the engine is still writing it."),
        N_("Wait until it is read, or stop the run."),
    ),
    "book_being_replaced": Sentence(
        N_("The whole book is being gone through to replace a text."),
        N_("The page was not changed meanwhile."),
        N_("Try again when that is done."),
    ),
    "block_not_split": Sentence(
        N_("There is nothing to divide: all letters are on one side of the cursor."),
        N_("The block was left as it is."),
        N_("Put the cursor before the first letter of what is to be a block of its own."),
    ),
    "block_is_last": Sentence(
        N_("This is the last block of the page; there is none to join it with."),
        N_("It was left as it is."),
        N_("Put the cursor into the first of the two blocks."),
    ),
    "block_is_no_table": Sentence(
        N_("The block of the cursor is not a table."),
        N_("It was left as it is."),
        N_("Say that it is a table (Page, This block is), then edit its cells."),
    ),
    "reference_not_found": Sentence(
        N_("There is no mark of a note at the cursor."),
        N_("Nothing was changed."),
        N_("Select the mark in the text, for example the raised 1, and try again."),
    ),
    "notes_not_found": Sentence(
        N_("This page has no block that is a note."),
        N_("Nothing was changed."),
        N_("Say of the block at its foot that it is a note, then try again."),
    ),
    "letters_few": Sentence(
        N_("The chosen pages have {found} letters; the test draws {needed}."),
        N_("No test was begun."),
        N_("Choose more pages, or read more of the book first."),
    ),
    "letters_gone": Sentence(
        N_("Pages of the letter test that was begun were taken out of the book."),
        N_("Its answers are kept; it cannot go on without these pages."),
        N_("Begin another test, or bring the pages back (menu Scan) and open this one again."),
    ),
    "pages_unknown": Sentence(
        N_("'{given}' is not a range of pages of this book (1 to {count})."),
        N_("Nothing was done."),
        N_("Write for example 1-12, 15, 20-."),
    ),
}


def sentence(error: UserFacing) -> Sentence:
    """The three parts of an error in the language of the interface."""
    parts = SENTENCES[error.code]
    return Sentence(*(_(part).format(**error.parameters) for part in parts))
