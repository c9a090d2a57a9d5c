from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import StoreError
from app.places import places
from app.settings import (
    LARGEST_TEXT,
    SMALLEST_TEXT,
    Settings,
    load_settings,
    save_settings,
)
from model.api import Engine

pytestmark = pytest.mark.unit


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


def test_without_a_file_all_settings_have_their_defaults(path):
    assert load_settings(path) == Settings()
    assert not path.exists()


whole = st.integers(1, 10**12)
choices = st.builds(
    Settings,
    engine=st.none() | st.sampled_from(Engine),
    checkpoint=st.none() | st.just(Path("/models/unlimited-ocr v2")),
    device=st.sampled_from(["auto", "cpu", "cuda"]),
    gpu_memory_limit_bytes=st.none() | whole,
    mode=st.none() | st.sampled_from(["tiled", "parallel", "continuous", "request"]),
    window_size=whole,
    sparsity_ratio=st.floats(0, 1, exclude_min=True),
    chunk_size=whole,
    max_pages=whole,
    person=st.text(st.characters(codec="utf-8")),
    theme=st.sampled_from(["system", "light", "dark"]),
    text_scale=st.floats(SMALLEST_TEXT, LARGEST_TEXT),
    language=st.sampled_from(["", "de", "zh_CN"]),
    shortcuts=st.lists(st.tuples(st.text("abc_"), st.text("Ctrl+F8"))).map(tuple),
    page_limit_megapixels=whole,
    inhibit_sleep=st.booleans(),
)


@given(choices)
@settings(max_examples=40)
def test_what_is_saved_is_loaded(tmp_path_factory, chosen):
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    save_settings(path, chosen)
    assert load_settings(path) == chosen


def test_settings_of_a_newer_version_are_kept(path):
    path.parent.mkdir()
    path.write_text('{"magnifier": 3, "person": "Aldus"}')
    known = load_settings(path)
    assert known.person == "Aldus"
    save_settings(path, known)
    assert json.loads(path.read_text())["magnifier"] == 3


def test_no_temporary_file_is_left(path):
    save_settings(path, Settings())
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.expects_warning
@pytest.mark.parametrize("content", [b"", b'{"person": "Ald', b"\xff\xfe\x00", b"[1, 2]"])
def test_a_broken_file_is_kept_aside_and_told_of(path, content, caplog):
    path.parent.mkdir()
    path.write_bytes(content)
    assert load_settings(path) == Settings()
    save_settings(path, Settings(person="Aldus"))
    (kept,) = path.parent.glob("settings.json.broken-*")
    assert kept.read_bytes() == content
    assert kept.name in caplog.text
    assert load_settings(path).person == "Aldus"


@pytest.mark.expects_warning
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("engine", "crystal-ball"),
        ("checkpoint", 3),
        ("device", "tpu"),
        ("device", ["cpu"]),
        ("gpu_memory_limit_bytes", -1),
        ("gpu_memory_limit_bytes", True),
        ("mode", "sideways"),
        ("sparsity_ratio", 1.5),
        ("max_pages", 0),
        ("person", None),
        ("text_scale", "big"),
        ("text_scale", float("nan")),
        ("shortcuts", [["open"]]),
        ("shortcuts", 3),
        ("page_limit_megapixels", 2.5),
        ("inhibit_sleep", "yes"),
    ],
)
def test_a_value_that_makes_no_sense_has_its_default_and_the_others_hold(path, name, value, caplog):
    path.parent.mkdir()
    path.write_text(json.dumps({name: value, "language": "de"}))
    assert load_settings(path) == Settings(language="de")
    assert name in caplog.text


@pytest.mark.expects_warning
def test_a_folder_that_cannot_be_read_gives_defaults_and_cannot_be_written(tmp_path):
    (tmp_path / "config").write_text("a file where the folder should be")
    path = tmp_path / "config" / "settings.json"
    assert load_settings(path) == Settings()
    with pytest.raises(StoreError) as caught:
        save_settings(path, Settings())
    assert caught.value.code == "store_unwritable"
    assert str(tmp_path / "config") in str(caught.value)


def test_the_home_given_holds_all_folders_and_they_exist(own_home):
    found = places()
    assert all(folder.is_dir() and folder.is_relative_to(own_home) for folder in found)
    assert found.books.is_relative_to(found.data)
    assert len(set(found)) == 5
    assert places() == found


def test_without_a_home_given_the_platform_decides(monkeypatch, tmp_path):
    monkeypatch.delenv("INCUNABLE_HOME")
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    found = places()
    assert all(folder.is_relative_to(tmp_path) and "incunable" in folder.parts for folder in found)


def test_folders_that_cannot_be_made_are_said(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("INCUNABLE_HOME", str(tmp_path / "file"))
    with pytest.raises(StoreError, match="cannot be made"):
        places()
