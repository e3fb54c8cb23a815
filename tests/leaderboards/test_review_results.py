"""`manage.py review_results` shows what came faster than a hand plays, and takes a judgement."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from leaderboards.days import Span
from leaderboards.models import DailyResult
from leaderboards.ranking import Score
from leaderboards.ranks import DATABASE, Ladder
from tests.leaderboards.field import RULES, TODAY, Field

pytestmark = pytest.mark.django_db

FAST = Score(won=True, removed=28, assisted=False, elapsed_ms=3210, moves=40)


@pytest.fixture
def known() -> Field:
    """Three results, the first two of which are marked."""
    known = Field()
    for player in known.come(3):
        known.enter(player, TODAY, FAST)
    for result in DailyResult.objects.order_by("pk")[:2]:
        result.suspect = True
        result.save()
    return known


def told(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("review_results", *arguments, stdout=out)
    return out.getvalue().splitlines()


def ids() -> list[int]:
    return list(DailyResult.objects.order_by("pk").values_list("pk", flat=True))


def sizes(known: Field) -> list[int]:
    return [DATABASE.size(Ladder(known.board(span))) for span in Span]


def test_what_is_marked_is_listed(known: Field) -> None:
    *lines, summary = told()
    assert summary == "2 results to review"
    first = DailyResult.objects.get(pk=ids()[0])
    assert lines[0] == (
        f"{first.pk}  {TODAY.date} {RULES}  {first.player.get_username()}  3.2 s"
        f"  40 moves  game {first.game_id}"
    )
    assert [int(line.split()[0]) for line in lines] == ids()[:2]


def test_withdrawn_results_leave_all_boards_and_the_list(known: Field) -> None:
    one, two, three = ids()
    assert told("--withdraw", str(one), str(three)) == [f"{one} withdrawn", f"{three} withdrawn"]
    assert sizes(known) == [1, 1, 1]
    assert [line.split()[0] for line in told()[:-1]] == [str(two)]
    assert told("--withdraw", str(one)) == [f"{one} withdrawn"]  # and once more changes nothing
    with pytest.raises(CommandError, match=f"withdrawn for good: {one}"):
        told("--clear", str(one))
    assert sizes(known) == [1, 1, 1]


def test_a_cleared_result_stands_without_its_mark(known: Field) -> None:
    one, two, _ = ids()
    assert told("--clear", str(two), "--withdraw", str(one)) == [
        f"{one} withdrawn",
        f"{two} cleared",
    ]
    assert told() == ["0 results to review"]
    assert sizes(known) == [2, 2, 2]


def test_those_of_a_closed_account_can_be_withdrawn(known: Field) -> None:
    player = known.players[0]
    player.is_active = False
    player.save()
    told("--withdraw", str(ids()[0]))
    assert sizes(known) == [2, 2, 2]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--withdraw", "{first}", "999999"], "no such results: 999999"),
        (["--withdraw", "{first}", "--clear", "{first}"], "either withdraw or clear"),
    ],
)
def test_nothing_is_done_where_one_is_refused(
    known: Field, arguments: list[str], named: str
) -> None:
    first = str(ids()[0])
    with pytest.raises(CommandError, match=named):
        told(*[word.format(first=first) for word in arguments])
    assert sizes(known) == [3, 3, 3]
    assert DailyResult.objects.filter(suspect=True).count() == 2
