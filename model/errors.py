"""What can go wrong while a page is read, in the words of the engines.

```
ModelError
├── WeightsMissing     a checkpoint folder lacks a file, or there is no such folder
├── WeightsDamaged     a file is there but its content or hash is wrong
├── EngineUnavailable  a library or device that the engine needs is not there
│   └── NotCompared    a checkpoint of the second version that was not found to agree with its code
├── OutOfVram          the device has no memory left for this request
├── ContextFull        prompt and output together pass the trained length
└── PageUnreadable     this one page made the engine fail; the next may well be read
```

`app` turns each into a sentence for people (`app/errors.py`); nothing here is shown as it is.
"""

from __future__ import annotations


class ModelError(Exception):
    """Any failure of an engine that is not a bug of ours."""


class WeightsMissing(ModelError):
    """A checkpoint folder, or one of its files, is not there."""


class WeightsDamaged(ModelError):
    """A checkpoint file is there but cannot be trusted: wrong hash, wrong keys, truncated."""


class EngineUnavailable(ModelError):
    """A library, driver or device that the engine needs is missing."""


class NotCompared(EngineUnavailable):
    """The checkpoint is off until what is computed here was found to be what its code computes."""


class OutOfVram(ModelError):
    """The device has no room for this request, even after freeing."""


class ContextFull(ModelError):
    """Prompt and output together are longer than the checkpoint was trained for."""


class PageUnreadable(ModelError):
    """The engine failed on one page; the run may go on with the next."""
