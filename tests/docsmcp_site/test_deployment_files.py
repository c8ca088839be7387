"""What the files for Compose, Kubernetes and systemd start, set and mount is there."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES

KUBERNETES = sorted((PROJECT_ROOT / "deploy/kubernetes").glob("*.yaml"))
UNITS = sorted((PROJECT_ROOT / "deploy/systemd").glob("*.service"))
OURS = "docsmcp:latest"
# What a web server gets to be gone in: gunicorn gives its requests 30.
STOP_SECONDS = 45


def read_compose() -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((PROJECT_ROOT / "compose.yaml").read_text())
    return compose


def iter_manifests() -> Iterator[dict[str, Any]]:
    """Of Kubernetes."""
    for path in KUBERNETES:
        yield from (each for each in yaml.safe_load_all(path.read_text()) if each["kind"] != "Kustomization")


def iter_pods() -> Iterator[dict[str, Any]]:
    for manifest in iter_manifests():
        if "template" in manifest.get("spec", {}):
            yield manifest["spec"]["template"]["spec"]


def iter_containers() -> Iterator[dict[str, Any]]:
    for pod in iter_pods():
        yield from pod["containers"]


def list_own_services() -> list[tuple[str, dict[str, Any]]]:
    return [(name, each) for name, each in read_compose()["services"].items() if each["image"] == OURS]


def test_what_is_started_is_a_command() -> None:
    started = [service["command"][0] for _, service in list_own_services()]
    started += [container["args"][0] for container in iter_containers()]
    started += [
        found for unit in UNITS for found in re.findall(r"^ExecStart=\S+/docsmcp (\S+)", unit.read_text(), re.MULTILINE)
    ]
    assert {"migrate", "run_gunicorn", "run_qcluster"} <= set(started) <= get_commands().keys()
    assert len(started) == 3 * 3


def test_what_is_set_is_a_setting() -> None:
    named = {name for _, service in list_own_services() for name in service["environment"]}
    for manifest in iter_manifests():
        named |= manifest["data"].keys() if manifest["kind"] == "ConfigMap" else set()
    example = (PROJECT_ROOT / "deploy/systemd/environment.example").read_text()
    named |= set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))
    assert "DATABASE_URL" in named
    assert named <= set(SETTING_NAMES)


@pytest.mark.parametrize("name", [name for name, _ in list_own_services()])
def test_a_container_of_ours_takes_every_setting_from_env_but_what_only_it_knows(name: str) -> None:
    service = read_compose()["services"][name]
    assert service["env_file"] == [{"path": ".env", "required": False}]
    own = {setting for setting, value in service["environment"].items() if f"${{{setting}:" not in value}
    assert own == {"DATA_DIR", "MCP_SERVER_HOST", "MCP_SERVER_PORT", "DATABASE_URL", "REDIS_URL"}


@pytest.mark.parametrize("name", [name for name, _ in list_own_services()])
def test_a_container_of_ours_writes_to_memory_alone(name: str) -> None:
    service = read_compose()["services"][name]
    mounted = [mount.partition(":") for mount in service["tmpfs"]]
    assert service["read_only"]
    assert {path for path, _, _ in mounted} == {"/tmp", "/data"}  # noqa: S108
    assert {path: options for path, _, options in mounted}["/data"] == "uid=10001,gid=10001,mode=0700"


def test_a_release_has_the_lock_files_that_the_instructions_install(tmp_path: Path) -> None:
    dist = import_dist()
    dist.copy_locks("1.2.3", tmp_path)
    told = (PROJECT_ROOT / "docs/deployment.md").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"docsmcp-1.2.3-{name}.txt" for name in ("build", "extras", "runtime")
    ]
    assert set(re.findall(r"-r docsmcp-\*-(\w+)\.txt", told)) == {"build", "runtime"} < set(dist.LOCKS)


def import_dist() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dist", PROJECT_ROOT / "deploy/dist.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nobody_is_told_to_install_what_an_index_has_under_our_name() -> None:
    places = [*(PROJECT_ROOT / "docs").glob("*.md"), PROJECT_ROOT / "README.md"]
    places += [
        path for app in ("docsmcp_site", "collections_app", "mcp_app") for path in (PROJECT_ROOT / app).rglob("*.py")
    ]
    told = re.compile(r"install '?\"?docsmcp(\[|$|[\s`'\"])")
    assert len(places) > 100
    assert [path.name for path in places if told.search(path.read_text())] == []


def test_a_command_of_root_has_the_settings_of_the_services() -> None:
    given = (PROJECT_ROOT / "deploy/systemd/docsmcp").read_text()
    unit = (PROJECT_ROOT / "deploy/systemd/docsmcp-migrate.service").read_text()
    for name in ("User", "Group", "EnvironmentFile", "Environment"):
        (value,) = re.findall(rf"^{name}=(.+)$", unit, re.MULTILINE)
        assert f"--property={name}={value}" in given
    assert re.findall(r"^ExecStart=(\S+)", unit, re.MULTILINE) == re.findall(r'(\S+) "\$@"', given)


def test_what_a_service_waits_for_is_a_service() -> None:
    services = read_compose()["services"]
    awaited = {name for service in services.values() for name in service.get("depends_on", ())}
    assert awaited
    assert awaited <= services.keys()


def test_nginx_in_compose_runs_with_the_files_that_are_shipped() -> None:
    volumes = [volume.split(":") for volume in read_compose()["services"]["nginx"]["volumes"]]
    mounted = {inside: outside for outside, inside, _ in volumes}
    assert mounted["/etc/nginx/nginx.conf"] == "./deploy/nginx/nginx.conf"
    included = {
        path
        for outside in mounted.values()
        for path in re.findall(r"^\s*include (\S+);", (PROJECT_ROOT / outside).read_text(), re.MULTILINE)
    }
    assert included == mounted.keys() - {"/etc/nginx/nginx.conf"}


def test_nginx_in_compose_can_look_for_containers_anew() -> None:
    assert re.search(
        r"^server web:8001 .*\bresolve;",
        (PROJECT_ROOT / "deploy/nginx/upstream.compose.conf").read_text(),
        re.MULTILINE,
    )
    version = read_compose()["services"]["nginx"]["image"].removeprefix("nginx:").removesuffix("-alpine")
    assert [int(part) for part in version.split(".")] >= [1, 27, 3]


def test_the_docs_name_every_file_that_nginx_reads() -> None:
    page = (PROJECT_ROOT / "docs/deployment.md").read_text()
    site = (PROJECT_ROOT / "deploy/nginx/docsmcp.conf").read_text()
    for path in re.findall(r"^\s*include (\S+);", site, re.MULTILINE):
        assert f"deploy/nginx/{path.removeprefix('/etc/docsmcp/')}" in page
    assert "/etc/docsmcp/docsmcp.conf" in page


@pytest.mark.parametrize("name", ["docsmcp-web.service", "docsmcp-worker@.service"])
def test_a_migration_that_fails_keeps_no_unit_down_for_good(name: str) -> None:
    unit = read_unit(name)
    assert "docsmcp-migrate.service" in unit["After"].split()
    assert "docsmcp-migrate.service" in unit["Wants"].split()
    assert "Requires" not in unit
    assert (unit["Restart"], unit["StartLimitIntervalSec"]) == ("always", "0")


def test_a_migration_that_fails_is_tried_again() -> None:
    unit = read_unit("docsmcp-migrate.service")
    assert (unit["Type"], unit["Restart"], unit["StartLimitIntervalSec"]) == ("oneshot", "on-failure", "0")


def read_unit(name: str) -> dict[str, str]:
    """Of a setting that is there several times the last."""
    text = (PROJECT_ROOT / "deploy/systemd" / name).read_text()
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def test_a_web_server_gets_the_time_that_it_takes_to_stop() -> None:
    assert int(read_unit("docsmcp-web.service")["TimeoutStopSec"]) >= STOP_SECONDS
    assert int(read_compose()["services"]["web"]["stop_grace_period"].removesuffix("s")) >= STOP_SECONDS
    pod = next(pod for pod in iter_pods() if pod["containers"][0]["args"] == ["run_gunicorn"])
    waiting_seconds = int(pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] - waiting_seconds >= STOP_SECONDS


def test_the_image_has_what_only_some_settings_need() -> None:
    """Nothing can be installed into it later."""
    installed = "pip install --require-hashes --no-build-isolation -r requirements/extras.txt"
    assert installed in (PROJECT_ROOT / "Dockerfile").read_text()


def test_argo_makes_what_the_migrations_need_before_them_and_the_pods_after() -> None:
    waves = {(each["kind"], each["metadata"]["name"]): get_wave(each) for each in iter_manifests()}
    migrations = waves["Job", "docsmcp-migrate"]
    for needed in ("Namespace", "ConfigMap", "ServiceAccount"):
        assert waves[needed, "docsmcp"] < migrations
    assert waves["NetworkPolicy", "docsmcp-migrate"] < migrations
    assert migrations < min(waves["Deployment", "docsmcp-web"], waves["Deployment", "docsmcp-worker"])


def get_wave(manifest: dict[str, Any]) -> tuple[int, int]:
    """The phase of a sync, and the wave in it."""
    annotations = manifest["metadata"].get("annotations", {})
    phase = annotations.get("argocd.argoproj.io/hook", "Sync")
    return ["PreSync", "Sync"].index(phase), int(annotations.get("argocd.argoproj.io/sync-wave", "0"))


@pytest.mark.parametrize("component", ["web", "worker"])
def test_pods_reach_sites_and_a_collector_of_traces(component: str) -> None:
    policy = next(
        each
        for each in iter_manifests()
        if each["metadata"]["name"] == f"docsmcp-{component}" and each["kind"] == "NetworkPolicy"
    )
    anywhere = {port["port"] for rule in policy["spec"]["egress"] if "to" not in rule for port in rule["ports"]}
    assert anywhere == {80, 443, 4318, 5432, 6379}
