"""The camera of the 3D view: a turntable that keeps the up direction, its projection and its rays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import acos, cos, degrees, radians, sin, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

# Azimuth and elevation in degrees. From the front x runs to the right; from the top y runs upwards.
VIEWS: Final[dict[str, tuple[float, float]]] = {
    "home": (-58.0, 24.0),
    "top": (-90.0, 90.0),
    "front": (-90.0, 0.0),
    "side": (0.0, 0.0),
}

FROM_ABOVE: Final = 0.999
"""How straight down the camera must look for no part of a 2D mesh to hide another."""

_FIELD: Final = 26.0  # degrees of the field of view when looking askew
_STRAIGHT_FIELD: Final = 0.5  # and when looking along an axis, where nothing may be distorted
_ASKEW: Final = 18.0  # degrees off an axis at which the full field is reached


@dataclass(frozen=True, slots=True)
class Pose:
    """Azimuth and elevation in degrees, target, and the height of the view in units, `extent`."""

    azimuth: float
    elevation: float
    target: tuple[float, float, float]
    extent: float

    def turned(self, azimuth: float, elevation: float) -> Pose:
        """Turned by some degrees; the elevation stops at straight above and straight below."""
        return replace(
            self,
            azimuth=(self.azimuth + azimuth + 180.0) % 360.0 - 180.0,
            elevation=min(max(self.elevation + elevation, -90.0), 90.0),
        )

    def moved(self, right: float, up: float) -> Pose:
        """Moved within the picture, in units of its height."""
        camera = Camera(self, 1.0)
        x, y, z = np.array(self.target) + (right * camera.right + up * camera.up) * self.extent
        return replace(self, target=(float(x), float(y), float(z)))

    def zoomed(self, factor: float, right: float = 0.0, up: float = 0.0) -> Pose:
        """Zoomed in by a factor, towards a point of the picture (from its middle, in units of its height)."""
        share = 1.0 - 1.0 / factor
        return replace(self.moved(right * share, up * share), extent=self.extent / factor)


Viewpoint = tuple[str | None, Pose]
"""A pose, and the name of the view if it is one, which is fitted to the picture."""


class Camera:
    """A pose with the picture's shape: matrices, projected points, rays."""

    def __init__(self, pose: Pose, aspect: float, reach: float = 100.0) -> None:
        """`reach` is how far from the target anything can lie."""
        self.pose = pose
        self.aspect = aspect
        azimuth, elevation = radians(pose.azimuth), radians(pose.elevation)
        ca, sa, ce, se = cos(azimuth), sin(azimuth), cos(elevation), sin(elevation)
        self.back: Vector = np.array([ce * ca, ce * sa, se])  # from the target to the eye
        self.right: Vector = np.array([-sa, ca, 0.0])
        self.up: Vector = np.array([-se * ca, -se * sa, ce])
        half = tan(radians(self.field) / 2.0)
        self.distance = pose.extent / 2.0 / half
        self.eye: Vector = np.array(pose.target) + self.back * self.distance
        near = max(self.distance - reach, self.distance * 0.02)
        far = self.distance + reach
        self.depths = (near, far)
        view = np.eye(4)
        view[:3, :3] = self.right, self.up, self.back
        view[:3, 3] = -view[:3, :3] @ self.eye
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = 1.0 / (half * aspect), 1.0 / half
        lens[2, 2], lens[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
        lens[3, 2] = -1.0
        self.matrix: Matrix = lens @ view
        self._onto = self.matrix[[0, 1, 3], :3]  # all that a point of the picture takes
        self._beside = self.matrix[[0, 1, 3], 3:]

    @property
    def field(self) -> float:
        """The field of view in degrees: flat when looking along an axis, so that cells stay square."""
        off = degrees(acos(min(float(np.abs(self.back).max()), 1.0)))
        share = min(off / _ASKEW, 1.0)
        return _STRAIGHT_FIELD + (_FIELD - _STRAIGHT_FIELD) * share * share * (3.0 - 2.0 * share)

    def project(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Points `[n, 3]` in the picture: x and y from -1 to 1, and the depth along the eye's line."""
        seen: NDArray[np.float64] = self._onto @ points.T  # rows of one kind are worked on at once
        seen += self._beside
        seen[:2] /= np.maximum(seen[2], 1e-9)
        return seen.T

    def ray(self, x: float, y: float) -> tuple[Vector, Vector]:
        """The start of the ray through a point of the picture, and its direction."""
        return self.eye, self.ways(np.array([[x, y]]))[0]

    def ways(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """The directions from the eye through points `[n, 2]` of the picture."""
        half = self.pose.extent / 2.0
        onto = np.array(self.pose.target) - self.eye
        onto = onto + points * (half * self.aspect, half) @ np.array([self.right, self.up])
        ways: NDArray[np.float64] = onto / np.sqrt((onto * onto).sum(axis=1, keepdims=True))
        return ways


def fitted(
    azimuth: float,
    elevation: float,
    size: tuple[float, float, float],
    aspect: float,
    margins: tuple[float, float] = (0.12, 0.12),
) -> Pose:
    """The pose from that side at which a box `0..size` fills the picture but for margins (shares of it)."""
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * np.array(size)
    middle = np.array(size) / 2.0
    pose = Pose(azimuth, elevation, (middle[0], middle[1], middle[2]), 2.0 * float(np.linalg.norm(size)))
    for _ in range(6):  # the perspective changes with the distance, so close in on it
        seen = Camera(pose, aspect).project(corners)[:, :2]
        low, high = seen.min(axis=0), seen.max(axis=0)
        centre, reach = (low + high) / 2.0, (high - low) / 2.0
        fill = max(reach[0] / (1.0 - 2 * margins[0]), reach[1] / (1.0 - 2 * margins[1]), 1e-6)
        pose = replace(
            pose.moved(centre[0] * aspect / 2.0, centre[1] / 2.0), extent=pose.extent * float(fill)
        )
    return pose


def in_between(start: Pose, end: Pose, share: float) -> Pose:
    """A pose on the way from one to another, turning the short way round."""
    turn = (end.azimuth - start.azimuth + 180.0) % 360.0 - 180.0
    x, y, z = (a + (b - a) * share for a, b in zip(start.target, end.target, strict=True))
    return Pose(
        start.azimuth + turn * share,
        start.elevation + (end.elevation - start.elevation) * share,
        (x, y, z),
        start.extent * (end.extent / start.extent) ** share,
    )
