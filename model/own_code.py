"""A checkpoint's own code: which files it is, and what it computes.

Nothing here runs on the way to a reading. `read_own_code` reads files as bytes and hashes them.
`import_own_code` runs them, and is called by one caller alone: a child process that has given up
the network and every way of changing a file, after the user allowed exactly these bytes. So the
bytes that were hashed are the bytes that run: they are imported from memory, not by transformers,
which would copy the files once more and look for others.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.abc
import importlib.machinery
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from model.config import json_object, read_json
from model.errors import WeightsDamaged

if TYPE_CHECKING:
    import numpy as np
    import torch

    from model.views import PageViews

PACKAGE = "checkpoint_code"
ENTRIES = ("AutoModelForCausalLM", "AutoModelForImageTextToText", "AutoModel")
INPUTS = ("input_ids", "images", "images_seq_mask", "images_spatial_crop")
"""What the published code takes; a checkpoint whose code takes others is not compared."""


@dataclass(frozen=True)
class OwnCode:
    """The code files of a checkpoint, as they were when they were read."""

    files: Mapping[str, bytes]  # by path inside the folder, with `/`
    entry: str  # "module.Class" of the network

    @property
    def sum(self) -> str:
        """SHA-256 over names, contents and entry; 64 hex digits."""
        parts = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        said = json.dumps([self.entry, sorted(parts.items())])
        return hashlib.sha256(said.encode()).hexdigest()


class Prompted(NamedTuple):
    """One request as both sides are given it."""

    ids: Sequence[int]  # the prompt
    image_id: int  # stands in it for one visual token
    views: Sequence[PageViews]  # of each page, without tiles


class Written(NamedTuple):
    """What followed it, greedily, with nothing banned or guarded."""

    ids: Sequence[int]
    logits: np.ndarray  # (ids, vocabulary) float32, from which each id was chosen


def read_own_code(folder: Path) -> OwnCode | None:
    """Read the code of a checkpoint; None if it brings none. Runs nothing.

    Raises:
        WeightsMissing, WeightsDamaged: there is no `config.json`, or it names code that is not in
            the folder.
    """
    classes = json_object(read_json(folder / "config.json").get("auto_map"))
    entry = next((str(classes[name]) for name in ENTRIES if name in classes), None)
    if entry is None:
        return None
    found = sorted(folder.rglob("*.py"))
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
    module, _, name = entry.rpartition(".")
    if f"{module.replace('.', '/')}.py" not in files or not name.isidentifier():
        raise WeightsDamaged(f"config.json: auto_map names {entry}, which is not in the folder")
    return OwnCode(files, entry)


def import_own_code(code: OwnCode) -> Any:  # noqa: ANN401  # a class of the checkpoint
    """Run a checkpoint's modules, and give the class of its network. Only behind walls.

    Raises:
        Exception: whatever the code raises.
    """
    sys.meta_path.append(_FromMemory(code.files))
    module, _, name = code.entry.rpartition(".")
    return getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)


def run_network(
    network_class: Any,  # noqa: ANN401  # a class of the checkpoint
    folder: Path,
    requests: Sequence[Prompted],
    *,
    tokens: int,
) -> list[Written]:
    """Let a checkpoint's network read, on the CPU in float32. Only behind walls.

    Args:
        network_class: as `import_own_code` gives it.
        folder: of the checkpoint; its weights are read from there.
        requests: what it is to read.
        tokens: how many it writes at most for each.

    Raises:
        WeightsDamaged: its network does not take what the published code takes; named.
        Exception: whatever the code raises.
    """
    import torch

    torch.Tensor.cuda = _stay  # pyright: ignore[reportAttributeAccessIssue]  # see there
    network = network_class.from_pretrained(
        str(folder), dtype=torch.float32, local_files_only=True, use_safetensors=True
    )
    _check_inputs(network)
    network.eval()
    return [_write(network, request, tokens) for request in requests]


class _FromMemory(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the files as the modules of one package."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def find_spec(
        self, fullname: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """A module of the package, or nothing for all others."""
        del path, target
        if fullname.split(".")[0] != PACKAGE or (self._file(fullname) is None):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=self.is_package(fullname))

    def is_package(self, fullname: str) -> bool:
        """Whether it is a folder; the whole is one."""
        file = self._file(fullname)
        return file is not None and (not file or file.endswith("__init__.py"))

    def get_source(self, fullname: str) -> str:
        """The text of a module."""
        file = self._file(fullname)
        return self._files[file].decode("utf-8") if file else ""

    def _file(self, fullname: str) -> str | None:
        """Its file; "" for a folder without one, None if there is no such module."""
        inside = _inside(fullname)
        for name in (f"{inside}.py", f"{inside}/__init__.py".lstrip("/")):
            if name in self._files:
                return name
        is_folder = any(name.startswith(f"{inside}/") for name in self._files)
        return "" if not inside or is_folder else None


def _inside(fullname: str) -> str:
    return fullname.removeprefix(PACKAGE).lstrip(".").replace(".", "/")


def _stay(tensor: torch.Tensor, *_place: object, **_how: object) -> torch.Tensor:
    """Published code sends tensors to a card by name; behind the walls there is none."""
    return tensor


def _check_inputs(network: Any) -> None:  # noqa: ANN401  # a class of the checkpoint
    import inspect

    taken = inspect.signature(network.forward).parameters
    for name in INPUTS:
        if name not in taken:
            raise WeightsDamaged(f"the checkpoint's own network does not take {name}")


def _write(network: Any, request: Prompted, tokens: int) -> Written:  # noqa: ANN401  # as above
    import numpy as np
    import torch

    made: Any = torch
    ids = torch.tensor([list(request.ids)])
    views: torch.Tensor = made.from_numpy(
        np.stack([each.page for each in request.views])
    )  # (pages, 3, S, S)
    with torch.inference_mode():
        said = network.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            images=[(torch.zeros_like(views[:1]), views)],  # no tiles
            images_seq_mask=ids == request.image_id,
            images_spatial_crop=torch.ones((len(views), 2), dtype=torch.long),
            do_sample=False,
            max_new_tokens=tokens,
            return_dict_in_generate=True,
            output_logits=True,
        )
    logits = torch.cat(list(said.logits)).float()  # (new tokens, vocabulary)
    return Written(said.sequences[0, ids.shape[1] :].tolist(), logits.cpu().numpy())
