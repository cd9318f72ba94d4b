"""A sentence with links, and ids behind names in the quiet colour."""

from meshgui.engine.basics.sentences import compose, job_name
from meshgui.model.base.named import named
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.views.widgets.linked_label import LinkedLabel


def test_an_id_behind_a_name_is_quiet_and_a_job_is_a_link(themes, qtbot):
    """As wherever a strategy is named; what is between angle brackets is no markup."""
    selection = Selection()
    label = LinkedLabel(themes, Links(selection))
    qtbot.addWidget(label)
    names = {"job": job_name(3), "one": named("A <b> list", "tbl")}
    label.say([compose("At last {job} starts with {one}.", names)])
    quiet = themes.theme.colour("muted").name()
    assert f'A &lt;b&gt; list\N{EN SPACE}<span style="color:{quiet}">tbl</span>.' in label.text()
    label.linkActivated.emit("0")
    assert selection.job == 3
