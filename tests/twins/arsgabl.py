"""The twin of GABL over all request shapes: GABL's, which looks at every shape for the whole request."""

from tests.twins.base import MAPPINGS, Twin
from tests.twins.gabl import Greedy

__all__ = ["TWINS"]


class AllShapes(Greedy):
    """The same with every shape."""

    shapes = True


TWINS = {"arsgabl": Twin(AllShapes, MAPPINGS)}
