"""Last Fit: the free box that comes last in scan order, in plain Python."""

from meshgui.api import Box, Line, Role, Source, Strategy, region

TRY, FOUND, FAIL = range(3)  # the lines, by their place


class LastFit(Strategy):
    """The last free box in scan order."""

    id = "last"
    title = "Last Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("our course", "lecture 3")
    lines = (
        Line("try", "for each box, from the far corner back:", says="Is {box} free?"),
        Line("found", "if it is free: allocate it", 1, decision=True, says="{box} is free."),
        Line("fail", "fail", decision=True, says="No free box is left."),
    )

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()  # who holds each processor, [z, y, x], -1 for nobody

    def allocate(self, request, log=None):
        w, d, h = self.mesh.extents
        a, b, c = request.size
        for z in range(h - c, -1, -1):
            for y in range(d - b, -1, -1):
                for x in range(w - a, -1, -1):
                    box = Box(x, y, z, a, b, c)
                    self.operations += 1
                    if log is not None:
                        log.note(TRY, Role.TRIED, box)
                    if (region(self.held, box) == -1).all():
                        region(self.held, box)[:] = request.job
                        if log is not None:
                            log.note(FOUND, Role.PLACED, box)
                        return (box,)
        if log is not None:
            log.note(FAIL, Role.NOTHING, Box(0, 0, 0, 0, 0, 0))
        return None

    def release(self, job):
        self.held[self.held == job] = -1

    def capture(self):
        return {"held": self.held.copy()}

    def restore(self, state):
        self.held[:] = state["held"]
