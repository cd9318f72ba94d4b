"""The part of the export dialog that chooses the font, the labels and the legend of a chart."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSettings
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFormLayout, QGroupBox, QHBoxLayout, QLineEdit

from meshgui.engine.basics.translation import tr
from meshgui.model.base.list_item import ListItem
from meshgui.model.charts.lettering import LegendPlace, Lettering
from meshgui.model.fields.field_schema import Limits
from meshgui.views.exporting.exportable import ChartLabels, Picture
from meshgui.views.forms.editors import NumberEditor, first_wrong
from meshgui.views.forms.number_box import number_text
from meshgui.views.style.fonts import TEXT_FAMILY, load_fonts
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.kept_place import keep, kept_or
from meshgui.views.widgets.list_popup import ListButton

_LEGENDS: Final[dict[LegendPlace, str]] = {
    "auto": tr("Beside the lines where it fits"),
    "beside": tr("Beside the lines"),
    "above": tr("Above the chart"),
    "none": tr("No legend"),
}
_POINTS: Final = Limits(whole=False, least=4, most=40)
_USUAL_POINTS: Final = 8.0


class LetteringBox(QGroupBox):
    """Font, size, legend, title and names of the axes; unticked, a chart stays as in the window."""

    def __init__(self, settings: QSettings, themes: ThemeManager) -> None:
        super().__init__(tr("Font, labels and legend"))
        self.setCheckable(True)
        self._settings, self._labels = settings, ChartLabels()
        load_fonts()
        self.font_name = ListButton(themes)
        self.font_name.setAccessibleName(tr("Font"))
        self.font_name.offer([ListItem(family, family) for family in QFontDatabase.families()])
        self.points = NumberEditor(_POINTS, themes)
        self.points.describe(tr("Size of the labels in points"), "")
        self.points.edited.connect(self.first_wrong)
        self.error_line = ErrorLine(themes)
        self.legend = ElidedCombo()
        for place, words in _LEGENDS.items():
            self.legend.addItem(words, place)
        self.title_text, self.x_text, self.y_text = (QLineEdit() for _ in range(3))
        self._arrange(themes)
        self._recall()
        self.toggled.connect(self.first_wrong)

    @property
    def lettering(self) -> Lettering | None:
        """The choices; None where the chart stays as it is."""
        if not (self.isEnabled() and self.isChecked()):
            return None
        return Lettering(
            self._family,
            self.points.number() or _USUAL_POINTS,
            self.legend.currentData(),
            self.title_text.text(),
            self.x_text.text(),
            self.y_text.text(),
        )

    def first_wrong(self) -> NumberEditor | None:
        """Mark a wrong size of the letters, and say what is expected."""
        words = tr("expected letters of {least} to {most} points")
        ends = {"least": number_text(_POINTS.least), "most": number_text(_POINTS.most)}
        return first_wrong(self.error_line, ((self.points, words.format(**ends)),))

    def follow(self, picture: Picture) -> None:
        """Offer the labels of a picture that is a chart; others have none."""
        self.setEnabled(picture.lettered is not None)
        labels = picture.labels
        if labels != self._labels:
            self._labels = labels
            for field, words in zip((self.title_text, self.x_text, self.y_text), labels, strict=True):
                field.setText(words)
        self.first_wrong()

    def keep(self) -> None:
        """Save the choices for the next picture; labels belong to one chart."""
        settings = self._settings
        keep(settings, "export/lettered", self.isChecked())
        keep(settings, "export/font", self._family)
        keep(settings, "export/points", self.points.number() or _USUAL_POINTS)
        keep(settings, "export/legend", self.legend.currentIndex())

    @property
    def _family(self) -> str:
        return str(next(iter(self.font_name.values()), TEXT_FAMILY))

    def _recall(self) -> None:
        settings = self._settings
        self.setChecked(kept_or(settings, "export/lettered", False))
        self.font_name.choose([kept_or(settings, "export/font", TEXT_FAMILY)])
        if not self.font_name.values():  # it is no longer on this machine
            self.font_name.choose([TEXT_FAMILY])
        points = kept_or(settings, "export/points", _USUAL_POINTS)
        self.points.set_value(points if _POINTS.hold(points) else _USUAL_POINTS)
        self.legend.setCurrentIndex(kept_or(settings, "export/legend", 0) % len(_LEGENDS))

    def _arrange(self, themes: ThemeManager) -> None:
        letters = QHBoxLayout()
        letters.addWidget(self.font_name, 1)
        letters.addWidget(self.points)
        letters.addWidget(label("pt", "muted"))  # untranslated: a unit
        form = QFormLayout()
        form.addRow(tr("Font"), letters)
        form.addRow(tr("Legend"), self.legend)
        form.addRow(tr("Title"), self.title_text)
        form.addRow(tr("Axis across"), self.x_text)
        form.addRow(tr("Axis upwards"), self.y_text)
        sizing = Sizing(themes, self).spacing(letters, 8)
        sizing.column(form, self.error_line, margins=(9, 9, 9, 9), spacing=8, on=self)
        sizing.call(form.setHorizontalSpacing, 16).call(form.setVerticalSpacing, 8)
