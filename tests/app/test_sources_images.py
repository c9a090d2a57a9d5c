"""Books of image files: what opens, in which order, upright and in the right colours."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from app.errors import SourceError
from app.sources.source import Limits, Raster, Source, SourceKind
from tests.app.make_sources import PAPER, SIZE, encoded, make_folder, make_tiff, page_image

pytestmark = pytest.mark.unit

PALE = pytest.approx([PAPER] * 3, abs=6)


def pixel(raster: Raster, x: float, y: float) -> list[int]:
    """The colour at a place given in shares of width and height, always as RGB."""
    column, row = int(x * raster.width_px), int(y * raster.height_px)
    at = (row * raster.width_px + column) * raster.channels
    return list(raster.data[at : at + raster.channels]) * (3 // raster.channels)


def corners(raster: Raster) -> str:
    """Which quarters are dark, row by row: 'x' dark, '.' pale."""
    places = ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8))
    return "".join("x" if min(pixel(raster, *place)) < 128 else "." for place in places)


def only_page(path: Path, fit: tuple[int, int] | None = None) -> Raster:
    with Source.open([path]) as source:
        assert source.info.page_count == 1
        return source.render(0, fit=fit)


def test_a_folder_opens_in_natural_order_without_its_junk(tmp_path):
    files = {f"page {n}.png": encoded(page_image(n), "PNG") for n in (10, 9, 1)}
    files |= {"Page 2.JPG": encoded(page_image(2)), "notes.txt": b"-", ".hidden.png": b"-"}
    folder = make_folder(tmp_path / "book", {**files, "sub/page 3.png": b"-"})
    with Source.open([folder]) as source:
        assert source.info.kind is SourceKind.FOLDER
        assert source.info.names == ("page 1.png", "Page 2.JPG", "page 9.png", "page 10.png")
        shades = [pixel(source.render(page), 0.2, 0.2)[0] for page in range(4)]
    assert shades == pytest.approx([50, 60, 130, 140], abs=2)


def test_several_files_open_as_one_book(tmp_path):
    paths = [tmp_path / f"{n}.png" for n in (11, 2)]
    for path in paths:
        path.write_bytes(encoded(page_image(), "PNG"))
    with Source.open(paths) as source:
        assert source.info.kind is SourceKind.FOLDER
        assert source.info.paths == (paths[1], paths[0])
        assert source.info.names == ("2.png", "11.png")


SUFFIXES = {
    "JPEG": "jpg",
    "PNG": "png",
    "TIFF": "tif",
    "JPEG2000": "jp2",
    "WEBP": "webp",
    "BMP": "bmp",
}


@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_every_format_opens_in_grey_and_in_colour(tmp_path, mode):
    image = page_image(mode=mode)
    for form, suffix in SUFFIXES.items():
        lossless = {"lossless": True} if form == "WEBP" else {}
        (tmp_path / f"page.{suffix}").write_bytes(encoded(image, form, **lossless))
    for name, raster in all_pages(tmp_path).items():
        assert (raster.width_px, raster.height_px) == SIZE, name
        assert raster.channels == (1 if mode == "L" else 3), name
        assert corners(raster) == "x...", name
        dark = [40, 40, 40] if mode == "L" else [160, 40, 40]
        assert pixel(raster, 0.2, 0.2) == pytest.approx(dark, abs=12), name
        assert pixel(raster, 0.8, 0.8) == PALE, name


MODES = ("1", "P", "I;16", "RGBA", "LA", "CMYK", "LAB", "YCbCr")


@pytest.mark.parametrize("compression", ["raw", "tiff_lzw", "tiff_adobe_deflate"])
def test_every_kind_of_pixels_gets_its_right_colours(tmp_path, compression):
    for mode in MODES:
        make_tiff(tmp_path / f"{mode}.tif", [in_mode(mode)], compression=compression)
    for name, raster in all_pages(tmp_path).items():
        mode = name.removesuffix(".tif")
        assert corners(raster) == "x...", mode
        assert pixel(raster, 0.8, 0.8) == (PALE if mode != "1" else [255] * 3), mode
        dark = {"1": [0, 0, 0], "I;16": [40] * 3, "LA": [40] * 3}.get(mode, [160, 40, 40])
        assert pixel(raster, 0.2, 0.2) == pytest.approx(dark, abs=12), mode


def in_mode(mode: str) -> Image.Image:
    image = page_image(mode="L" if mode in ("1", "I;16", "LA") else "RGB")
    if mode == "I;16":
        data = b"".join(struct.pack("<H", value * 257) for value in image.tobytes())
        return Image.frombytes("I;16", SIZE, data)
    if mode == "LAB":
        srgb, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
        converted = ImageCms.profileToProfile(image, srgb, lab, outputMode="LAB")
        assert converted is not None
        return converted
    return image.convert(mode)


def all_pages(folder: Path) -> dict[str, Raster]:
    with Source.open([folder]) as source:
        return {name: source.render(page) for page, name in enumerate(source.info.names)}


def test_a_16_bit_png_is_divided_and_not_cut(tmp_path):
    data = struct.pack("<4H", 0, 0x4000, 0x8000, 0xFFFF)
    path = tmp_path / "deep.png"
    path.write_bytes(encoded(Image.frombytes("I;16", (4, 1), data), "PNG"))
    assert list(only_page(path).data) == [0, 0x40, 0x80, 0xFF]


def test_an_inverted_bilevel_tiff_is_black_on_white(tmp_path):
    """PhotometricInterpretation 0 and 1 look the same on screen."""
    for name, photometric in (("white-is-zero", 0), ("black-is-zero", 1)):
        path = make_tiff(
            tmp_path / f"{name}.tif", [page_image(mode="1")], tiffinfo={262: photometric}
        )
        assert corners(only_page(path)) == "x..."


def test_g4_and_jpeg_compressed_tiffs_open(tmp_path):
    g4 = make_tiff(tmp_path / "g4.tif", [page_image(mode="1")], compression="group4")
    assert corners(only_page(g4)) == "x..."
    jpeg = make_tiff(tmp_path / "jpeg.tif", [page_image(mode="RGB")], compression="jpeg")
    assert corners(only_page(jpeg)) == "x..."


def test_transparent_parts_are_white(tmp_path):
    path = tmp_path / "page.png"
    path.write_bytes(encoded(Image.new("RGBA", SIZE, (0, 0, 0, 0)), "PNG"))
    assert set(only_page(path).data) == {255}


def test_a_colour_profile_is_applied(tmp_path):
    """Red in a profile with red and green exchanged is shown green."""
    profile = swapped_profile()
    path = tmp_path / "page.png"
    path.write_bytes(encoded(Image.new("RGB", SIZE, (200, 0, 0)), "PNG", icc_profile=profile))
    red, green, _ = pixel(only_page(path), 0.5, 0.5)
    assert green > 150 > red


def swapped_profile() -> bytes:
    """sRGB with the primaries of red and green exchanged."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = profile.replace(b"rXYZ", b"#XYZ").replace(b"gXYZ", b"rXYZ").replace(b"#XYZ", b"gXYZ")
    return swapped.replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be"))


def test_a_grey_scan_saved_in_colour_travels_as_grey(tmp_path):
    path = tmp_path / "page.png"
    path.write_bytes(encoded(page_image().convert("RGB"), "PNG"))
    assert only_page(path).channels == 1


def test_one_coloured_pixel_keeps_the_colour(tmp_path):
    image = page_image().convert("RGB")
    image.putpixel((101, 33), (255, 0, 0))
    path = tmp_path / "page.png"
    path.write_bytes(encoded(image, "PNG"))
    assert only_page(path).channels == 3


TURNED = {
    1: "x...", 2: ".x..", 3: "...x", 4: "..x.", 5: "x...", 6: ".x..", 7: "...x", 8: "..x.",
}  # fmt: skip
"""Where the dark corner comes to lie for each EXIF orientation."""


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_exif_orientation_is_honoured_at_every_size(tmp_path, form):
    for orientation in TURNED:
        exif = Image.Exif()
        exif[0x0112] = orientation
        data = encoded(page_image(), form, exif=exif)
        (tmp_path / f"{orientation}.{SUFFIXES[form]}").write_bytes(data)
    with Source.open([tmp_path]) as source:
        for page, (orientation, expected) in enumerate(TURNED.items()):
            upright = SIZE if orientation < 5 else SIZE[::-1]
            assert source.page_info(page).size[:2] == upright
            large, small = source.render(page), source.render(page, fit=(60, 60))
            assert corners(large) == corners(small) == expected, orientation
            assert (large.width_px, large.height_px) == upright
            assert (small.width_px, small.height_px) == tuple(side // 5 for side in upright)


def test_a_tiff_of_many_pages_is_a_book(tmp_path):
    pages = [page_image(n, size=(100 + n, 80)) for n in range(5)]
    path = make_tiff(tmp_path / "book.tif", pages, compression="tiff_lzw")
    with Source.open([path]) as source:
        assert (source.info.kind, source.info.page_count) == (SourceKind.TIFF, 5)
        for number in (4, 0, 2):
            raster = source.render(number)
            assert raster.width_px == 100 + number
            assert pixel(raster, 0.2, 0.2)[0] == 40 + number * 10


def test_a_big_tiff_and_one_of_the_other_byte_order_are_books(tmp_path):
    pages = [page_image(n) for n in range(3)]
    for name, options in (("big", {"big_tiff": True}), ("plain", {})):
        path = make_tiff(tmp_path / f"{name}.tif", pages, **options)
        with Source.open([path]) as source:
            assert [pixel(source.render(n), 0.2, 0.2)[0] for n in range(3)] == [40, 50, 60]
    motorola = b"MM\0*" + struct.pack(">I", 8) + directory(">", 0) + bytes([7, 9])
    path = tmp_path / "motorola.tif"
    path.write_bytes(motorola)
    assert list(only_page(path).data) == [7, 9]


def directory(order: str, following: int, *, subfile: int = 0, at: int = 8) -> bytes:
    """A TIFF directory of a grey image of 2 by 1 pixels, whose data lie right behind it."""
    entries = [
        (254, subfile),
        (256, 2),
        (257, 1),
        (258, 8),
        (259, 1),
        (262, 1),
        (273, 0),
        (278, 1),
        (279, 2),
    ]
    data_at = at + 2 + 12 * len(entries) + 4
    packed = b"".join(
        struct.pack(order + "HHII", tag, 4, 1, data_at if tag == 273 else value)
        for tag, value in entries
    )
    return struct.pack(order + "H", len(entries)) + packed + struct.pack(order + "I", following)


def test_reduced_copies_in_a_tiff_are_no_pages(tmp_path):
    length = len(directory("<", 0)) + 2
    page = directory("<", 8 + length) + bytes([7, 9])
    copy = directory("<", 0, subfile=1, at=8 + length) + bytes([1, 1])
    path = tmp_path / "scan.tif"
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + page + copy)
    assert list(only_page(path).data) == [7, 9]


def test_a_tiff_whose_pages_go_in_a_circle_ends(tmp_path):
    path = tmp_path / "circle.tif"
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + directory("<", 8) + bytes([7, 9]))
    assert list(only_page(path).data) == [7, 9]


def test_a_tiff_cut_off_between_pages_tells_of_the_lost_one(tmp_path):
    path = tmp_path / "cut.tif"
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + directory("<", 5000) + bytes([7, 9]))
    with Source.open([path]) as source:
        assert source.info.page_count == 2
        assert list(source.render(0).data) == [7, 9]
        with pytest.raises(SourceError) as raised:
            source.render(1)
        assert raised.value.code == "page_undecodable"


def test_pages_of_tiffs_in_a_folder_are_all_there(tmp_path):
    make_tiff(tmp_path / "a.tif", [page_image(0), page_image(1)])
    make_tiff(tmp_path / "b.tif", [page_image(2)])
    with Source.open([tmp_path]) as source:
        assert source.info.names == ("a.tif (1)", "a.tif (2)", "b.tif")
        assert [pixel(source.render(n), 0.2, 0.2)[0] for n in range(3)] == [40, 50, 60]


def test_fingerprints_tell_pages_apart_and_know_them_again(tmp_path):
    pages = [page_image(0), page_image(1), page_image(0)]
    make_tiff(tmp_path / "book.tif", pages, compression="tiff_lzw")
    make_folder(
        tmp_path / "a", {"1.png": encoded(pages[0], "PNG"), "2.png": encoded(pages[1], "PNG")}
    )
    make_folder(tmp_path / "b", {"7.png": encoded(pages[0], "PNG")})
    with Source.open([tmp_path / "book.tif"]) as tiff:
        first, second, third = (tiff.page_info(n).fingerprint for n in range(3))
    assert first == third != second
    with Source.open([tmp_path / "a"]) as a, Source.open([tmp_path / "b"]) as b:
        assert a.page_info(0).fingerprint == b.page_info(0).fingerprint
        assert a.page_info(0).fingerprint != a.page_info(1).fingerprint
        assert a.info.fingerprint != b.info.fingerprint


def test_a_moved_folder_keeps_its_fingerprint_and_a_changed_one_does_not(tmp_path):
    folder = make_folder(tmp_path / "old", {"1.png": encoded(page_image(), "PNG")})
    with Source.open([folder]) as source:
        before = source.info.fingerprint
    moved = folder.rename(tmp_path / "new")
    with Source.open([moved]) as source:
        assert source.info.fingerprint == before
    make_folder(moved, {"2.png": encoded(page_image(1), "PNG")})
    with Source.open([moved]) as source:
        assert source.info.fingerprint != before


def test_the_resolution_comes_from_the_file_where_it_can_be_true(tmp_path):
    for name, dpi, said in (("good.jpg", 300, 300), ("silly.jpg", 1, None)):
        path = tmp_path / name
        path.write_bytes(encoded(page_image(), dpi=(dpi, dpi)))
        with Source.open([path]) as source:
            assert source.page_info(0).size.dpi == said


def test_a_page_is_drawn_as_large_as_asked_and_never_enlarged(tmp_path):
    path = tmp_path / "page.jpg"
    path.write_bytes(encoded(page_image(size=(600, 900))))
    with Source.open([path]) as source:
        sizes = {
            (fit, scale): source.render(0, fit=fit, scale=scale)
            for fit, scale in (
                (None, 1.0),
                ((300, 300), 1.0),
                ((5000, 5000), 1.0),
                (None, 0.1),
                ((300, 300), 0.1),
            )
        }
    assert [(r.width_px, r.height_px) for r in sizes.values()] == [
        (600, 900), (200, 300), (600, 900), (60, 90), (60, 90),
    ]  # fmt: skip
    assert [r.scale for r in sizes.values()] == pytest.approx([1, 1 / 3, 1, 0.1, 0.1])
    assert all(corners(raster) == "x..." for raster in sizes.values())


def test_jpeg_2000_with_few_resolutions_is_drawn_small(tmp_path):
    path = tmp_path / "page.jp2"
    path.write_bytes(encoded(page_image(size=(600, 900)), "JPEG2000", num_resolutions=1))
    assert corners(only_page(path, fit=(60, 90))) == "x..."


def test_a_png_that_claims_to_be_huge_is_refused_before_it_is_decoded(tmp_path):
    """60,000 by 60,000 pixels in a few bytes; decoding would take gigabytes."""
    path = tmp_path / "bomb.png"
    path.write_bytes(png_of(60_000, 60_000))
    with Source.open([path]) as source, pytest.raises(SourceError) as raised:
        source.render(0, fit=(100, 100))
    assert raised.value.code == "page_too_large"
    assert raised.value.parameters["megapixels"] == 3600
    assert "3600 megapixels" in str(raised.value)


def test_the_pixel_limit_is_the_one_of_the_settings(tmp_path):
    path = tmp_path / "page.png"
    path.write_bytes(encoded(page_image(), "PNG"))
    with Source.open([path], limits=Limits(page_pixels=SIZE[0] * SIZE[1])) as source:
        source.render(0)
    with (
        Source.open([path], limits=Limits(page_pixels=SIZE[0] * SIZE[1] - 1)) as source,
        pytest.raises(SourceError, match="more than the limit"),
    ):
        source.render(0)


def png_of(width: int, height: int) -> bytes:
    """A PNG that claims this size; its data are a few bytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def without_height(form: str) -> bytes:
    """A small image of this format whose header says that it has no height."""
    data = bytearray(encoded(page_image(), form))
    height = SIZE[1]
    match form:
        case "JPEG":
            at, field = data.index(struct.pack(">HH", height, SIZE[0])), b"\0\0"
        case "TIFF":
            at, field = data.index(struct.pack("<HHII", 257, 4, 1, height)) + 8, bytes(4)
        case "BMP":
            at, field = 22, bytes(4)
        case _:
            at, field = data.index(struct.pack(">II", height, SIZE[0])), bytes(4)
    data[at : at + len(field)] = field
    return bytes(data)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "TIFF", "JPEG2000", "BMP"])
def test_an_image_of_no_height_is_refused_as_such(tmp_path, form):
    path = tmp_path / f"flat.{SUFFIXES[form]}"
    path.write_bytes(png_of(200, 0) if form == "PNG" else without_height(form))
    with Source.open([path]) as source, pytest.raises(SourceError) as raised:
        source.render(0)
    assert raised.value.code == "page_zero_size"


def test_an_image_that_ends_too_early_is_refused_whole(tmp_path):
    """Half a page must not pass for a page."""
    noise = Image.effect_noise((400, 400), 90)
    for form, suffix in SUFFIXES.items():
        data = encoded(noise, form, **({"compression": "tiff_lzw"} if form == "TIFF" else {}))
        (tmp_path / f"{form}.{suffix}").write_bytes(data[: len(data) * 2 // 3])
    (tmp_path / "whole.png").write_bytes(encoded(noise, "PNG"))
    with Source.open([tmp_path]) as source:
        *cut, whole = range(source.info.page_count)
        for page in cut:
            for fit in (None, (50, 50)):
                with pytest.raises(SourceError) as raised:
                    source.render(page, fit=fit)
                assert raised.value.code == "page_undecodable", source.info.names[page]
        assert source.render(whole).width_px == 400


def test_what_is_no_image_fails_alone(tmp_path):
    folder = make_folder(
        tmp_path / "book", {"1.jpg": b"no image", "2.jpg": encoded(page_image()), "3.jpg": b""}
    )
    with Source.open([folder]) as source:
        for page in (0, 2):
            with pytest.raises(SourceError, match="not an image of a known kind") as raised:
                source.page_info(page)
            assert raised.value.parameters["page"] == page + 1
        assert source.page_info(1).size[:2] == SIZE
