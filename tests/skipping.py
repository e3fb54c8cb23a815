"""What runs where, and the last line of a run: what was skipped and how to get it.

| marker       | runs                                                             |
| ------------ | ---------------------------------------------------------------- |
| `postgresql` | where DATABASE_URL names a PostgreSQL database                   |
| `redis`      | where REDIS_URL is set                                           |
| `browser`    | once: where that is not so, or when asked for with `-m browser`  |
| `compiled`   | where the solver's kernel is machine code                        |
| `soak`       | with `--soak`                                                    |

A test that cannot run here is skipped; one that is left to another run is deselected. In CI a
skip for want of anything but the two services fails the run.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from solver.search import COMPILED

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NEEDS = {
    "postgresql": "PostgreSQL (set DATABASE_URL)",
    "redis": "Redis (set REDIS_URL)",
    "browser": "Chromium (install it)",
    "compiled": "the compiled solver (install a C compiler and Python's headers)",
}
SERVICES = {NEEDS["postgresql"], NEEDS["redis"]}
LEFT_OUT = {
    "browser": "browser (unset DATABASE_URL)",
    "soak": "soak (make soak)",
}


@cache
def chromium() -> str | None:
    """The browser that the browser tests drive, where there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the soak tests too")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Skipping(config))


class Skipping:
    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.left_out: Counter[str] = Counter()
        on_postgresql = os.environ.get("DATABASE_URL", "").startswith(("postgres:", "postgresql:"))
        chosen = config.option.markexpr
        self.present = {
            "postgresql": on_postgresql,
            "redis": bool(os.environ.get("REDIS_URL")),
            "browser": chromium() is not None,
            "compiled": COMPILED,
        }
        self.wanted = {
            "browser": "browser" in chosen or not on_postgresql,
            "soak": config.option.soak,
        }

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        run: list[pytest.Item] = []
        left_out: list[pytest.Item] = []
        for item in items:
            others = [marker for marker in _marked(item, LEFT_OUT) if not self.wanted[marker]]
            self.left_out.update(others[:1])
            (left_out if others else run).append(item)
            for marker in _marked(item, NEEDS):
                if not self.present[marker]:
                    item.add_marker(pytest.mark.skip(reason=NEEDS[marker]))
        self.config.hook.pytest_deselected(items=left_out)
        items[:] = run

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """With xdist only the workers collect; each left out the same."""
        self.left_out = Counter(getattr(node, "workeroutput", {}).get("left_out", self.left_out))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Any:
        told = getattr(self.config, "workeroutput", None)
        if told is not None:
            told["left_out"] = dict(self.left_out)
        yield
        if told is None:  # after pytest's own last line
            terminal: Any = self.config.pluginmanager.get_plugin("terminalreporter")
            skipped = Counter(map(_reason, terminal.stats.get("skipped", [])))
            terminal.write_line(summary(skipped, self.left_out))
            if os.environ.get("CI") == "true" and skipped.keys() - SERVICES:
                terminal.write_line("In CI only the services may be missing.", red=True)
                session.exitstatus = pytest.ExitCode.TESTS_FAILED


def summary(skipped: Counter[str], left_out: Counter[str]) -> str:
    """In one line: how many tests were skipped for want of what, and what other runs are for."""
    count = sum(skipped.values())
    parts = ", ".join(f"{number} for {reason}" for reason, number in sorted(skipped.items()))
    line = f"{count} skipped: {parts}." if count else "Nothing skipped."
    if left_out:
        others = ", ".join(
            f"{number} {LEFT_OUT[marker]}" for marker, number in sorted(left_out.items())
        )
        line += f" Left to other runs: {others}."
    return line


def _marked(item: pytest.Item, markers: Iterable[str]) -> list[str]:
    return [marker for marker in markers if item.get_closest_marker(marker)]


def _reason(report: pytest.TestReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
