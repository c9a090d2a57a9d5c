"""Unlimited-OCR checkpoints behind the protocol: real files, real loading, real steps.

The checkpoints recite a script (see `tiny_checkpoint`), so what must come out is known; which page
they are shown changes nothing of it. One slow test reads a real page with a real, small reader.
"""

from __future__ import annotations

import json
import unicodedata
import weakref
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from rapidfuzz.distance import Levenshtein
from safetensors.torch import load_file, save_file

from model.api import (
    Cell,
    Engine,
    EngineChoice,
    Kind,
    PageEnd,
    PageImage,
    PageRead,
    Piece,
    Recogniser,
    Step,
    Stop,
    load,
)
from model.errors import (
    ContextFull,
    EngineUnavailable,
    OutOfVram,
    PageUnreadable,
    WeightsDamaged,
    WeightsMissing,
)
from model.markup import to_pixels
from model.recogniser import UnlimitedOcr
from tests.model.tiny_checkpoint import main, write_checkpoint
from tests.recogniser_contract import RecogniserContract, pages_of

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("one_thread")]

ONE_PAGE = (
    "<PAGE><|det|>header [300, 30, 700, 60]<|/det|>",
    "A HISTORY OF ",
    "PRINTING",
    "\n<|det|>text [120, 220, 880, 420]<|/det|>",
    "The press stood in the cellar,\nand the ",
    "paper was hung ",
    "above it to dry.",
    "\n<|det|>table [120, 500, 880, 700]<|/det|><table><tr><td>Year</td>",
    "<td>Copies</td></tr>",
    '<tr><td colspan="2">none known</td></tr></table>',
    "\n<|det|>page_number [480, 930, 520, 960]<|/det|>",
    "7",
)
THREE_PAGES = (
    *("<PAGE><|det|>text [0, 0, 500, 500]<|/det|>", "The first", " page."),
    *("<PAGE><|det|>text [0, 0, 500, 501]<|/det|>", "The second", " page.\n"),
    *("<PAGE><|det|>text [0, 0, 500, 502]<|/det|>", "The third", " page. "),
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("checkpoints")
    scripts: dict[str, Sequence[str]] = {"one": ONE_PAGE, "three": THREE_PAGES, "noise": ()}
    return {name: write_checkpoint(root / name, script=script) for name, script in scripts.items()}


@pytest.fixture(scope="module")
def opened(folders: dict[str, Path]) -> Iterator[dict[str, UnlimitedOcr]]:
    recognisers = {
        "one": build(folders["one"]),
        "three": build(folders["three"], mode="request"),
        "noise": build(folders["noise"], page_tokens="40"),
        "slow": build(folders["three"], mode="request", decoder="transformers"),
    }
    yield recognisers
    for recogniser in recognisers.values():
        recogniser.close()


def build(folder: Path, **options: str) -> UnlimitedOcr:
    recogniser = load(
        EngineChoice(Engine.UNLIMITED_OCR, folder, device="cpu", options=tuple(options.items()))
    )
    assert isinstance(recogniser, UnlimitedOcr)
    return recogniser


def inked_page(seed: int = 0, width_px: int = 400, height_px: int = 600) -> PageImage:
    return PageImage(
        np.random.default_rng(seed).integers(0, 255, (height_px, width_px, 3), np.uint8)
    )


def read(recogniser: Recogniser, count: int, mode: str | None = None) -> list[PageRead]:
    images = [inked_page(seed) for seed in range(count)]
    return pages_of(list(recogniser.read(images, Stop(), mode=mode)))


def texts(pages: Sequence[PageRead]) -> list[list[str]]:
    return [[block.text for block in page.blocks] for page in pages]


class TestOnePageKeepsTheContract(RecogniserContract):
    name = "one"
    options: tuple[tuple[str, str], ...] = ()

    @pytest.fixture(autouse=True)
    def folder(self, folders: dict[str, Path]) -> None:
        self.path = folders[self.name]

    @pytest.fixture
    def recogniser(self, opened: dict[str, UnlimitedOcr]) -> Recogniser:
        return opened[self.name]  # one for all tests: that it reads on is part of the contract

    def build(self) -> Recogniser:
        return build(self.path, **dict(self.options))

    def page(self, number: int) -> PageImage:
        return inked_page(number)

    def test_white_page_is_read_as_empty(self, recogniser: Recogniser):
        """What a network makes of white paper is its own affair; this one writes nothing."""
        with build(write_checkpoint(self.path.parent / "silent", script=("<PAGE>",))) as silent:
            super().test_white_page_is_read_as_empty(silent)


class TestSeveralPagesKeepTheContract(TestOnePageKeepsTheContract):
    name = "three"
    options = (("mode", "request"),)


@pytest.mark.parametrize("mode", ["tiled", "parallel", "continuous", "request"])
def test_a_page_is_read_into_blocks(opened: dict[str, UnlimitedOcr], mode: str):
    (page,) = read(opened["one"], 1, mode)
    head, text, table, number = page.blocks
    assert (head.kind, head.text) == (Kind.RUNNING_HEAD, "A HISTORY OF PRINTING")
    assert text.text == "The press stood in the cellar,\nand the paper was hung above it to dry."
    assert text.box == to_pixels((120, 220, 880, 420), width_px=400, height_px=600)
    assert [text.text[word.start : word.end] for word in text.words] == text.text.split()
    assert table.rows == ((Cell("Year"), Cell("Copies")), (Cell("none known", 1, 2),))
    assert table.text == "Year\tCopies\nnone known"
    assert (number.kind, number.text) == (Kind.PAGE_NUMBER, "7")
    assert (page.end, page.steps) == (PageEnd.DONE, len(ONE_PAGE) + 1)
    assert all(block.score and block.score > 0.99 for block in page.blocks)


def test_several_pages_are_read_in_one_prompt(opened: dict[str, UnlimitedOcr]):
    assert opened["three"].request_pages == 16
    pages = read(opened["three"], 3)
    assert texts(pages) == [["The first page."], ["The second page."], ["The third page."]]
    assert [page.end for page in pages] == [PageEnd.DONE] * 3


def test_more_pages_than_a_request_holds_are_read_in_several(folders: dict[str, Path]):
    with build(folders["three"], mode="request", request_pages="3") as recogniser:
        pages = read(recogniser, 6)
    assert [page.page for page in pages] == list(range(6))
    assert texts(pages[:3]) == texts(pages[3:])


def test_a_request_leaves_room_for_the_text_of_its_pages(opened: dict[str, UnlimitedOcr]):
    """4,096 positions hold four pages with 1,000 tokens of text each; the fifth comes later."""
    pages = read(opened["three"], 5)
    done, differ = PageEnd.DONE, PageEnd.SECTIONS  # the fifth gets a script of three sections
    assert [page.end for page in pages] == [done, done, differ, differ, differ]
    assert texts(pages[3:]) == [[], ["The first page."]]


def test_a_section_too_many_is_told(opened: dict[str, UnlimitedOcr]):
    (page,) = read(opened["three"], 1, "parallel")
    assert (texts([page]), page.end) == ([["The first page."]], PageEnd.SECTIONS)


def test_a_page_too_long_is_cut_and_the_pages_after_it_are_read(folders: dict[str, Path]):
    with build(folders["three"], mode="request", page_tokens="2") as recogniser:
        pages = read(recogniser, 3)
    assert [page.end for page in pages] == [PageEnd.CAP] * 3
    assert texts(pages) == [["The first"]] * 3  # each the first of a request of its own


def test_noise_ends_at_the_cap(opened: dict[str, UnlimitedOcr]):
    (page,) = read(opened["noise"], 1)
    assert (page.end, page.steps) == (PageEnd.CAP, 40)


def test_a_circle_is_cut(tmp_path: Path):
    folder = write_checkpoint(
        tmp_path, script=("Once upon ", "a time ", "and so on "), leads_back_to=2
    )
    with build(folder) as recogniser:
        (page,) = read(recogniser, 1)
    assert page.end is PageEnd.LOOP
    assert texts([page]) == [["Once upon a time and so on"]]


def test_a_prompt_too_long_for_the_network_is_told(tmp_path: Path):
    folder = write_checkpoint(tmp_path, script=ONE_PAGE, most_positions=30)
    with build(folder) as recogniser, pytest.raises(ContextFull):
        read(recogniser, 1, "tiled")


@pytest.mark.parametrize("name", ["one", "three"])
def test_pages_before_an_unreadable_one_are_read_first(opened: dict[str, UnlimitedOcr], name: str):
    images = [inked_page(), inked_page(), PageImage(np.zeros((0, 5, 3), np.uint8)), inked_page()]
    steps: list[Step] = []
    with pytest.raises(PageUnreadable):
        steps.extend(opened[name].read(images, Stop()))
    assert [page.page for page in pages_of(steps)] == [0, 1]


def test_stop_acts_between_two_tokens_and_frees_the_cache(opened: dict[str, UnlimitedOcr]):
    stop, recogniser = Stop(), opened["noise"]
    steps: list[Step] = []
    for step in recogniser.read([inked_page()], stop):
        steps.append(step)
        if len(steps) == 5:
            assert recogniser.memory().references_bytes > 0
            stop.ask()
    (page,) = pages_of(steps)
    assert page.end is PageEnd.STOPPED
    assert len(steps) <= 5 + 3  # what the token under way brought, what was held back, the end
    assert recogniser.memory().references_bytes == 0


def test_a_reading_left_frees_the_cache(opened: dict[str, UnlimitedOcr]):
    steps = opened["noise"].read([inked_page()], Stop())
    next(steps)
    assert opened["noise"].memory().window_bytes > 0
    close(steps)
    assert opened["noise"].memory().window_bytes == 0


def test_memory_is_counted_to_the_byte(opened: dict[str, UnlimitedOcr], folders: dict[str, Path]):
    token_bytes = 3 * 2 * 32 * 2 * 4  # layers, heads, size of a head, keys and values, float32
    recogniser, file = opened["slow"], folders["three"] / "model.safetensors"
    assert recogniser.memory().weights_bytes == pytest.approx(file.stat().st_size, rel=0.05)
    steps = recogniser.read([inked_page(seed) for seed in range(3)], Stop())
    next(steps)
    memory = recogniser.memory()
    prompt_tokens = memory.references_bytes // token_bytes
    assert 3 * 21 < prompt_tokens < 3 * 21 + 40  # three pages of 21 tokens, the words of the prompt
    assert memory.references_bytes == prompt_tokens * token_bytes
    assert memory.window_bytes == 128 * token_bytes
    assert memory.reference_pages == 3
    assert memory.dense_bytes >= memory.references_bytes
    assert memory.device == "cpu"
    close(steps)


def close(steps: Iterator[Step]) -> None:
    assert isinstance(steps, Generator)
    steps.close()


def test_a_full_device_is_told_and_the_cache_freed(
    opened: dict[str, UnlimitedOcr], monkeypatch: pytest.MonkeyPatch
):
    """No card here to fill: torch's own error is raised where it would be."""
    held: list[weakref.ref[torch.Tensor]] = []

    def full(values: torch.Tensor, *_: object) -> None:
        held.append(weakref.ref(values))
        raise torch.OutOfMemoryError("CUDA out of memory")

    recogniser = opened["slow"]
    steps = recogniser.read([inked_page(), inked_page()], Stop(), mode="base")
    assert isinstance(next(steps), Piece)
    with monkeypatch.context() as patch:
        patch.setattr(torch.nn.functional, "linear", full)
        with pytest.raises(OutOfVram, match="full") as caught:
            list(steps)
    assert isinstance(caught.value.__cause__, torch.OutOfMemoryError)
    assert [each() for each in held] == [None]  # though the error is still kept
    assert recogniser.memory().references_bytes == 0
    assert len(read(recogniser, 1)) == 1  # and it reads on


def test_weights_that_do_not_fit_are_told(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(torch.nn.Module, "to", full)
    with pytest.raises(OutOfVram):
        build(folders["one"])


def test_other_errors_of_torch_are_passed_on(
    opened: dict[str, UnlimitedOcr], monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> None:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    monkeypatch.setattr(torch.nn.functional, "linear", broken)
    with pytest.raises(RuntimeError, match="illegal"):
        read(opened["one"], 1)


def test_the_same_choice_gives_the_same_source(folders: dict[str, Path], tmp_path: Path):
    remembered = tmp_path / "sums.json"
    with build(folders["one"], hash_cache=str(remembered)) as recogniser:
        source = recogniser.source
    assert (source.engine, source.mode, source.dtype) == ("unlimited-ocr", "tiled", "float32")
    assert len(source.checkpoint) == 16
    assert remembered.exists()
    with build(folders["one"], hash_cache=str(remembered)) as recogniser:
        assert recogniser.source == source


@pytest.mark.parametrize(
    ("stored", "has_tiles", "dtype"),
    [
        (torch.bfloat16, True, "bfloat16"),
        (torch.bfloat16, False, "float32"),
        (torch.float32, True, "float32"),
    ],
)
def test_a_processor_with_tiles_reads_weights_as_they_are_stored(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stored: torch.dtype,
    has_tiles: bool,
    dtype: str,
):
    shard = write_checkpoint(tmp_path, script=ONE_PAGE) / "model.safetensors"
    save_file({name: weight.to(stored) for name, weight in load_file(shard).items()}, shard)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"amx_bf16": has_tiles})
    with build(tmp_path) as reader, build(tmp_path, decoder="transformers") as exact:
        assert (reader.source.dtype, exact.source.dtype) == (dtype, "float32")
        assert texts(read(reader, 2, "parallel")) == texts(read(exact, 2, "base"))


def test_an_unknown_mode_is_refused(folders: dict[str, Path], opened: dict[str, UnlimitedOcr]):
    with pytest.raises(ValueError, match="sideways"):
        read(opened["one"], 1, "sideways")
    with pytest.raises(EngineUnavailable, match="sideways"):
        build(folders["one"], mode="sideways")


def test_a_checkpoint_that_is_not_there_or_not_sound_is_named(
    folders: dict[str, Path], tmp_path: Path
):
    with pytest.raises(WeightsMissing):
        load(EngineChoice(Engine.UNLIMITED_OCR))
    with pytest.raises(WeightsMissing, match="nowhere"):
        build(tmp_path / "nowhere")
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {"model.safetensors": "0" * 64}}))
    for name in ("config.json", "tokenizer.json", "model.safetensors", "preprocessor_config.json"):
        (tmp_path / name).write_bytes((folders["one"] / name).read_bytes())
    with pytest.raises(WeightsDamaged, match="manifest"):
        build(tmp_path)


def test_a_card_that_is_not_there_is_not_replaced(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)  # also where there is one
    with pytest.raises(EngineUnavailable):
        load(EngineChoice(Engine.UNLIMITED_OCR, folders["one"], device="cuda"))


def test_a_small_checkpoint_can_be_made_by_hand(tmp_path: Path):
    main([str(tmp_path / "made")])
    with build(tmp_path / "made") as recogniser:
        (page,) = read(recogniser, 1)
    assert page.blocks[0].text == "A CHECKPOINT THAT RECITES"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_real_page_is_read_by_a_real_small_reader(shared: Path, tmp_path: Path):
    """Weights of a trial of the small reader: its own views, its own prompt, 800 real tokens."""
    for path in (shared / "training" / "start").iterdir():
        (tmp_path / path.name).symlink_to(path)
    views = {"crop_to_patches": False, "maximum_pad_value": 1024}
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(views))
    prompts = {"prompts": {"page": "<image><|ocr|>", "pages": None}}
    (tmp_path / "manifest.json").write_text(json.dumps(prompts))
    scan = shared / "dev" / "fr-nubis-m35r_1921_1.jpg"
    with build(tmp_path) as recogniser:
        assert recogniser.modes == ("parallel", "continuous")
        image = PageImage(np.asarray(Image.open(scan).convert("RGB")))
        (page,) = pages_of(list(recogniser.read([image], Stop())))
    found = plain("\n".join(block.text for block in page.blocks))
    true = plain(scan.with_suffix(".gt.txt").read_text())
    assert Levenshtein.distance(found, true) / len(true) < 0.02
    assert page.end is PageEnd.DONE
    boxes = [block.box for block in page.blocks if block.box]
    assert all(0 <= box.left < box.right <= image.pixels.shape[1] for box in boxes)


def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
