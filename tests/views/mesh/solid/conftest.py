"""What the 3D view sends to the graphics card."""

import pytest

from meshgui.views.mesh.solid.batches import Batch


@pytest.fixture
def uploads(monkeypatch):
    """Each upload as the number of instances and the numbers of one."""
    found, fill = [], Batch.fill

    def noted(batch, rows):
        found.append(rows.shape)
        fill(batch, rows)

    monkeypatch.setattr(Batch, "fill", noted)
    return found
