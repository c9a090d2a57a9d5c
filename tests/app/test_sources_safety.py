"""What must never happen: a decoder that takes the program with it, files that leak, silence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.errors import SourceError
from app.sources import frames
from app.sources.source import Limits, Source
from app.sources.walls import landlock_version
from tests.app.make_sources import (
    SIZE,
    PdfPage,
    encoded,
    make_folder,
    make_pdf,
    make_zip,
    page_image,
)

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
PAGE = encoded(page_image(), "PNG")


@pytest.fixture
def folder(tmp_path) -> Path:
    return make_folder(tmp_path / "book", {f"{n}.png": PAGE for n in range(3)})


def child_of(source: Source) -> psutil.Process:
    assert source.child_pid is not None
    return psutil.Process(source.child_pid)


def test_a_page_on_which_the_decoder_hangs_fails_alone(folder):
    with Source.open([folder], limits=Limits(seconds=0.6)) as source:
        hung = child_of(source)
        hung.suspend()
        started = time.monotonic()
        with pytest.raises(SourceError) as raised:
            source.render(1)
        assert 0.5 < time.monotonic() - started < 5
        assert raised.value.code == "page_timeout"
        assert "page 2 took longer than 0.6 seconds" in str(raised.value)
        assert not hung.is_running()
        assert source.render(1).width_px == SIZE[0]


def test_a_decoder_that_was_killed_is_replaced_without_a_word(folder):
    with Source.open([folder]) as source:
        child_of(source).kill()
        assert source.render(0).width_px == SIZE[0]


def test_a_page_that_kills_every_decoder_fails_and_the_next_one_works(folder):
    with Source.open([folder]) as source:
        killed: list[int] = []
        with killing_every_child(source, killed), pytest.raises(SourceError) as raised:
            source.render(1)
        assert len(killed) == 2
        assert raised.value.code == "page_undecodable"
        assert "crashed" in str(raised.value)
        assert source.render(2).width_px == SIZE[0]


class killing_every_child:  # noqa: N801 - reads as what it does
    """Kills each new child of a source as soon as it is there."""

    def __init__(self, source: Source, killed: list[int]) -> None:
        self._source, self._killed = source, killed
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._kill, name="killer")

    def __enter__(self) -> None:
        child_of(self._source).suspend()
        self._thread.start()

    def _kill(self) -> None:
        while not self._over.wait(0.002):
            pid = self._source.child_pid
            if pid and pid not in self._killed:
                os.kill(pid, signal.SIGKILL)
                self._killed.append(pid)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def test_a_page_that_needs_too_much_memory_fails_alone(tmp_path):
    large = Image.new("RGB", (12_000, 9_000))
    files = {"1.png": encoded(large, "PNG", compress_level=1), "2.png": PAGE}
    folder = make_folder(tmp_path / "book", files)
    with Source.open([folder], limits=Limits(memory_bytes=300 << 20)) as source:
        child = source.child_pid
        with pytest.raises(SourceError, match="more memory than is allowed") as raised:
            source.render(0)
        assert raised.value.code == "page_undecodable"
        assert source.render(1).width_px == SIZE[0]
        assert source.child_pid == child


def test_a_pdf_page_that_needs_too_much_memory_fails_alone(tmp_path):
    pages = [PdfPage(b"", drawing=b"", box=b"0 0 2400 2400"), PdfPage(encoded(page_image()))]
    path = make_pdf(tmp_path / "book.pdf", pages)
    with Source.open([path], limits=Limits(memory_bytes=300 << 20)) as source:
        with pytest.raises(SourceError, match="more memory than is allowed"):
            source.render(0)
        assert source.render(1).width_px == SIZE[0]


def test_the_child_can_write_no_file_and_has_no_core_and_no_descriptor_of_ours(folder, tmp_path):
    ours = (tmp_path / "ours").open("w")
    os.set_inheritable(ours.fileno(), True)
    with ours, Source.open([folder]) as source:
        child = child_of(source)
        for kind, most in (
            (psutil.RLIMIT_FSIZE, 0),
            (psutil.RLIMIT_CORE, 0),
            (psutil.RLIMIT_AS, 3 << 30),
        ):
            assert child.rlimit(kind) == (most, most)
        targets = [link.readlink() for link in Path(f"/proc/{child.pid}/fd").iterdir()]
    assert not [target for target in targets if target.is_relative_to(tmp_path)]
    assert len(targets) < 8


TRIALS = """
import os, socket, subprocess, sys
from pathlib import Path
from app.sources.walls import wall_in

wall_in()
folder = Path(sys.argv[1])
for what in (
    lambda: socket.socket(),
    lambda: (folder / "new").touch(),
    lambda: (folder / "page.png").open("r+b"),
    lambda: (folder / "page.png").unlink(),
    lambda: (folder / "page.png").rename(folder / "other.png"),
    lambda: (folder / "folder").mkdir(),
    lambda: os.truncate(folder / "page.png", 1),
    lambda: os.kill(os.getppid(), 0),
    lambda: subprocess.run(["touch", folder / "new"], check=True, stderr=subprocess.DEVNULL),
):
    try:
        what()
    except (OSError, subprocess.CalledProcessError):
        print("refused")
    else:
        print("done")
print((folder / "page.png").read_bytes() == b"a page", subprocess.run(["true"]).returncode)
"""


@pytest.mark.skipif(landlock_version() < 6, reason="this kernel has no Landlock, or an early one")
def test_the_kernel_refuses_what_decoding_never_needs(tmp_path):
    (tmp_path / "page.png").write_bytes(b"a page")
    order = [sys.executable, "-c", TRIALS, str(tmp_path)]
    said = subprocess.run(order, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said.split("\n") == [*["refused"] * 9, "True 0", ""]
    assert [path.name for path in tmp_path.iterdir()] == ["page.png"]


@pytest.mark.skipif(sys.platform != "linux", reason="walls of the Linux kernel")
def test_a_running_child_is_behind_the_walls(folder):
    with Source.open([folder]) as source:
        status = Path(f"/proc/{source.child_pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status


def test_nothing_is_written_beside_the_book(tmp_path):
    folder = make_folder(tmp_path / "shelf", {"a/1.png": PAGE})
    make_zip(folder / "b.cbz", {"x/1.png": PAGE})
    make_pdf(folder / "c.pdf", [PdfPage(encoded(page_image()))])
    before = sorted(folder.rglob("*"))
    for path in (folder / "a", folder / "b.cbz", folder / "c.pdf"):
        with Source.open([path]) as source:
            source.render(0)
    assert sorted(folder.rglob("*")) == before


def test_the_folder_one_stands_in_offers_no_module_to_the_child(folder, monkeypatch):
    for name in ("PIL.py", "json.py", "app.py"):
        (folder / name).write_text("raise SystemExit(3)")
    monkeypatch.chdir(folder)
    with Source.open([folder]) as source:
        assert source.render(0).width_px == SIZE[0]


PARENT = """
import sys, time
from pathlib import Path
from app.sources.source import Source
source = Source.open([Path(sys.argv[1])])
print(source.child_pid, flush=True)
time.sleep(60)
"""


def test_the_child_dies_with_its_parent(folder):
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE, text=True
    )
    with parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    child.wait(timeout=5)
    assert not child.is_running()


ALARMED = """
import time
from app.sources import limits
limits.ALARM_AFTER_LIMIT_S = 0.1
with limits.alarm(limits.Limits(seconds=0.1)):
    pass
time.sleep(0.4)
print("still there", flush=True)
with limits.alarm(limits.Limits(seconds=0.1)):
    time.sleep(30)
"""


def test_a_decoder_that_hangs_ends_even_when_nobody_watches():
    done = subprocess.run([sys.executable, "-c", ALARMED], check=False, capture_output=True)
    assert done.stdout == b"still there\n"
    assert done.returncode == -signal.SIGALRM


def test_close_ends_the_child_and_may_be_called_again(folder):
    source = Source.open([folder])
    child = child_of(source)
    source.close()
    source.close()
    assert not child.is_running()


def test_a_scan_that_vanished_is_told_and_the_rest_still_opens(folder):
    with Source.open([folder]) as source:
        child = source.child_pid
        (folder / "1.png").unlink()
        with pytest.raises(SourceError) as raised:
            source.render(1)
        assert raised.value.code == "source_missing"
        assert "1.png" in str(raised.value)
        assert source.render(2).width_px == SIZE[0]
        assert source.child_pid == child


def test_a_book_that_vanished_before_a_crash_is_told(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [PdfPage(encoded(page_image()))] * 2)
    with Source.open([path]) as source:
        moved = path.rename(tmp_path / "moved.pdf")
        assert source.render(0).width_px == SIZE[0]
        child_of(source).kill()
        with pytest.raises(SourceError) as raised:
            source.render(1)
        assert raised.value.code == "source_missing"
        moved.rename(path)
        assert source.render(1).width_px == SIZE[0]


def test_a_book_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SourceError, match="not there") as raised:
        Source.open([tmp_path / "nothing.pdf"])
    assert raised.value.code == "source_missing"


def test_what_is_no_file_is_not_opened(tmp_path):
    """Opening a pipe would wait for ever."""
    pipe = tmp_path / "pipe.pdf"
    os.mkfifo(pipe)
    with pytest.raises(SourceError, match="neither a file nor a folder") as raised:
        Source.open([pipe])
    assert raised.value.code == "source_unreadable"


def test_a_disk_that_gives_errors_is_told():
    """The memory of a process is a file that cannot be read from its start."""
    with pytest.raises(SourceError, match="the disk reported an error") as raised:
        Source.open([Path("/proc/self/mem")])
    assert raised.value.code == "source_unreadable"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_one_may_not_read_is_told(folder):
    (folder / "1.png").chmod(0)
    with pytest.raises(SourceError, match="you may not read it"):
        Source.open([folder / "1.png"])


def test_other_kinds_of_files_are_refused_in_words(tmp_path):
    text = tmp_path / "letter.txt"
    text.write_text("Sehr geehrte Damen und Herren")
    with pytest.raises(SourceError, match="not a kind of file") as raised:
        Source.open([text])
    assert raised.value.code == "source_kind_unknown"
    (tmp_path / "1.png").write_bytes(PAGE)
    with pytest.raises(SourceError, match="Open them one after the other"):
        Source.open([text, tmp_path / "1.png"])
    (tmp_path / "none").mkdir()
    with pytest.raises(SourceError) as raised:
        Source.open([tmp_path / "none"])
    assert raised.value.code == "source_empty"


def test_a_name_in_no_known_encoding_opens_and_can_be_shown(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe 1.png")).write_bytes(PAGE)
    with Source.open([folder]) as source:
        assert source.info.names == ("?? 1.png",)
        assert source.render(0).width_px == SIZE[0]


@given(st.dictionaries(st.text(), st.integers() | st.text()), st.binary())
def test_frames_arrive_as_they_were_sent(header, data):
    header.pop("bytes", None)
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as end, os.fdopen(writing, "wb") as start:
        frames.write(start, header, data)
        start.close()
        assert frames.read(end) == (header, data)
        assert frames.read(end) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"\0\0",
        b"\xff\xff\xff\xff{}",
        b"\0\0\0\x02[]",
        b"\0\0\0\x02{",
        b"\0\0\0\x03{x}",
        b'\0\0\0\x0e{"bytes": "a"}',
        b'\0\0\0\x0c{"bytes": 5}abc',
        b'\0\0\0\x0d{"bytes": -5}',
    ],
)
def test_frames_that_are_none_are_refused(tmp_path, raw):
    (tmp_path / "frame").write_bytes(raw)
    with (tmp_path / "frame").open("rb") as file, pytest.raises(frames.BrokenFrame):
        frames.read(file)
