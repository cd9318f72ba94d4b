"""Laws that times are drawn from, as a scenario states them."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from meshgui.engine.basics.parts import NotNegative, Part, Positive, at
from meshgui.engine.basics.translation import tr


class ExponentialService(Part):
    """Exponential service times."""

    kind: Literal["exponential"] = "exponential"
    mean: Positive = 1.0


class UniformService(Part):
    """Uniform service times."""

    kind: Literal["uniform"]
    low: NotNegative
    high: Positive

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.high < self.low:
            said = tr("expected at least low ({low:g}), got {high:g}")
            raise at(".high", said.format(low=self.low, high=self.high))
        return self


class BoundedParetoService(Part):
    """Heavy-tailed service times between k and q (Bani-Mohammad 2008, equation 5.1)."""

    kind: Literal["bounded-pareto"]
    k: Positive = 15.0
    q: Positive = 4241.0
    alpha: Positive = 1.0

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.q <= self.k:
            raise at(".q", tr("expected more than k ({k:g}), got {q:g}").format(k=self.k, q=self.q))
        return self


class ConstantService(Part):
    """The same service time for every job."""

    kind: Literal["constant"]
    value: Positive = 1.0
