"""Books fetched from a real server on this machine: both versions of manifests, and bad servers."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.commands import main
from app.errors import SourceError
from app.fetches import Ended, Looked, Progressed
from app.fetching.fetch import fetch, look_at
from app.fetching.manifest import Manifest, manifest_of
from app.sources.source import Source
from model.api import Stop
from tests.app.desk import Desk
from tests.app.make_sources import SIZE, encoded, page_image

pytestmark = pytest.mark.unit

IMAGE = encoded(page_image(), "JPEG")


class Library(ThreadingHTTPServer):
    """Answers by path with (status, headers, body); counts what was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Desk)
        self.answers: dict[str, Callable[[], tuple[int, dict[str, str], bytes]]] = {}
        self.asked: Counter[str] = Counter()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def put(self, path: str, body: bytes, kind: str = "image/jpeg", status: int = 200) -> None:
        self.answers[path] = lambda: (status, {"Content-Type": kind}, body)

    def put_manifest(self, manifest: dict) -> str:
        self.put("/manifest", json.dumps(manifest).encode(), "application/json")
        return f"{self.address}/manifest"


class _Desk(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # noqa: N802 - as the library calls it
        library = self.server
        assert isinstance(library, Library)
        library.asked[self.path] += 1
        answer = library.answers.get(self.path, lambda: (404, {}, b""))
        status, headers, body = answer()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library has it
        """Silent."""


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def third(address: str, pages: int = 3) -> dict:
    """A manifest of version 3 with an image service of version 3."""

    def canvas(number: int) -> dict:
        service = [{"id": f"{address}/iiif/{number}", "type": "ImageService3"}]
        body = {"id": f"{address}/x.jpg", "type": "Image", "service": service}
        return {
            "type": "Canvas",
            "label": {"none": [f"p. {number + 7}"]},
            "items": [{"items": [{"motivation": "painting", "body": body}]}],
        }

    return {
        "@context": "http://iiif.io/api/presentation/3/context.json",
        "type": "Manifest",
        "label": {"de": ["Von der Buchdruckerey"]},
        "rights": "https://creativecommons.org/publicdomain/mark/1.0/",
        "items": [canvas(number) for number in range(pages)],
    }


def second(address: str) -> dict:
    """A manifest of version 2: one page of an image service, one of a plain image, one of none."""
    service = {"@id": f"{address}/iiif/0/", "profile": "http://iiif.io/api/image/2/level2.json"}
    images = [
        [{"resource": {"@id": f"{address}/a.jpg", "service": service}}],
        [
            {
                "resource": {
                    "@type": "oa:Choice",
                    "default": {"@id": "b.jpg", "@type": "dctypes:Image"},
                }
            }
        ],
        [],
    ]
    canvases = [{"label": f"{n}r", "images": each} for n, each in enumerate(images)]
    return {
        "@type": "sc:Manifest",
        "label": [{"@value": "Liber", "@language": "la"}],
        "attribution": "A library",
        "sequences": [{"canvases": canvases}],
    }


def got(manifest: Manifest, folder: Path) -> Path:
    record = fetch(manifest, folder, tell=lambda *_: None, stop=Stop())
    assert record is not None
    return record


def test_a_book_is_fetched_and_opens_with_its_labels(library: Library, tmp_path: Path):
    address = library.put_manifest(third(library.address))
    for number in range(3):
        library.put(f"/iiif/{number}/full/max/0/default.jpg", IMAGE)
    manifest = look_at(address)
    assert manifest.title == "Von der Buchdruckerey"
    assert "publicdomain" in manifest.rights
    assert manifest.hosts == (library.address.removeprefix("http://"),)
    assert sum(library.asked.values()) == 1  # looking fetches nothing else
    with Source.open([got(manifest, tmp_path / "book")]) as source:
        assert source.info.labels == ("p. 7", "p. 8", "p. 9")
        assert source.info.details.title == "Von der Buchdruckerey"
        assert source.render(2).width_px == SIZE[0]


def test_the_older_form_is_understood(library: Library):
    manifest = look_at(library.put_manifest(second(library.address)))
    assert (manifest.title, manifest.rights) == ("Liber", "A library")
    assert [canvas.label for canvas in manifest.canvases] == ["0r", "1r"]
    assert [canvas.address.removeprefix(library.address) for canvas in manifest.canvases] == [
        "/iiif/0/full/full/0/default.jpg",
        "/b.jpg",
    ]


def test_a_fetch_that_failed_goes_on_where_it_was(library: Library, tmp_path: Path):
    manifest = look_at(library.put_manifest(third(library.address)))
    paths = [f"/iiif/{number}/full/max/0/default.jpg" for number in range(3)]
    library.put(paths[0], IMAGE)
    with pytest.raises(SourceError, match="404") as raised:
        got(manifest, tmp_path)
    assert raised.value.code == "fetch_failed"
    for path in paths[1:]:
        library.put(path, IMAGE)
    got(manifest, tmp_path)
    assert [library.asked[path] for path in paths] == [1, 2, 1]


def test_a_server_that_is_busy_is_asked_again(library: Library, tmp_path: Path):
    manifest = look_at(library.put_manifest(third(library.address, 1)))
    answers = [(503, {"Retry-After": "0"}, b""), (200, {"Content-Type": "image/jpeg"}, IMAGE)]
    library.answers["/iiif/0/full/max/0/default.jpg"] = lambda: answers.pop(0)
    got(manifest, tmp_path)
    assert answers == []


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ((200, {"Content-Type": "text/html"}, b"<html>"), "text/html"),
        ((302, {"Location": "file:///etc/passwd"}, b""), "not allowed"),
        ((200, {"Content-Type": "image/jpeg", "Content-Length": "99999"}, IMAGE), "of 99999 bytes"),
    ],
)
def test_what_is_no_whole_image_is_refused(library: Library, tmp_path: Path, answer, word: str):
    manifest = look_at(library.put_manifest(third(library.address, 1)))
    library.answers["/iiif/0/full/max/0/default.jpg"] = lambda: answer
    with pytest.raises(SourceError, match=word):
        got(manifest, tmp_path)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".jpg"]


def test_only_web_addresses_are_fetched(tmp_path: Path):
    data = json.dumps(third("file:///etc")).encode()
    manifest = manifest_of(data, address="https://example.org/manifest")
    with pytest.raises(SourceError, match="no web address"):
        got(manifest, tmp_path)


@pytest.mark.parametrize("data", [b"", b"[]", b"[" * 100_000, b'{"type": "Collection"}', b"\xff"])
def test_other_things_are_no_manifest(data: bytes):
    with pytest.raises(SourceError) as raised:
        manifest_of(data, address="https://example.org/m")
    assert raised.value.code == "manifest_wrong"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "items",
                    "body",
                    "type",
                    "id",
                    "service",
                    "label",
                    "sequences",
                    "canvases",
                    "images",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["items", "sequences", "label", "rights"]), json_values))
def test_no_manifest_however_odd_is_a_fault(raw: dict):
    data = json.dumps({"type": "Manifest", **raw}).encode()
    with contextlib.suppress(SourceError):
        assert manifest_of(data, address="https://a.b/").canvases


def test_the_session_fetches_when_it_is_told_to(library: Library):
    address = library.put_manifest(third(library.address, 2))
    for number in range(2):
        library.put(f"/iiif/{number}/full/max/0/default.jpg", IMAGE)
    with Desk() as desk:
        desk.session.fetches.look(address)
        desk.wait_for(Looked)
        assert sum(library.asked.values()) == 1
        desk.session.fetches.begin()
        desk.wait_for(Progressed)
        ended = desk.wait_for(Ended)
        assert ended.record is not None
        desk.open(ended.record)
        assert [page.label for page in desk.book.pages] == ["p. 7", "p. 8"]


def test_a_fetch_can_be_stopped_and_keeps_what_is_there(library: Library):
    address = library.put_manifest(third(library.address, 3))
    held = threading.Event()

    def slowly() -> tuple[int, dict[str, str], bytes]:
        held.wait(5)
        return 200, {"Content-Type": "image/jpeg"}, IMAGE

    library.put("/iiif/0/full/max/0/default.jpg", IMAGE)
    library.answers["/iiif/1/full/max/0/default.jpg"] = slowly
    with Desk() as desk:
        desk.session.fetches.look(address)
        desk.wait_for(Looked)
        desk.session.fetches.begin()
        desk.wait_for(Progressed)
        desk.session.fetches.stop()
        held.set()
        assert desk.wait_for(Ended).record is None
        assert library.asked["/iiif/2/full/max/0/default.jpg"] == 0


def test_the_command_line_fetches(library: Library, tmp_path: Path, capsys):
    address = library.put_manifest(third(library.address, 1))
    library.put("/iiif/0/full/max/0/default.jpg", IMAGE)
    assert main(["fetch", address, "--into", str(tmp_path / "book")]) == 0
    assert Path(capsys.readouterr().out.strip()) == tmp_path / "book" / "book.mets"
    assert main(["fetch", f"{library.address}/none", "--into", str(tmp_path / "no")]) == 1
    assert "could not be fetched" in capsys.readouterr().err
