"""The README's session is true: each command is run, and answers what stands under it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.serving import ROOT, Server, scratch_database

ADDRESS = "http://127.0.0.1:8000"  # as `make run` has it

# What is new each time, as the README may show it.
CHANGING = {
    r'"token":"[a-z0-9]{32}"': '"token":"…"',
    r'"name":"guest-[a-z0-9]{10}"': '"name":"guest-…"',
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "…",
    r"/race/[A-Z2-9]{8}": "/race/…",
    r'"elapsed_ms":\d+': '"elapsed_ms":…',
    r"T\d\d:\d\d:\d\d(\.\d+)?Z": "T…Z",
}
END = "\x1e"  # of a command's output


def test_the_readmes_session_is_true(tmp_path: Path) -> None:
    for program in ("bash", "curl", "python3"):
        assert shutil.which(program), f"the README's session needs {program}: install it"
    session = commands_and_answers((ROOT / "README.md").read_text())
    assert len(session) > 5
    with scratch_database(tmp_path) as database_url:
        server = Server(database_url=database_url, log=tmp_path / "log")
        server.start()
        try:
            answers = run([command for command, _ in session], server.url, tmp_path)
        finally:
            server.stop()
    told = [answer.replace(server.url, ADDRESS) for answer in answers]
    assert [(c, unchanging(a)) for (c, _), a in zip(session, told, strict=True)] == [
        (command, unchanging(answer)) for command, answer in session
    ]


@pytest.mark.parametrize("command", ["make run", "make test"])
def test_the_readme_shows_the_commands_that_start_it_all(command: str) -> None:
    assert re.search(rf"^{command}\b", (ROOT / "README.md").read_text(), re.MULTILINE)


def commands_and_answers(text: str) -> list[tuple[str, str]]:
    """Each `$ command` of the console blocks, with the lines under it."""
    session: list[tuple[str, str]] = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            session.append((command, answer))
    return session


def run(commands: list[str], url: str, folder: Path) -> list[str]:
    """What each command prints, in one bash, as a reader would type them."""
    lines = [f"{command.replace(ADDRESS, url)}\nprintf '{END}'" for command in commands]
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout.split(END)[:-1]


def unchanging(answer: str) -> str:
    for pattern, shown in CHANGING.items():
        answer = re.sub(pattern, shown, answer)
    return answer.rstrip("\n")
