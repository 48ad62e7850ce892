"""What docs/how-to/scale.md says that the samples send is what their programs do."""

import pytest

from samples.parallel import plan
from tests.support.tree import ROOT


@pytest.mark.parametrize("count", [8, pytest.param(512, marks=pytest.mark.slow)])
def test_the_table_is_up_to_date(count):
    text = (ROOT / "docs/how-to/scale.md").read_text(encoding="utf-8")
    for line in plan.table([count]):
        assert line in text, "write what python -m samples.parallel.plan prints into the page"
