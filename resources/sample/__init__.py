"""The sample book: a guide set in type, printed and scanned by a script, with its true text.

`make.py` makes it anew from `guide.txt`. The parts are `markup` (what is to be set), `linebreak`
and `setting` (lines), `makeup` (pages), `press` (ink), `scan` (what a scanner makes of it), `pdf`
and `truth` (what is written). It needs the development libraries uharfbuzz and pyphen; the
application itself only opens the finished `book.pdf`.
"""
