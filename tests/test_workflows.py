"""What GitHub is told to do: all that .ci/run does, and nothing is published before it has passed."""

from __future__ import annotations

import re
from typing import Any

import yaml

from docsmcp_site.configuration.config import PROJECT_ROOT


def read_workflow(name: str) -> dict[Any, Any]:
    workflow: dict[Any, Any] = yaml.safe_load((PROJECT_ROOT / f".github/workflows/{name}.yml").read_text())
    return workflow


def list_commands(workflow: dict[Any, Any]) -> str:
    steps = [step for job in workflow["jobs"].values() for step in job.get("steps", ())]
    return "\n".join(step.get("run", "") for step in steps)


def test_each_step_of_a_change_is_a_step_of_ours() -> None:
    wanted = set(re.findall(r"^make (\S+)", (PROJECT_ROOT / ".ci/run").read_text(), re.MULTILINE))
    assert "test-services" in wanted
    assert wanted <= set(re.findall(r"\bmake ([a-z-]+)", list_commands(read_workflow("ci"))))


def test_a_release_waits_for_the_tests() -> None:
    workflow = read_workflow("release")
    (tests,) = [name for name, job in workflow["jobs"].items() if job.get("uses") == "./.github/workflows/ci.yml"]
    assert all(job.get("needs") == tests for name, job in workflow["jobs"].items() if name != tests)
    assert "workflow_call" in read_workflow("ci")[True]  # YAML 1.1 reads `on` as true


def test_a_pull_request_of_a_stranger_needs_no_secret() -> None:
    text = (PROJECT_ROOT / ".github/workflows/ci.yml").read_text()
    assert "{{ secrets." not in text
    assert "gitleaks-action" not in text, "it needs a token, and a licence for organisations"


def test_the_image_is_named_in_lower_case() -> None:
    (job,) = [job for job in read_workflow("release")["jobs"].values() if "steps" in job]
    (build,) = [step for step in job["steps"] if "build-push-action" in step.get("uses", "")]
    assert "github.repository" not in build["with"]["tags"]
    assert build["with"]["tags"].count("${{ steps.image.outputs.name }}:") == 2


def test_what_others_wrote_runs_at_a_commit_that_nobody_can_move() -> None:
    used = [
        line.partition("uses: ")[2]
        for path in (PROJECT_ROOT / ".github/workflows").glob("*.yml")
        for line in path.read_text().splitlines()
        if "uses: " in line
    ]
    foreign = [each for each in used if not each.startswith("./")]
    assert len(foreign) > 10
    assert [each for each in foreign if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", each)] == []
