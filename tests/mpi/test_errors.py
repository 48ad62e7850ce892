"""The examples of errors of several processes in docs/errors.md; see `tests/documents/test_errors`.

``UPDATE_DOCUMENTS=1`` writes their messages.
"""

import os
import re

import pytest

from tests.documents.test_errors import PROCESSES, update
from tests.mpi.launch import launch
from tests.support.documents import sections

EXAMPLES = {title[:6]: blocks for title, blocks in sections("docs/errors.md").items()}
SHOWN = re.compile(r"^autograph\.errors\.\w+: \[.*?^  Fix: [^\n]*$", re.MULTILINE | re.DOTALL)


def run(program, folder):
    (folder / "example.py").write_text(program, encoding="utf-8")
    return launch(2, "example.py", folder=folder)


@pytest.mark.parametrize("id", sorted(PROCESSES))
def test_the_example_raises_the_error(id, tmp_path):
    (_, program), (_, message), _ = EXAMPLES[id]
    outcome = run(program, tmp_path)
    assert outcome.code != 0
    (*_, shown) = SHOWN.findall(outcome.errors.replace(f"{tmp_path}/", ""))
    kind = "MeshError" if id == "AG0648" else "CollectiveError"
    assert shown.startswith(f"autograph.errors.{kind}: [{id}]")
    if id == "AG0669":  # both fail, and either may be the first to say so
        shown = re.sub(r"^  rank \d", "  rank 0", shown, flags=re.MULTILINE)
    if os.environ.get("UPDATE_DOCUMENTS"):
        update(id, shown)
    else:
        assert shown == message.strip()


@pytest.mark.parametrize("id", sorted(PROCESSES))
def test_the_fix_runs(id, tmp_path):
    _, _, (_, program) = EXAMPLES[id]
    outcome = run(program, tmp_path)
    assert outcome.code == 0, outcome.errors
    assert outcome.output
