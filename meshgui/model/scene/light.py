"""How bright the faces of boxes are, and how far those far away fade into the ground."""

from __future__ import annotations

from typing import Final

import numpy as np

from meshgui.model.scene.camera import Camera, Vector
from meshgui.model.scene.space import Space

AMBIENT: Final = 0.76
"""The brightness of a face that the key light does not reach."""

KEY: Final = 0.31
"""What a face is brighter that the key light falls on straight."""

KEY_STANDS: Final = (0.35, 0.55)
"""Where the key light stands: right of the eye, and above it."""

HAZE: Final = 0.22
"""What the farthest faces have of the ground's colour."""


class Light:
    """Soft light from everywhere, and a key light that goes with the eye and shows true colours."""

    def __init__(self, camera: Camera, space: Space) -> None:
        towards = camera.back + KEY_STANDS[0] * camera.right + KEY_STANDS[1] * camera.up
        self.direction: Vector = towards / np.linalg.norm(towards)
        corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * np.array(space.size)
        depths = camera.project(corners)[:, 2]
        self.depths = float(depths.min()), float(depths.max())
        """Where the haze begins and ends."""
        self.haze = 0.0 if space.mesh.dims == 2 else HAZE

    def brightness(self, axis: int, *, upper: bool) -> float:
        """How bright a face across an axis is, of the two the upper or the lower: at most 1."""
        towards = float(self.direction[axis]) * (1 if upper else -1)
        return min(1.0, AMBIENT + KEY * max(towards, 0.0))

    def faded(self, depths: Vector) -> Vector:
        """The share of the ground's colour in faces at these depths."""
        near, far = self.depths
        faded: Vector = self.haze * np.clip((depths - near) / max(far - near, 1e-9), 0.0, 1.0)
        return faded
