"""The twin of GABL over all request shapes: GABL's, told to look at every shape for the whole request."""

from tests.twins.base import Twin
from tests.twins.gabl import Greedy

__all__ = ["TWINS"]

TWINS = {
    "arsgabl": Twin(
        lambda extents, flat, options: Greedy(extents, flat, options, shapes=True),
        ({}, {"mapping": "row-major"}),
    ),
}
