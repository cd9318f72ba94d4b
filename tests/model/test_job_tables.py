"""Numbers of the job tables keep their digits where they are short of room."""

import pytest

from meshgui.model.job_tables import three_digits


@pytest.mark.parametrize(
    ("length", "shown"),
    [
        (0.0, "0.00"),
        (0.6, "0.60"),
        (0.04, "0.04"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (99.96, "100"),
        (1234.5, "1234"),
    ],
)
def test_a_length_of_time_keeps_its_first_three_digits(length, shown):
    """No time is shown as 0 that is not, and none takes more letters than four or its whole units."""
    assert three_digits(length) == shown
