"""The table that is made of the records: what is wrong first."""

from __future__ import annotations

from collections import Counter
from typing import Any

from benchmarks.gpu.records import BEGUN, MEASURED, TROUBLE, short
from benchmarks.gpu.stages import STAGES

_HIDDEN = ("stage", "name", "state", "error")


def report(records: list[dict[str, Any]], date: str) -> str:
    """Records as a document.

    Args:
        records: from `benchmarks.gpu.records.read`.
        date: of the run.
    """
    wrong = [r for r in records if r["state"] in TROUBLE]
    lines = [f"# On a GPU, {date}", ""]
    machine = {r["name"]: r for r in records if r["stage"] == "machine"}
    if "versions" in machine:
        lines += [", ".join(f"{k} {short(v)}" for k, v in _figures(machine["versions"])) + ".", ""]
    lines += ["## What is wrong", ""]
    lines += [_of_trouble(r) for r in wrong] or ["Nothing."]
    lines += ["", "## Stages", "", "| stage | what it shows | results |", "|---|---|---|"]
    for stage in STAGES:
        counts = Counter(r["state"] for r in records if r["stage"] == stage.name)
        said = ", ".join(f"{number} {state}" for state, number in counts.items()) or "not run"
        lines.append(f"| {stage.name} | {stage.shows} | {said} |")
    for stage in STAGES:
        measured = [r for r in records if r["stage"] == stage.name and r["state"] == MEASURED]
        measured = [r for r in measured if r["name"] != "versions"]
        if measured:
            lines += ["", f"## {stage.name}", "", *_table(measured)]
    return "\n".join(lines) + "\n"


def _of_trouble(record: dict[str, Any]) -> str:
    state = "did not end" if record["state"] == BEGUN else record["state"]
    error = str(record.get("error", "")).strip()
    text = f"* {record['stage']}, {record['name']}: **{state}**"
    return f"{text}\n\n```\n{error}\n```\n" if error else text


def _table(records: list[dict[str, Any]]) -> list[str]:
    columns = list(dict.fromkeys(key for r in records for key, _ in _figures(r)))
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for r in records:
        cells = [short(r[c]).replace("|", "\\|") if c in r else "" for c in columns]
        lines.append(f"| {r['name']} | " + " | ".join(cells) + " |")
    return lines


def _figures(record: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key, value) for key, value in record.items() if key not in _HIDDEN]
