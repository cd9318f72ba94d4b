"""What the window shows at a step of a lesson: the block `moment` of the file; see the manual."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    FailFast,
    Field,
    Tag,
    ValidationError,
    model_validator,
)

from meshgui.engine.basics.limits import MAX_PAGE_PICTURES
from meshgui.engine.basics.parts import (
    DRAWN,
    LISTED,
    Complaint,
    FieldPath,
    Flag,
    NotNegative,
    Part,
    Text,
    at,
    complaints_of,
    printable,
)
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import shortened
from meshgui.engine.scenario import Scenario
from meshgui.experiment.fields import FieldAxis, axis_from
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.model.base.limits import MAX_FAULTS
from meshgui.model.document.arrangement import Panel, panel_now
from meshgui.model.document.arrangement_reader import read_arrangement
from meshgui.model.document.window_moment import MOST_ZOOM
from meshgui.model.lessons.lesson_prediction import NumberSource, Prediction

Count = Annotated[int, Field(ge=0, strict=True)]
Number = Annotated[float, Field(allow_inf_nan=False, strict=True)]


def _arrangement(data: object) -> dict[str, Any]:
    """The arrangement in JSON, also of a file of an older version."""
    read = read_arrangement(data)
    if read.arrangement is not None and read.whole:
        return data if isinstance(data, dict) else read.arrangement.as_data()
    raise ValueError(tr("expected an arrangement of panels, as the window saves it under view"))


class MomentSelection(Part):
    """What is selected."""

    job: Count | None = None
    packet: Count | None = None
    channel: Count | None = None
    span: tuple[NotNegative, NotNegative] | None = None


class MomentCamera(Part):
    """How the mesh is looked at: a view or pose of the solid one, a zoom of the flat one, and its layers."""

    flat: Flag | None = None
    view: Literal["home", "top", "front", "side"] | None = None
    pose: Annotated[tuple[Number, ...], Field(min_length=6, max_length=6)] | None = None
    """Azimuth and elevation in degrees, what is in the middle (x, y, z), and how much is in sight."""
    zoom: Annotated[float, Field(gt=1, le=MOST_ZOOM, allow_inf_nan=False, strict=True)] | None = None
    offset: Annotated[tuple[Number, ...], Field(min_length=2, max_length=2)] | None = None
    explode: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)] | None = None
    network: Flag | None = None
    use: Flag | None = None
    cut: Annotated[tuple[Count, ...], Field(min_length=3, max_length=3)] | None = None
    """The axis (0 for x), the first and the last layer that are shown."""

    @model_validator(mode="after")
    def _somewhere(self) -> MomentCamera:
        if self.pose is not None and not (abs(self.pose[1]) <= 90 and self.pose[5] > 0):
            raise at("pose", tr("expected an elevation from -90 to 90, and a visible height above 0"))
        if (self.zoom is None) != (self.offset is None):
            raise ValueError(tr("expected zoom and offset together"))
        return self


class DrawnMoment(Part):
    """A moment of which the program draws the mesh, for the text of a step: `![…](moment:1)` is the first."""

    scenario: Text | dict[str, Any] | None = None
    """Left out: that of the step."""
    strategy: Text | None = None
    """The same jobs with another strategy."""
    fields: dict[str, Any] | None = None
    time: NotNegative = 0.0
    events: Count | None = None
    step: Annotated[int, Field(ge=1, strict=True)] | None = None

    def view(self) -> dict[str, Any]:
        """The place, as a file has it under `view`."""
        return self.model_dump(mode="json", include={"time", "events", "step"}, exclude_none=True)


class LessonExperiment(Part):
    """An experiment to be opened from a step, with its rows filled in."""

    vary: dict[Text, Text]
    """The values of each field that is varied, as `meshgui sweep --vary` reads them: `1, 2` or `1..5/2`."""
    target: Target = Target()

    def axes(self) -> tuple[FieldAxis, ...]:
        """The varied fields; FieldError where one is not valid."""
        return tuple(axis_from(f"{key}={values}") for key, values in self.vary.items())

    def of(self, scenario: Scenario) -> Experiment:
        """The experiment with a scenario; FieldError where a point of it is not valid."""
        return experiment_of(scenario, self.axes(), self.target)


def _few_figures(given: Any) -> Any:  # noqa: ANN401 - before it is checked
    """Refuse more numbers than a step states: each that is wrong would be named."""
    if isinstance(given, Mapping) and len(given) > MAX_FAULTS:
        said = tr("expected at most {MAX_FAULTS} numbers, got {count}")
        raise ValueError(said.format(MAX_FAULTS=MAX_FAULTS, count=len(given)))
    return given


FigureSource = Annotated[
    Annotated[NumberSource, Tag(DRAWN)] | Annotated[Text, Tag(LISTED)],
    Discriminator(lambda given: LISTED if isinstance(given, str) else DRAWN),
]
"""A figure of a run, or a calculation; with the tags that no path of a complaint shows."""


class LessonMoment(Part):
    """What the window shows at a step. Times, selection and camera are those of a scenario's `view`."""

    scenario: Text | dict[str, Any] | None = None
    """A ready scenario's name, a file beside the lesson, or the scenario itself; else as before."""
    strategy: Text | None = None
    """Run the same jobs with another strategy."""
    fields: dict[str, Any] | None = None
    """Set fields of the scenario by path, such as `scheduler.name`; `{}` sets none any more."""
    time: NotNegative | None = None
    events: Count | None = None
    attempt: Count | None = None
    release: bool | None = None
    step: Annotated[int, Field(ge=1, strict=True)] | None = None
    selection: MomentSelection | None = None
    camera: MomentCamera | None = None
    panels: Annotated[dict[str, Any], BeforeValidator(_arrangement)] | None = None
    breakpoints: Annotated[tuple[dict[str, Any], ...], FailFast()] = ()
    highlight: Annotated[tuple[Annotated[Panel, BeforeValidator(panel_now)], ...], FailFast()] = ()
    """Panels to bring to the front."""
    predict: Prediction | None = None
    figures: Annotated[Mapping[Text, FigureSource], BeforeValidator(_few_figures)] = Field(
        default_factory=dict
    )
    """Where each number comes from that the text, the question or the explanation states."""
    experiment: LessonExperiment | None = None
    pictures: Annotated[tuple[DrawnMoment, ...], Field(max_length=MAX_PAGE_PICTURES)] = ()

    def view(self) -> dict[str, Any]:
        """The part of it that the `view` of a scenario file has, too."""
        own = {"scenario", "strategy", "fields", "highlight", "predict", "figures", "experiment", "pictures"}
        data = self.model_dump(mode="json", exclude=own, exclude_none=True)
        data["breakpoints"] = [{**each} for each in self.breakpoints]
        return {key: value for key, value in data.items() if value or value == 0}


def read_moment(data: dict[str, Any]) -> tuple[LessonMoment | None, list[Complaint]]:
    """A moment from JSON, and all that is wrong with it.

    Keys that are not known hide what else is wrong in their object: they are taken out, all at once, and the
    rest is read again.
    """
    unknown: list[Complaint] = []
    while True:
        try:
            moment = LessonMoment.model_validate(data)
        except ValidationError as error:
            complaints = list(complaints_of(error, data))
            found = [complaint for complaint in complaints if complaint.unknown]
            if not found:
                return None, unknown + complaints
            for complaint in found:
                unknown += _one_by_one(complaint)
                data = _without(data, complaint.path[:-1], {*complaint.unknown})
        else:
            return None if unknown else moment, unknown


def _one_by_one(complaint: Complaint) -> Iterator[Complaint]:
    """A complaint about each of an object's unknown keys, as far as anyone reads on."""
    inside = complaint.path[:-1]
    for key in complaint.unknown[:MAX_FAULTS]:
        yield complaint._replace(path=(*inside, printable(shortened(key))))
    if others := complaint.unknown[MAX_FAULTS:]:
        message = tr_n(
            "{number} key from here on is unknown", "{number} keys from here on are unknown", len(others)
        )
        yield Complaint((*inside, printable(shortened(others[0]))), message)


def _without(data: Any, path: FieldPath, keys: Collection[str]) -> Any:  # noqa: ANN401 - any JSON value
    """The same data without some keys of the object at a path."""
    if not path:
        return {name: value for name, value in data.items() if name not in keys}
    key, *inside = path
    if isinstance(data, list):
        return [
            _without(value, tuple(inside), keys) if place == key else value
            for place, value in enumerate(data)
        ]
    return {
        name: _without(value, tuple(inside), keys) if name == key else value for name, value in data.items()
    }


def lesson_schema() -> dict[str, Any]:
    """The JSON Schema of the block `moment` of a step."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **LessonMoment.model_json_schema()}
