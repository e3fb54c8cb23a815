"""The Makefile and the CI script, as far as the documents promise."""

import os
import subprocess

import pytest

from tests.serving import ROOT


def output(*command: str, **environment: str) -> str:
    """What it prints. Raises `CalledProcessError`."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_make_alone_lists_what_there_is() -> None:
    assert output("make") == output("make", "help")
    assert "make run " in output("make")


def test_make_run_takes_its_port_from_the_environment() -> None:
    assert "serve --host 127.0.0.1 --port 8000" in output("make", "-n", "run")
    assert "--port 8123" in output("make", "-n", "run", PORT="8123")


def test_a_shells_own_host_does_not_open_the_server_to_others() -> None:
    assert "--host 127.0.0.1 " in output("make", "-n", "run", HOST="elsewhere")
    assert "--host 0.0.0.0 " in output("make", "-n", "run", "HOST=0.0.0.0")


@pytest.mark.parametrize("command", ["make check", "make test", "make soak"])
def test_ci_runs_what_the_documents_name(command: str) -> None:
    assert command in (ROOT / ".ci/run").read_text()


@pytest.mark.parametrize("script", [".ci/run", "scripts/environment.sh"])
def test_a_shell_script_can_be_run(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    output("bash", "-n", script)
