"""The controls of the settings dialog: each shows one value and tells when a person changed it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.language import _
from ui.dialogs import begin_like_a_line
from ui.labels import QuietLabel
from ui.theme import Space


class Control(QWidget):
    """What all have in common; `changed` is silent while a value is only shown."""

    changed = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.S)
        self.setAccessibleName(name)

    def _put(self, widget: QWidget, *, stretch: int = 0) -> None:
        widget.setAccessibleName(self.accessibleName())
        self._row.addWidget(widget, stretch)
        if self.focusProxy() is None:
            self.setFocusProxy(widget)

    def show_value(self, value: object) -> None:
        """Show a value without telling of it."""
        raise TypeError(value)


class Choice(Control):
    """One of a few."""

    def __init__(self, name: str, choices: Sequence[tuple[object, str]]) -> None:
        super().__init__(name)
        self.box = QComboBox()
        self._values = [value for value, _text in choices]
        for _value, text in choices:
            self.box.addItem(text)
        self._put(self.box)
        self._row.addStretch()
        self.box.activated.connect(lambda at: self.changed.emit(self._values[at]))

    def show_value(self, value: object) -> None:
        """A value that is not among the choices leaves none marked."""
        self.box.setCurrentIndex(self._values.index(value) if value in self._values else -1)


class Switch(Control):
    """Yes or no."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name)
        self.box = QCheckBox(text)
        self._put(self.box)
        self._row.addStretch()
        self.box.clicked.connect(lambda is_on: self.changed.emit(is_on))

    def show_value(self, value: object) -> None:
        """On or off."""
        self.box.setChecked(bool(value))


class Number(Control):
    """A whole number with its unit; `scale` of them make one of what is kept."""

    def __init__(
        self,
        name: str,
        *,
        lowest: int,
        highest: int,
        step: int,
        unit: str,
        scale: float = 1,
        none_text: str = "",
    ) -> None:
        super().__init__(name)
        self._scale = scale
        self._is_optional = bool(none_text)
        self.box = QSpinBox(minimum=lowest, maximum=highest, singleStep=step, suffix=unit)
        begin_like_a_line(self.box)
        self.box.setSpecialValueText(none_text)  # shown at the lowest value
        self.box.setKeyboardTracking(False)
        self._put(self.box)
        self._row.addStretch()
        self.box.valueChanged.connect(self._on_value)

    def show_value(self, value: object) -> None:
        """None is shown as the lowest value, in words."""
        self.box.blockSignals(True)
        number = self.box.minimum() if value is None else round(float(str(value)) * self._scale)
        self.box.setValue(number)
        self.box.blockSignals(False)

    def _on_value(self, number: int) -> None:
        if self._is_optional and number == self.box.minimum():
            self.changed.emit(None)
            return
        kept = number / self._scale
        self.changed.emit(int(kept) if kept == int(kept) else kept)


class Text(Control):
    """A line of text, told when it is finished."""

    def __init__(self, name: str, *, empty: str) -> None:
        super().__init__(name)
        self.line = QLineEdit()
        self.line.setPlaceholderText(empty)
        self._put(self.line, stretch=1)
        self.line.editingFinished.connect(lambda: self.changed.emit(self.line.text().strip()))

    def show_value(self, value: object) -> None:
        """The text as it is kept."""
        if self.line.text().strip() != value:
            self.line.setText(str(value))


class Folder(Control):
    """A folder, chosen or typed; a sentence below says what is wrong with it."""

    def __init__(self, name: str, *, empty: str, lack: Callable[[Path], str]) -> None:
        super().__init__(name)
        self._lack = lack
        self.line = QLineEdit()
        self.line.setPlaceholderText(empty)
        self.line.setClearButtonEnabled(True)
        self.choose = QPushButton(_("Choose…"))
        self.choose.setAutoDefault(False)
        self.message = QuietLabel(wraps=True)
        grid = QGridLayout()
        grid.setSpacing(Space.XS)
        grid.addWidget(self.line, 0, 0)
        grid.addWidget(self.choose, 0, 1)
        grid.addWidget(self.message, 1, 0, 1, 2)
        self._row.addLayout(grid, 1)
        self.line.setAccessibleName(name)
        self.choose.setAccessibleName(_("Choose: {name}").format(name=name))
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self._on_typed)
        self.line.textChanged.connect(lambda text: None if text else self._on_typed())
        self.choose.clicked.connect(self._on_choose)

    def show_value(self, value: object) -> None:
        """The folder, and what it lacks."""
        if self._path() != value:
            self.line.blockSignals(True)
            self.line.setText("" if value is None else str(value))
            self.line.blockSignals(False)
        self._judge()

    def _path(self) -> Path | None:
        text = self.line.text().strip()
        return Path(text).expanduser() if text else None

    def _judge(self) -> None:
        path = self._path()
        said = self._lack(path) if path else ""
        fine = _("It looks complete; it is checked when it is loaded.") if path else ""
        self.message.show_text(said or fine, warns=bool(said))
        self.message.setVisible(bool(said or fine))

    def _on_typed(self) -> None:
        self._judge()
        self.changed.emit(self._path())

    def _on_choose(self) -> None:
        path = QFileDialog.getExistingDirectory(self, self.accessibleName(), self.line.text())
        if path:
            self.line.setText(path)
            self._on_typed()
