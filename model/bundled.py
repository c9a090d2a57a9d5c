"""The line reader's models: the files that the rapidocr wheel brings, opened by onnxruntime.

Only the wheel's data files are used. The rapidocr package itself is never imported, and with it
stays out what could fetch a model from the network: a file that is not there is an error.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from model.errors import EngineUnavailable, PageUnreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray

DETECTION = "PP-OCRv6_det_small.onnx"
RECOGNITION = "PP-OCRv6_rec_small.onnx"


@dataclass(frozen=True)
class Bundle:
    """The two model files and what identifies them."""

    detection: Path
    recognition: Path
    version: str  # of the wheel
    checkpoint: str  # first 16 hex digits of the SHA-256 over both files
    size_bytes: int


def find_bundle() -> Bundle:
    """Find the models inside the installed wheel and hash them (0.1 s).

    Raises:
        EngineUnavailable: the wheel, or one of its models, is not there.
    """
    spec = importlib.util.find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise EngineUnavailable("the package rapidocr is not installed")
    models = Path(spec.origin).parent / "models"
    paths = [models / DETECTION, models / RECOGNITION]
    for path in paths:
        if not path.is_file():
            raise EngineUnavailable(f"the package rapidocr lacks its model {path.name}")
    contents = [path.read_bytes() for path in paths]
    return Bundle(
        *paths,
        version=importlib.metadata.version("rapidocr"),
        checkpoint=hashlib.sha256(b"".join(contents)).hexdigest()[:16],
        size_bytes=sum(map(len, contents)),
    )


class Network:
    """A model on the CPU. Belongs to the thread that opened it.

    Args:
        model: an ONNX file with one input and one output.
        threads: how many threads share the work of one call, the caller's among them.

    Raises:
        EngineUnavailable: onnxruntime is not there, or cannot run the file.
    """

    def __init__(self, model: Path, threads: int) -> None:
        runtime = _runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep the largest page's workspace for good
        options.log_severity_level = 4  # fatal only: it writes past Python's logging
        # Spinning threads burn the cores that the window needs between two calls.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = runtime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001  # its errors share no narrower base
            raise EngineUnavailable(f"{model.name} cannot be opened: {error}") from error
        self._input: str = self._session.get_inputs()[0].name

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The letters that a recognition model carries in its file."""
        carried: dict[str, str] = self._session.get_modelmeta().custom_metadata_map
        return tuple(carried["character"].splitlines())

    def answer(self, wave: NDArray[np.float32]) -> NDArray[np.float32]:
        """Run the model on one input, (1, 3, H, W).

        Raises:
            PageUnreadable: the call failed, for example for want of memory.
        """
        try:
            (answer,) = self._session.run(None, {self._input: wave})
        except Exception as error:  # noqa: BLE001  # its errors share no narrower base
            raise PageUnreadable(f"onnxruntime failed: {error}") from error
        return np.asarray(answer, np.float32)


def _runtime() -> ModuleType:
    try:
        import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # the library has none
    except ImportError as error:
        raise EngineUnavailable(f"onnxruntime cannot be imported: {error}") from error
    return onnxruntime
