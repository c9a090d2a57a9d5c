"""Errors that people may see.

`UserFacing` carries a code and parameters; `app.sentences` turns it into what happened, what it
means for the book and what to do next. Every other exception is a bug of ours and goes to the crash
dialog.

```
UserFacing
├── SourceError       a file or folder cannot be opened, or one of its pages cannot be decoded
│   └── PasswordNeeded
├── StoreError        the book's database cannot be opened, or written
├── EngineError       no engine, no weights, no memory
├── FindError         what is looked for makes no sense, or takes too long
├── ExportError       a transcript could not be written
└── ImportFailed      no reading was taken from the files of another program
```
"""

from __future__ import annotations


class UserFacing(Exception):
    """An error with a code of `app.sentences` and the parameters of its sentences.

    Crosses threads as it is; it holds only text and numbers.
    """

    def __init__(self, code: str, **parameters: str | int | float) -> None:
        super().__init__(code, parameters)
        self.code = code
        self.parameters = parameters

    def __str__(self) -> str:
        from app.sentences import sentence

        return " ".join(part for part in sentence(self) if part)


class SourceError(UserFacing):
    """A book's file or one of its pages cannot be read."""


class PasswordNeeded(SourceError):
    """The file is encrypted; `parameters["tried"]` is 1 after a wrong password, else 0."""


class StoreError(UserFacing):
    """The book's database cannot be opened or written."""


class EngineError(UserFacing):
    """No page can be read with the chosen engine."""


class FindError(UserFacing):
    """What is looked for, or what is to be put instead, cannot be."""


class ExportError(UserFacing):
    """A transcript could not be written."""


class ImportFailed(UserFacing):
    """No reading was taken from the files of another program."""
