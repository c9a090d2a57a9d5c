"""What a person is about to do to a page, before it is applied. Pure values and words."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from app.book import Box, Page, PageSize
from app.language import N_, _
from app.prepare.page_map import PageMap
from app.prepare.treatment import SURE, Fold, Side, Step, Treatment
from ui.prepare_handles import Handles

STEP_NAMES: dict[Step, str] = {
    "split": N_("split in two"),
    "turn": N_("turn"),
    "deskew": N_("straighten"),
    "crop": N_("cut to the paper"),
    "content": N_("only the print"),
    "dewarp": N_("level curved lines"),
    "light": N_("even out the light"),
}


@dataclass(frozen=True)
class Draft:
    """One page with the treatment that it would get."""

    page: Page
    size: PageSize  # of the master
    treatment: Treatment

    @property
    def is_proposed(self) -> bool:
        """Whether it is what was found, unchanged."""
        proposal = self.page.proposal
        return proposal is not None and self.treatment == proposed(self.page)

    @property
    def changes(self) -> dict[str, Any]:
        """What differs from what is done to the page now."""
        now = self.page.treatment
        pairs = {each.name: getattr(self.treatment, each.name) for each in fields(Treatment)}
        return {name: value for name, value in pairs.items() if value != getattr(now, name)}

    @property
    def on_canvas(self) -> Treatment:
        """How the image stands under the handles: upright and straight, nothing cut off."""
        if self.is_spread:
            return Treatment(quarters=self.treatment.quarters)
        return geometry_of(self.treatment)

    @property
    def is_spread(self) -> bool:
        """Whether it becomes two pages."""
        return self.treatment.fold is not None and self.treatment.side is Side.WHOLE

    @property
    def canvas_frame(self) -> Box:
        """What the image under the handles shows."""
        return PageMap(self.size, self.on_canvas).frame

    @property
    def own_frame(self) -> Box:
        """The page with nothing cut off, without the one beyond its fold."""
        return PageMap(self.size, geometry_of(self.treatment)).frame

    @property
    def handles(self) -> Handles:
        """The lines over its image."""
        height = float(PageMap(self.size, self.on_canvas).turned_size[1])
        if self.is_spread:
            return Handles(fold=self.treatment.fold, height=height)
        return Handles(self.treatment.crop, self.treatment.content, height=height)

    def moved(self, handles: Handles) -> Draft:
        """With lines where they were moved to."""
        if self.is_spread:
            return self.with_(fold=handles.fold)
        return self.with_(crop=handles.crop, content=handles.content)

    def turned(self, quarters: int) -> Draft:
        """Turned clockwise by right angles; what was drawn on the page before does not fit."""
        turned = (self.treatment.quarters + quarters) % 4
        none: dict[str, Any] = {"fold": None, "crop": None, "content": None, "curve": None}
        if self.treatment.side is not Side.WHOLE:
            return self
        return self.with_(quarters=turned, skew_degrees=0.0, **none)

    def with_fold(self, *, is_on: bool) -> Draft:
        """Split in the middle to begin with, or not."""
        middle = PageMap(self.size, self.on_canvas).turned_size[0] / 2
        return self.with_(fold=Fold(middle, middle) if is_on else None)

    def with_crop(self, *, is_on: bool) -> Draft:
        """Cut where the proposal has it, else at the edges of the image."""
        return self.with_(crop=self._found("crop") or self.own_frame if is_on else None)

    def with_content(self, *, is_on: bool) -> Draft:
        """Only the print: where the proposal has it, else a little within the paper."""
        start = self._found("content") or _within(self.treatment.crop or self.own_frame)
        return self.with_(content=start if is_on else None)

    def with_curve(self, *, is_on: bool) -> Draft:
        """Level what was found to be curved."""
        return self.with_(curve=self._found("curve") if is_on else None)

    @property
    def has_curve(self) -> bool:
        """Whether curved lines were found, so that they can be levelled."""
        return self._found("curve") is not None

    def with_(self, **changes: Any) -> Draft:  # noqa: ANN401 - fields of Treatment
        """With other values of some fields."""
        return replace(self, treatment=replace(self.treatment, **changes))

    def _found(self, name: str) -> Any:  # noqa: ANN401 - a field of Treatment
        now = getattr(self.page.treatment, name)
        proposal = self.page.proposal
        found = getattr(proposal.treatment, name) if proposal is not None else None
        return now if now is not None else found


def geometry_of(treatment: Treatment) -> Treatment:
    """Upright, straight, and only the one side of a spread; all else left out."""
    return Treatment(
        quarters=treatment.quarters,
        fold=treatment.fold,
        side=treatment.side,
        skew_degrees=treatment.skew_degrees,
    )


def proposed(page: Page) -> Treatment:
    """What is proposed for a page, as it is drawn: a spread still whole, with its fold."""
    proposal = page.proposal
    if proposal is None:
        return page.treatment
    found = proposal.treatment
    if proposal.second is None:
        return replace(
            found,
            even_light=found.even_light or page.treatment.even_light,
            despeckle=page.treatment.despeckle,
            show_through=page.treatment.show_through,
            binarise=page.treatment.binarise,
            reads_binary=page.treatment.reads_binary,
        )
    return replace(page.treatment, quarters=found.quarters, fold=found.fold)


def proposal_words(page: Page) -> str:
    """What is proposed for a page in one line, what is doubtful marked so."""
    if page.proposal is None:
        return ""
    return ", ".join(_step_words(step, sure) for step, sure in page.proposal.confidence)


def _step_words(step: Step, sure: float) -> str:
    name = _(STEP_NAMES[step])
    return name if sure >= SURE else _("{step} (look)").format(step=name)


def _within(box: Box) -> Box:
    air_x, air_y = box.width * 0.06, box.height * 0.06
    return Box(box.left + air_x, box.top + air_y, box.right - air_x, box.bottom - air_y)
