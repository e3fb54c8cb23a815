"""Games by tier that are won by the solver's lines, or lost."""

from accounts.models import Record, User
from game.rules.deals import numbered_deck
from game.rules.notation import format_line
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from solver.search import decide
from tests.caller import Caller, Table


def by_tier(caller: Caller, tier: str = "easy", rules: str = "classic") -> Table:
    answer = caller.post("games/", {"rules": rules, "tier": tier})
    assert answer.status_code == 201, answer.content
    return Table(caller, answer.json()["id"])


def winning_line(rules: str, number: int) -> str:
    found = decide(Position.deal(numbered_deck(number), RULE_SETS[rules]))
    assert found.line is not None
    return format_line(found.line)


def win(table: Table) -> dict:
    """The state in which the winning move is answered."""
    state = table.state()
    return table.play(winning_line(state["rules"], state["number"])).json()


def lose(table: Table) -> dict:
    table.play("d")
    return table.change("resignations").json()


def rows(player: User | None = None) -> list[dict]:
    """The records as they stand, without the keys of their rows."""
    records = Record.objects.all() if player is None else Record.objects.filter(player=player)
    names = ("player_id", "rules_key", "tier", *Record.KEPT)
    return list(records.order_by("player_id", "rules_key", "tier").values(*names))
