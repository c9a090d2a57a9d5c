"""Where everything stands on the scans, as the element `facsimile` of TEI has it.

Each page is a surface `f12`, each region a zone `f12r3` on it, each line `f12r3l5`; their `subtype`
says whether the place was measured or computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from app.export.layout import LaidPage
from app.export.markup import element, empty
from model.api import Box


class Places:
    """The surfaces of a file, and the names of all zones on them."""

    def __init__(self) -> None:
        self.surfaces: list[str] = []
        self._names: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, page: LaidPage) -> None:
        """Add a page's surface with its zones."""
        zones = list(_zones(page))
        self._names.update(name for name, _element in zones)
        width, height = page.size.width_px, page.size.height_px
        image = {
            "url": quote(page.image_name, safe="/#="),
            "width": f"{width}px",
            "height": f"{height}px",
        }
        given = {
            "xml:id": f"f{page.page.number + 1}",
            "n": str(page.page.number + 1),
            "ulx": "0",
            "uly": "0",
            "lrx": str(width),
            "lry": str(height),
        }
        content = "".join(f"{each}\n" for _name, each in zones)
        self.surfaces.append(
            element("surface", f"{empty('graphic', image)}\n{content}", given) + "\n"
        )


def _zones(page: LaidPage) -> Iterator[tuple[str, str]]:
    """The regions of a page and their lines, each with the name of its place."""
    for number, region in enumerate(page.regions, 1):
        name = f"f{page.page.number + 1}r{number}"
        yield name, _zone(name, region.box, region.kind.value, region.origin)
        lines = () if region.cells else region.lines
        for count, line in enumerate(lines, 1):
            yield f"{name}l{count}", _zone(f"{name}l{count}", line.box, "line", line.origin)


def _zone(name: str, box: Box, kind: str, origin: str) -> str:
    given = {
        "xml:id": name,
        "type": kind,
        "subtype": origin,
        "ulx": f"{box.left:.0f}",
        "uly": f"{box.top:.0f}",
        "lrx": f"{box.right:.0f}",
        "lry": f"{box.bottom:.0f}",
    }
    return empty("zone", given)
