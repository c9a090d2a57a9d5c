"""A checkpoint's own code: never run unasked, confined when it is, compared, told in words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app import commands, doctor
from app.comparing.examining import examine, forbid, meaning
from app.comparing.own_code import OwnCodeFailed, run
from app.comparing.permission import Permissions
from app.engine_words import choice_text
from app.errors import EngineError
from app.places import Places, places
from app.runs import engine_chooser
from app.settings import Settings
from app.sources.walls import are_whole
from model import api
from tests.model.second_checkpoint import SECTIONS, change_config, write_second
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = [pytest.mark.model]
ENTRY = "modeling_unlimitedocr.py"
walled = pytest.mark.skipif(not are_whole(), reason="this kernel lacks some of the walls")


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the child too: more are slower at this size."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("INCUNABLE_HOME", str(tmp_path / "home"))
    return places()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_second(tmp_path / "second")


def code_of(folder: Path) -> api.OwnCode:
    code = api.own_code(folder)
    assert code is not None
    return code


def pages(count: int = 1) -> list[api.PageImage]:
    made = np.random.default_rng(3).integers(0, 256, (count, 60, 40, 3), np.uint8)
    return [api.PageImage(pixels) for pixels in made]


def marking(mark: Path) -> str:
    """Code that leaves a mark as soon as it is imported."""
    return f"from pathlib import Path\nPath({str(mark)!r}).touch()\n"


def test_a_checkpoint_is_read_once_it_agrees_with_its_own_code(folder: Path, where: Places):
    asked = engine_chooser(
        Settings(engine=api.Engine.UNLIMITED_OCR, checkpoint=folder, device="cpu"),
        None,
        cache=where.cache,
    )
    with pytest.raises(api.NotCompared):
        api.load(asked())
    found = examine(folder, where, is_allowed_now=True)
    assert found.is_well, found
    assert "128 tokens" in found.text
    with api.load(asked()) as recogniser:
        assert recogniser.modes == ("request",)


@pytest.mark.slow
def test_code_that_computes_something_else_is_named_with_the_place(folder: Path, where: Places):
    frames = folder / "own_frames.py"
    frames.write_text(frames.read_text().replace("FACTOR = 1.0", "FACTOR = 1.05"))
    found = examine(folder, where, is_allowed_now=True)
    assert not found.is_well
    assert "with 1 pages in the prompt, the logits of token 1 differ" in found.text
    assert "stays off" in found.text


def test_the_best_engine_is_another_as_long_as_nobody_compared(
    folder: Path, where: Places, monkeypatch: pytest.MonkeyPatch
):
    card = api.EngineChoice(api.Engine.UNLIMITED_OCR, folder, why="gpu_and_checkpoint")
    plain = api.choose(None)
    monkeypatch.setattr("app.runs.choose", lambda checkpoint, _=None: card if checkpoint else plain)
    best = engine_chooser(Settings(checkpoint=folder), None, cache=where.cache)
    assert best().engine == plain.engine
    assert "stays off until 'incunable doctor --compare'" in choice_text(best())
    (where.cache / "checkpoint-verdicts.json").write_text("{}")
    assert best().engine == card.engine
    (where.cache / "checkpoint-verdicts.json").unlink()
    first = write_checkpoint(folder.parent / "first")
    best = engine_chooser(Settings(checkpoint=first), None, cache=where.cache)
    assert best().engine == card.engine


def test_code_that_nobody_allowed_never_runs(folder: Path, where: Places, tmp_path: Path):
    mark = tmp_path / "mark"
    (folder / "own_frames.py").write_text(marking(mark))
    found = examine(folder, where)
    assert not found.is_well
    assert "was not run" in found.text
    assert "modeling_unlimitedocr.py, own_frames.py" in found.text
    assert "--allow-code" in found.advice
    assert not mark.exists()
    # what is imported anywhere but behind the walls does leave it
    subprocess.run([sys.executable, folder / "own_frames.py"], check=True)
    assert mark.exists()


def test_a_changed_file_asks_again(folder: Path, where: Places, tmp_path: Path):
    permissions = Permissions(tmp_path / "allowed.json")
    permissions.allow(folder, code_of(folder).sum)
    assert permissions.is_allowed(folder, code_of(folder).sum)
    assert not permissions.is_allowed(tmp_path, code_of(folder).sum)
    (folder / "more.py").write_text("")
    assert not permissions.is_allowed(folder, code_of(folder).sum)
    (folder / "more.py").unlink()
    assert permissions.is_allowed(folder, code_of(folder).sum)
    permissions.forbid(folder)
    permissions.forbid(folder)
    assert not permissions.is_allowed(folder, code_of(folder).sum)
    (tmp_path / "allowed.json").write_text("[")
    assert not permissions.is_allowed(folder, code_of(folder).sum)


def test_what_was_allowed_is_taken_back(folder: Path, where: Places):
    (folder / ENTRY).write_text("raise RuntimeError('it ran')")
    assert "it ran" in examine(folder, where, is_allowed_now=True).text
    assert "it ran" in examine(folder, where).text
    assert forbid(folder, where).is_well
    assert "was not run" in examine(folder, where).text


TRIALS = """
import os, socket, subprocess
from pathlib import Path
folder = Path({folder!r})
done = []
for name, what in {{
    "a socket": lambda: socket.socket(),
    "a file": lambda: (folder / "mark").touch(),
    "a file cut": lambda: os.truncate(folder / "kept", 1),
    "a file removed": lambda: (folder / "kept").unlink(),
    "a program": lambda: subprocess.run(["touch", folder / "mark"], check=True),
    "the parent": lambda: os.kill(os.getppid(), 0),
}}.items():
    try:
        what()
    except (OSError, subprocess.CalledProcessError):
        continue
    done.append(name)
raise RuntimeError(f"not refused: {{done}}")
"""


@walled
def test_code_that_reaches_out_is_stopped(folder: Path, tmp_path: Path):
    (tmp_path / "kept").write_text("kept whole")
    (folder / ENTRY).write_text(TRIALS.format(folder=str(tmp_path)))
    before = sorted(os.walk(tmp_path))
    with pytest.raises(OwnCodeFailed, match=r"not refused: \[\]$"):
        run(folder, code_of(folder), pages())
    assert sorted(os.walk(tmp_path)) == before
    assert (tmp_path / "kept").read_text() == "kept whole"


@pytest.mark.expects_warning
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import os\nos._exit(0)", "ended without an answer"),
        ("import os\nos.abort()", "ended without an answer"),
        (
            "import os, contextlib\n"
            "for file in range(3, 30):\n"
            "    with contextlib.suppress(OSError):\n"
            "        os.write(file, b'nonsense')",
            "ended without an answer",
        ),
        ("import a_library_that_is_not_there", "ModuleNotFoundError"),
        ("def places(", "SyntaxError"),
        ("", "AttributeError"),
    ],
)
def test_code_that_does_not_answer_is_told(folder: Path, code: str, said: str):
    (folder / ENTRY).write_text(code)
    with pytest.raises(OwnCodeFailed, match=said):
        run(folder, code_of(folder), pages())


def test_code_changed_after_it_was_read_does_not_run(folder: Path):
    code = code_of(folder)
    (folder / "own_frames.py").write_text("raise RuntimeError('it ran')")
    with pytest.raises(OwnCodeFailed, match="have changed"):
        run(folder, code, pages())


@pytest.mark.slow
def test_a_network_that_takes_something_else_is_named(folder: Path):
    modelling = folder / ENTRY
    modelling.write_text(modelling.read_text().replace("images_spatial_crop", "spatial"))
    with pytest.raises(OwnCodeFailed, match="does not take images_spatial_crop"):
        run(folder, code_of(folder), pages())


def test_doctor_says_of_the_checkpoint_that_it_stays_off(
    folder: Path, where: Places, monkeypatch: pytest.MonkeyPatch
):
    page = doctor.Finding("test page", True, "read elsewhere")  # noqa: FBT003 - a row of its table
    monkeypatch.setattr(doctor, "_test_page", lambda: page)
    said = [found for found in doctor.examine(checkpoint=folder) if not found.is_well]
    assert any("stays off: it was not compared" in found.text for found in said)
    assert any("--compare" in found.advice for found in said)


def test_what_there_is_nothing_to_compare_of_is_said(folder: Path, where: Places, tmp_path: Path):
    first = examine(write_checkpoint(tmp_path / "first"), where)
    assert first.is_well
    assert "not asked for" in first.text
    change_config(folder, auto_map={})
    assert "brings no code" in examine(folder, where).text
    change_config(folder, dash=SECTIONS["dash"] | {"beams": 4})
    found = examine(folder, where)
    assert "dash.beams is not known" in found.text
    assert not found.is_well


def test_a_verdict_or_a_leave_that_cannot_be_kept_is_told(folder: Path, where: Places):
    (folder / ENTRY).write_text("raise RuntimeError('it ran')")
    (where.config / "checkpoint-code.new").mkdir()
    found = examine(folder, where, is_allowed_now=True)
    assert not found.is_well
    assert "checkpoint-code.new" in found.text
    assert "it ran" not in found.text


def test_the_sentence_says_what_this_system_cannot_hold_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("app.comparing.examining.are_whole", lambda: True)
    assert "keeps it from the network" in meaning(code_of(folder))
    monkeypatch.setattr("app.comparing.examining.are_whole", lambda: False)
    assert "cannot hold it back" in meaning(code_of(folder))


def test_the_command_line_asks_for_leave_and_for_a_folder(
    folder: Path, where: Places, capsys: pytest.CaptureFixture[str]
):
    assert commands.main(["doctor", "--compare"]) == commands.Exit.ERROR
    assert "no checkpoint folder" in capsys.readouterr().err
    assert commands.main(["doctor", "--compare", "--model", str(folder)]) == commands.Exit.ERROR
    said = capsys.readouterr().out
    assert "can read whatever you can read" in said
    assert f"incunable doctor --allow-code --model {folder}" in said


def test_a_run_says_that_it_stays_off_and_what_to_do(folder: Path):
    error = EngineError("engine_not_compared", folder=str(folder), detail="it differs")
    assert "Unlimited-OCR-2 and stays off" in str(error)
    assert "incunable doctor --compare" in str(error)
