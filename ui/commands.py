"""The one table of everything that can be ordered in the window, as the menus show it. No logic.

What a command does is decided where its order is given (`ui/orders.py` and the desks); its key may
be changed by the user (`ui/shortcuts.py`). `&` marks the letter under which the menu finds it.
"""

from __future__ import annotations

from app.language import N_
from ui.command import Command, Menu, Need
from ui.kind_names import KIND_NAMES

_EDITED = Need.BOOK | Need.CHANGE

FILE = Menu(
    "file",
    N_("&File"),
    (
        (
            Command(
                "open",
                N_("&Open…"),
                N_("Open a scanned book: PDF, TIFF, CBZ or images"),
                ("Ctrl+O",),
                "open",
            ),
            Command(
                "open_folder",
                N_("Open &folder…"),
                N_("Open a folder of page images"),
                ("Ctrl+Shift+O",),
                "folder",
            ),
            Command(
                "fetch",
                N_("Fetch a &book…"),
                N_("Fetch the page images of a book from a library by its IIIF manifest"),
            ),
            Command(
                "open_recent",
                N_("Open &recent…"),
                N_("Choose among the books opened last"),
                ("Ctrl+Alt+O",),
                "history",
            ),
            Command(
                "open_sample", N_("Open the sa&mple book"), N_("A short book to try things on")
            ),
        ),
        (
            Command(
                "locate",
                N_("&Locate scan…"),
                N_("Show where the scan of this book lies now"),
                needs=Need.LOST,
            ),
            Command(
                "details",
                N_("Book &details…"),
                N_("Title, author, year, shelfmark and language"),
                ("Ctrl+D",),
                "details",
                _EDITED,
            ),
            Command(
                "progress",
                N_("Pro&gress of proofreading…"),
                N_("Rounds, time and corrections a page, and how long the rest will take"),
                ("Ctrl+Shift+G",),
                needs=Need.BOOK,
            ),
            Command(
                "letter_test",
                N_("Letter &test…"),
                N_("Draw 500 letters and say of each whether it is right: how good is the text?"),
                ("Ctrl+Shift+T",),
                needs=Need.BOOK,
            ),
        ),
        (
            Command(
                "save",
                N_("&Save now"),
                N_("Write the last words at once; saving is otherwise by itself"),
                ("Ctrl+S",),
                needs=_EDITED,
            ),
            Command(
                "save_copy",
                N_("Save cop&y…"),
                N_("Write all that is known of the book into one file"),
                ("Ctrl+Shift+S",),
                "save-copy",
                Need.BOOK,
            ),
            Command(
                "save_log",
                N_("Save &audit log…"),
                N_("Write a table of who read, corrected, accepted and exported what, and when"),
                needs=Need.BOOK,
            ),
            Command(
                "export",
                N_("&Export…"),
                N_("Write the book as PDF, EPUB, Word, TEI, ALTO, PAGE and in other ways"),
                ("Ctrl+E",),
                "export",
                Need.BOOK,
            ),
            Command(
                "import_readings",
                N_("&Import readings…"),
                N_("Take in the text that another program made of this book: PAGE, ALTO, hOCR"),
                needs=Need.BOOK | Need.CHANGE,
            ),
        ),
        (
            Command("close", N_("&Close book"), N_("Back to the list of books"), ("Ctrl+W",)),
            Command("quit", N_("&Quit"), N_("Close Incunable"), ("Ctrl+Q",)),
        ),
    ),
)

EDIT = Menu(
    "edit",
    N_("&Edit"),
    (
        (
            Command(
                "undo",
                N_("&Undo"),
                N_("Take back the last correction of this page"),
                ("Ctrl+Z",),
                "undo",
                Need.UNDO,
            ),
            Command(
                "redo",
                N_("&Redo"),
                N_("Make the correction that was taken back again"),
                ("Ctrl+Shift+Z", "Ctrl+Y"),
                "redo",
                Need.REDO,
            ),
        ),
        (
            Command(
                "find",
                N_("&Find on this page…"),
                N_("Find words in the text of this page"),
                ("Ctrl+F",),
                "find",
                Need.BOOK,
            ),
            Command(
                "find_book",
                N_("Find in the &book…"),
                N_("Find words in all pages"),
                ("Ctrl+Shift+F",),
                "find",
                Need.BOOK,
            ),
            Command(
                "replace",
                N_("Repla&ce in the book…"),
                N_("Put one text instead of another on all pages, after a look at each place"),
                ("Ctrl+H",),
                "replace",
                Need.BOOK,
            ),
            Command(
                "take_back_replacement",
                N_("&Take back the last replacement"),
                N_("In the whole book, however long ago it was made"),
                needs=_EDITED,
            ),
            Command(
                "find_next",
                N_("Find &next"),
                N_("The next place that was found"),
                ("F3",),
                needs=Need.BOOK,
            ),
            Command(
                "find_previous",
                N_("Find pre&vious"),
                N_("The place found before"),
                ("Shift+F3",),
                needs=Need.BOOK,
            ),
        ),
        (
            Command(
                "shortcuts",
                N_("&Keys…"),
                N_("See all keys and change them"),
                ("Ctrl+F1", "Ctrl+?"),
                "keyboard",
            ),
            Command(
                "settings",
                N_("&Settings…"),
                N_("Engine, memory, your name, looks"),
                ("Ctrl+,",),
                "settings",
            ),
        ),
    ),
)

VIEW = Menu(
    "view",
    N_("&View"),
    (
        (
            Command(
                "palette",
                N_("&Commands…"),
                N_("Find any command by its name"),
                ("Ctrl+Shift+P",),
                "palette",
            ),
        ),
        (
            Command(
                "panel_pages",
                N_("&Pages"),
                N_("Show the list of pages"),
                ("F7",),
                "page-list",
                is_switch=True,
            ),
            Command(
                "panel_memory",
                N_("&Memory over time"),
                N_("A small plot of memory and speed"),
                ("Ctrl+Shift+M",),
                "memory",
            ),
            Command(
                "notices", N_("Earlier &notices…"), N_("What was told since the window was opened")
            ),
        ),
        (
            Command(
                "zoom_in",
                N_("Zoom &in"),
                N_("Show the page image larger"),
                ("Ctrl++", "Ctrl+="),
                "zoom-in",
                Need.BOOK,
            ),
            Command(
                "zoom_out",
                N_("Zoom &out"),
                N_("Show the page image smaller"),
                ("Ctrl+-",),
                "zoom-out",
                Need.BOOK,
            ),
            Command(
                "zoom_actual",
                N_("&100 %"),
                N_("One pixel of the scan on one of the screen"),
                ("Ctrl+0",),
                "zoom-100",
                Need.BOOK,
            ),
            Command(
                "fit_width",
                N_("Fit &width"),
                N_("Zoom until the page fills the width"),
                ("Ctrl+1",),
                "fit-width",
                Need.BOOK,
            ),
            Command(
                "fit_page",
                N_("&Fit page"),
                N_("Zoom until the whole page is seen"),
                ("Ctrl+2",),
                "fit-page",
                Need.BOOK,
            ),
            Command(
                "show_boxes",
                N_("Show &boxes"),
                N_("Outline the blocks on the page image"),
                ("Ctrl+Shift+B",),
                needs=Need.BOOK,
                is_switch=True,
            ),
            Command(
                "magnifier",
                N_("Ma&gnifier"),
                N_("Show the word of the cursor, or what the mouse is on, enlarged"),
                ("Ctrl+M",),
                needs=Need.BOOK,
                is_switch=True,
            ),
            Command(
                "invert_image",
                N_("In&vert image"),
                N_("Show the page image light on dark; the scan stays as it is"),
                ("Ctrl+Alt+I",),
                needs=Need.BOOK,
                is_switch=True,
            ),
            Command(
                "sepia_image",
                N_("&Sepia image"),
                N_("Show the page image on warm paper; the scan stays as it is"),
                ("Ctrl+Alt+S",),
                needs=Need.BOOK,
                is_switch=True,
            ),
        ),
        (
            Command(
                "by_line",
                N_("Line b&y line"),
                N_("Show each line of the text under its line of the image"),
                ("Ctrl+L",),
                needs=Need.BOOK,
                is_switch=True,
            ),
            Command(
                "panel_blocks",
                N_("List of bloc&ks"),
                N_("The blocks of the page as a list: kind, order, first words"),
                ("Ctrl+Alt+B",),
                needs=Need.BOOK,
                is_switch=True,
            ),
            Command(
                "text_larger",
                N_("&Larger text"),
                N_("Enlarge the text pane alone"),
                ("Ctrl+Alt++", "Ctrl+Alt+="),
            ),
            Command(
                "text_smaller",
                N_("Sm&aller text"),
                N_("Make the text pane alone smaller"),
                ("Ctrl+Alt+-",),
            ),
        ),
        (
            Command(
                "next_pane",
                N_("Ne&xt pane"),
                N_("Pages, image, text and the run, in turn"),
                ("F6",),
            ),
            Command(
                "previous_pane", N_("Previo&us pane"), N_("The panes backwards"), ("Shift+F6",)
            ),
            Command(
                "full_screen",
                N_("Full scr&een"),
                N_("Use the whole screen"),
                ("F11",),
                is_switch=True,
            ),
        ),
    ),
)

GO = Menu(
    "go",
    N_("&Go"),
    (
        (
            Command(
                "previous_page",
                N_("&Previous page"),
                N_("Turn back one page"),
                ("PgUp", "Alt+PgUp"),
                "previous",
                Need.BOOK,
            ),
            Command(
                "next_page",
                N_("&Next page"),
                N_("Turn to the next page"),
                ("PgDown", "Alt+PgDown"),
                "next",
                Need.BOOK,
            ),
            Command(
                "first_page",
                N_("&First page"),
                N_("Turn to the first page"),
                ("Ctrl+Home", "Alt+Home"),
                "first",
                Need.BOOK,
            ),
            Command(
                "last_page",
                N_("&Last page"),
                N_("Turn to the last page"),
                ("Ctrl+End", "Alt+End"),
                "last",
                Need.BOOK,
            ),
            Command(
                "go_to_page",
                N_("&Go to page…"),
                N_("By the number of the scan or the printed one (p. 12, xii)"),
                ("Ctrl+G",),
                needs=Need.BOOK,
            ),
        ),
        (
            Command(
                "next_unfinished",
                N_("Next &unfinished page"),
                N_("The next page that is not proofread or blank"),
                ("Ctrl+PgDown",),
                "next-unfinished",
                Need.BOOK,
            ),
            Command(
                "next_round",
                N_("Next page for my &round"),
                N_("The next page that waits for you: not proofread, or for another round"),
                ("Ctrl+Alt+PgDown",),
                needs=Need.BOOK,
            ),
        ),
        (
            Command(
                "back",
                N_("&Back"),
                N_("To the page shown before"),
                ("Alt+Left",),
                needs=Need.BOOK,
            ),
            Command(
                "forward",
                N_("F&orward"),
                N_("To the page you came back from"),
                ("Alt+Right",),
                needs=Need.BOOK,
            ),
        ),
    ),
)

READ = Menu(
    "read",
    N_("&Read"),
    (
        (
            Command(
                "start",
                N_("&Read the book"),
                N_("Read all pages that are still unread, or go on after a pause"),
                ("F5",),
                "read",
                Need.START,
            ),
            Command(
                "pause",
                N_("&Pause"),
                N_("Rest where it is, or go on"),
                ("Ctrl+F5",),
                "pause",
                Need.PAUSE,
            ),
            Command(
                "stop",
                N_("&Stop"),
                N_("End the run; every finished page is kept"),
                ("Shift+F5",),
                "stop",
                Need.STOP,
            ),
        ),
        (
            Command(
                "read_page",
                N_("Read this page &again"),
                N_("The earlier text stays among the readings of the page"),
                ("Ctrl+R",),
                "read-again",
                _EDITED,
            ),
            Command(
                "read_range",
                N_("Read some pa&ges…"),
                N_("Choose which, for example 1-12, 20-"),
                ("Ctrl+Shift+R",),
                needs=_EDITED,
            ),
            Command(
                "read_beside",
                N_("Read again wit&h…"),
                N_("Let another engine read the page too, and compare what differs"),
                ("Ctrl+Alt+R",),
                needs=_EDITED,
            ),
            Command(
                "read_block_beside",
                N_("Read this &block again with…"),
                N_("Let another engine read the block of the cursor too"),
                ("Ctrl+T, W",),
                needs=_EDITED | Need.TEXT,
            ),
            Command(
                "read_area",
                N_("Read an ar&ea again with…"),
                N_("Mark a part of the image, by mouse or keys, and let another engine read it"),
                ("Ctrl+T, V",),
                needs=_EDITED,
            ),
            Command(
                "differences",
                N_("Go to the &differences"),
                N_("The list of what another reading of this page has otherwise"),
                ("Ctrl+T, D",),
                needs=Need.BOOK,
            ),
            Command(
                "second_stop",
                N_("Give &up reading once more"),
                N_("What another engine is reading beside is dropped"),
                needs=_EDITED,
            ),
        ),
        (
            Command(
                "old_text",
                N_("Take the &old text of the PDF"),
                N_("For pages without a text: what lies hidden under the images"),
                needs=_EDITED | Need.OLD_TEXT,
            ),
            Command(
                "waiting",
                N_("&Waiting books…"),
                N_("The books in the queue; choosing one takes it out"),
                needs=Need.WAITING,
            ),
            Command(
                "queue_book",
                N_("&Queue another book…"),
                N_("It is read when this one is done"),
                icon="queue",
            ),
        ),
    ),
)

PAGE = Menu(
    "page",
    N_("&Page"),
    (
        (
            Command(
                "accept",
                N_("&Accept as proofread"),
                N_("You have compared this page with its image"),
                ("Ctrl+Return", "Ctrl+Enter"),
                "accept",
                Need.TEXT | Need.CHANGE,
            ),
            Command(
                "unaccept",
                N_("&Take back acceptance"),
                N_("The page counts as not proofread again"),
                ("Ctrl+Shift+Return",),
                "unaccept",
                _EDITED,
            ),
            Command(
                "reasons",
                N_("Why it is to be &looked at…"),
                N_("The reasons for a look at this page; choosing one goes there"),
                ("Ctrl+T, L",),
                needs=Need.BOOK,
            ),
            Command(
                "mark_blank",
                N_("There is &nothing on it"),
                N_("Mark the page as blank; it counts as done"),
                icon="blank-page",
                needs=_EDITED,
            ),
            Command(
                "by_hand",
                N_("T&ype its text by hand"),
                N_("Begin a text for a page that has none"),
                needs=_EDITED,
            ),
        ),
        (
            Command(
                "page_facts",
                N_("Printed n&umber and note…"),
                N_("The number printed on this page, and what you have to say of it"),
                ("Ctrl+T, I",),
                needs=_EDITED,
            ),
            Command(
                "history",
                N_("&Earlier readings…"),
                N_("See every text this page has had, and take one back"),
                ("Ctrl+Shift+H",),
                "history",
                Need.BOOK,
            ),
        ),
    ),
)

SCAN = Menu(
    "scan",
    N_("S&can"),
    (
        (
            Command(
                "prepare",
                N_("&Prepare pages…"),
                N_("Split, turn, straighten and cut page images before they are read"),
                ("Ctrl+Alt+P",),
                needs=Need.BOOK,
            ),
            Command(
                "blank_sheet",
                N_("&Blank pages…"),
                N_("Look at all pages without print at once, and say which are blank"),
                ("Ctrl+Alt+K",),
                needs=_EDITED,
            ),
        ),
        (
            Command(
                "insert_scan",
                N_("Put an &image in…"),
                N_("Put the images of another file in before this page"),
                needs=_EDITED,
            ),
            Command(
                "replace_scan",
                N_("T&ake another image…"),
                N_("Take the image of another file for this page; its text stays"),
                needs=_EDITED,
            ),
            Command(
                "remove_pages",
                N_("Take pages &out of the book"),
                N_("Leave the selected pages out; their text is kept"),
                needs=_EDITED,
            ),
        ),
        (
            Command(
                "move_earlier",
                N_("Move page &earlier"),
                N_("Move the selected pages one place towards the beginning"),
                ("Ctrl+Alt+Up",),
                needs=_EDITED,
            ),
            Command(
                "move_later",
                N_("Move page &later"),
                N_("Move the selected pages one place towards the end"),
                ("Ctrl+Alt+Down",),
                needs=_EDITED,
            ),
            Command(
                "undo_pages",
                N_("&Undo the last change of pages"),
                N_("Take the last preparation, move or removal of pages back"),
                ("Ctrl+Alt+Z",),
                needs=_EDITED,
            ),
        ),
    ),
)

DOUBTS = Menu(
    "doubts",
    N_("&Doubts"),
    (
        (
            Command(
                "next_doubt",
                N_("&Next doubt"),
                N_("The next word that may be wrong, in the whole book"),
                ("F8",),
                needs=Need.BOOK,
            ),
            Command(
                "previous_doubt",
                N_("&Previous doubt"),
                N_("The doubt before"),
                ("Shift+F8",),
                needs=Need.BOOK,
            ),
        ),
        (
            Command(
                "accept_doubt",
                N_("&It is right"),
                N_("The word stands as it is printed; on to the next doubt"),
                ("F9",),
                needs=_EDITED,
            ),
            Command(
                "accept_doubt_everywhere",
                N_("It is right &everywhere"),
                N_("The word is right wherever it stands in this book"),
                ("Shift+F9",),
                needs=_EDITED,
            ),
            Command(
                "take_other",
                N_("&Take what is offered"),
                N_("Put what another reading has in its place, else what the word lists have"),
                ("F2",),
                needs=Need.EDIT,
            ),
            Command(
                "take_listed",
                N_("Take what the &word lists have"),
                N_("Where another reading has something else, and is taken first"),
                ("Shift+F2",),
                needs=Need.EDIT,
            ),
            Command(
                "take_everywhere",
                N_("Take it e&verywhere…"),
                N_("Say at how many places of the book; the same key once more takes it there"),
                ("Ctrl+F2",),
                needs=_EDITED,
            ),
            Command(
                "defer_doubt",
                N_("&Later"),
                N_("Put the word off until the others are done"),
                ("F4",),
                needs=_EDITED,
            ),
        ),
    ),
)

KIND = Menu(
    "kind",
    N_("This &block is"),
    (
        tuple(
            Command(
                f"kind_{kind.value}",
                name,
                N_("What the block under the text cursor is on the page"),
                needs=Need.EDIT,
            )
            for kind, name in KIND_NAMES.items()
        ),
    ),
)

TEXT = Menu(
    "text",
    N_("&Text"),
    (
        (
            Command(
                "style_italic",
                N_("&Italic"),
                N_("Set the selected letters in italics, or no longer"),
                ("Ctrl+I",),
                needs=Need.EDIT,
            ),
            Command(
                "style_bold",
                N_("&Bold"),
                N_("Set the selected letters bold, or no longer"),
                ("Ctrl+B",),
                needs=Need.EDIT,
            ),
            Command(
                "style_small_caps",
                N_("Small &capitals"),
                N_("Set the selected letters as small capitals, or no longer"),
                ("Ctrl+T, C",),
                needs=Need.EDIT,
            ),
            Command(
                "style_letter_spaced",
                N_("Letter-&spaced"),
                N_("Set the selected letters wide apart, or no longer"),
                ("Ctrl+T, S",),
                needs=Need.EDIT,
            ),
            Command(
                "style_superscript",
                N_("&Raised"),
                N_("Raise the selected letters above the line, or no longer"),
                ("Ctrl+T, Up",),
                needs=Need.EDIT,
            ),
            Command(
                "style_subscript",
                N_("&Lowered"),
                N_("Lower the selected letters below the line, or no longer"),
                ("Ctrl+T, Down",),
                needs=Need.EDIT,
            ),
        ),
        (
            Command(
                "mark_gap",
                N_("&Gap…"),
                N_("Say that letters are missing here, and what may have stood there"),
                ("Ctrl+T, G",),
                needs=Need.EDIT,
            ),
            Command(
                "mark_unclear",
                N_("&Unclear…"),
                N_("Say that these letters are hard to read, and what you guess"),
                ("Ctrl+T, U",),
                needs=Need.EDIT,
            ),
            Command(
                "mark_note",
                N_("Re&mark…"),
                N_("Write a remark of your own on this place"),
                ("Ctrl+T, R",),
                needs=Need.EDIT,
            ),
            Command(
                "next_mark",
                N_("Ne&xt mark"),
                N_("The next gap, unclear place or remark of this page"),
                ("Ctrl+T, N",),
                needs=Need.TEXT,
            ),
            Command(
                "previous_mark",
                N_("&Previous mark"),
                N_("The gap, unclear place or remark before"),
                ("Ctrl+T, P",),
                needs=Need.TEXT,
            ),
            Command(
                "marks",
                N_("M&arks of this page…"),
                N_("All gaps, unclear places and remarks of this page as a list"),
                ("Ctrl+T, M",),
                needs=Need.TEXT,
            ),
            Command(
                "page_notes",
                N_("No&tes on pages…"),
                N_("All notes on pages, and where the printed numbers jump"),
                ("Ctrl+T, O",),
                needs=Need.BOOK,
            ),
        ),
        (
            Command(
                "note_jump",
                N_("To the foot&note and back"),
                N_("From a mark in the text to its note, from a note to its mark"),
                ("Ctrl+T, J",),
                needs=Need.TEXT,
            ),
            Command(
                "note_link",
                N_("&Footnote of this mark…"),
                N_("Choose the note that a mark in the text belongs to, or none"),
                ("Ctrl+T, F",),
                needs=Need.EDIT,
            ),
        ),
        (
            Command(
                "characters",
                N_("C&haracters…"),
                N_("Signs that no key writes: long s, ligatures, accents, Greek"),
                ("Ctrl+T, K",),
                needs=Need.EDIT,
            ),
            Command(
                "compose",
                N_("C&ompose"),
                N_("Make one sign of the letters before the cursor, by your own rules"),
                ("Ctrl+.",),
                needs=Need.EDIT,
            ),
            Command(
                "compose_rules",
                N_("Compos&e rules…"),
                N_("What Compose makes of which letters"),
            ),
        ),
        (
            Command(
                "hyphens",
                N_("Broken &words…"),
                N_("Every word broken at a line's end: is it joined, and why"),
                ("Ctrl+T, H",),
                needs=Need.BOOK,
            ),
        ),
    ),
)

BLOCK = Menu(
    "block",
    N_("&Block"),
    (
        (
            Command(
                "arrange",
                N_("&Arrange blocks"),
                N_("Order and boxes of the blocks on the image, with numbers and handles"),
                ("Ctrl+T, A",),
                needs=Need.BOOK | Need.CHANGE,
                is_switch=True,
            ),
            Command(
                "block_earlier",
                N_("&Earlier"),
                N_("Put the block of the cursor one place earlier in reading order"),
                ("Alt+Up",),
                needs=Need.EDIT,
            ),
            Command(
                "block_later",
                N_("&Later"),
                N_("Put the block of the cursor one place later in reading order"),
                ("Alt+Down",),
                needs=Need.EDIT,
            ),
        ),
        (
            Command(
                "block_split",
                N_("&Divide at the cursor"),
                N_("What stands behind the cursor becomes a block of its own"),
                ("Ctrl+T, Return",),
                needs=Need.EDIT,
            ),
            Command(
                "block_merge",
                N_("&Join with the next"),
                N_("Make the block of the cursor and the next one a single block"),
                ("Ctrl+T, B",),
                needs=Need.EDIT,
            ),
            Command(
                "block_add",
                N_("Add a &block"),
                N_("An empty block behind that of the cursor"),
                ("Ctrl+T, Ins",),
                needs=_EDITED,
            ),
            Command(
                "block_delete",
                N_("&Take off the page"),
                N_("Delete the block of the cursor with its text; undo brings it back"),
                ("Ctrl+T, Del",),
                needs=Need.EDIT,
            ),
        ),
        (
            Command(
                "edit_table",
                N_("&Cells of the table"),
                N_("Edit the table under the cursor cell by cell"),
                ("Ctrl+T, T",),
                needs=Need.EDIT,
            ),
        ),
    ),
)

HELP = Menu(
    "help",
    N_("&Help"),
    (
        (
            Command("help", N_("&User's guide"), N_("How things are done"), ("F1",), "help"),
            Command(
                "copy_report",
                N_("&Copy report"),
                N_("Versions, machine and the end of the log, without any page text"),
            ),
            Command("show_log", N_("Show the &log file"), N_("Open the folder it lies in")),
        ),
        (
            Command(
                "about",
                N_("&About Incunable"),
                N_("Version, licences and the engines at hand"),
                icon="info",
            ),
        ),
    ),
)

MENUS = (FILE, EDIT, VIEW, GO, READ, SCAN, PAGE, TEXT, BLOCK, DOUBTS, HELP)
SUBMENUS = {"page": KIND}  # at the foot of that menu

COMMANDS: dict[str, Command] = {
    command.id: command
    for menu in (*MENUS, *SUBMENUS.values())
    for group in menu.groups
    for command in group
}
