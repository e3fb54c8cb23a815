"""Which requests have threads of their own, since they may wait for seconds."""

import pytest

from pyramid_site.asgi import TAKES_LONG

GAME = "/api/v1/games/6a5c3a0e-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    "path",
    [
        *(f"{GAME}/{part}/" for part in ("hints", "checks", "rewinds", "analysis")),
        "/api/v1/races/",
        "/api/v1/races/K7MPQX2R/rematches/",
        "/api/v1/me/export/",
        "/settings/export",
    ],
)
def test_what_may_wait_for_the_solver_keeps_no_move_waiting(path: str) -> None:
    assert TAKES_LONG.fullmatch(path)


@pytest.mark.parametrize(
    "path",
    [f"{GAME}/moves/", f"{GAME}/", "/api/v1/games/", "/api/v1/races/K7MPQX2R/", "/api/v1/me/"]
    + [f"/api/v1/races/K7MPQX2R/{part}/" for part in ("seats", "seats/me", "starts")],
)
def test_what_is_quick_waits_for_nothing_slow(path: str) -> None:
    assert not TAKES_LONG.fullmatch(path)
