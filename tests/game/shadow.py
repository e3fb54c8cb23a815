"""A game kept a second time, by `tests.rules.naive`: what its player should be shown."""

from typing import Any

from tests.rules import naive


class Shadow:
    def __init__(self, rules: str, number: int) -> None:
        self.rules = rules
        self.number = number
        start = naive.deal(naive.numbered_deck(number), rules)
        self.path = [start]  # the positions of the line, from the deal
        self.seen = naive.face_up(start)
        self.moves = 0
        self.undos = 0
        self.resigned = False

    @property
    def position(self) -> dict[str, Any]:
        return self.path[-1]

    @property
    def legal(self) -> list[tuple[str, ...]]:
        return naive.legal_actions(self.position)

    @property
    def is_over(self) -> bool:
        return self.status in ("won", "lost")

    @property
    def status(self) -> str:
        return "lost" if self.resigned else naive.outcome(self.position)

    @property
    def locked(self) -> dict[str, tuple[str, list[str]]]:
        return naive.locked_cards(self.position, self.seen)

    def apply(self, action: tuple[str, ...]) -> None:
        self.path.append(naive.apply(self.position, action))
        self.seen |= naive.face_up(self.position)
        self.moves += 1

    def back_to(self, length: int) -> None:
        del self.path[length + 1 :]
        self.undos += 1

    def undo(self) -> None:
        self.back_to(len(self.path) - 2)

    def state(self) -> dict[str, Any]:
        """What follows from the rules alone, by the contract's names."""
        position = self.position
        rules = position["rules"]
        stock, waste = position["stock"], position["waste"]
        return {
            "rules": self.rules,
            "number": self.number,
            "kind": "casual",
            "status": self.status,
            "pyramid": [
                [self._face((row, column)) for column in range(1, row + 1)] for row in range(1, 8)
            ],
            "stock": {
                "count": len(stock),
                "top": stock[0] if stock and rules["stock top"] else None,
            },
            "waste": {"count": len(waste), "top": waste[-1] if waste else None},
            "pass": position["pass"],
            "passes": rules["passes"],
            "removed": 28 - len(position["pyramid"]),
            "moves": self.moves,
            "undos": self.undos,
            "hints": 0,
            "checks": 0,
            "can_undo": len(self.path) > 1 and not self.is_over,
            "url": f"/play/{self.rules}/{self.number}",
        }

    def _face(self, slot: tuple[int, int]) -> str | None:
        card = self.position["pyramid"].get(slot)
        hidden = self.position["rules"]["face down"] and naive.coverers_left(self.position, slot)
        return "??" if card and hidden else card


def text_of(action: tuple[str, ...]) -> str:
    """The naive's action in notation."""
    kind, *cards = action
    return {"draw": "d", "redeal": "r"}.get(kind) or "".join(cards)


def actions_of(legal: list[dict[str, Any]]) -> set[tuple[str, ...]]:
    """The `legal` of a state as the naive's actions; none of them is named twice."""
    actions = [(move["action"], *sorted(move["cards"], key=naive.CARDS.index)) for move in legal]
    assert len(set(actions)) == len(actions)
    return set(actions)


def assert_shows(state: dict[str, Any], shadow: Shadow) -> None:
    """The state shows what it should, and nothing of it differs."""
    expected = shadow.state()
    assert {name: state[name] for name in expected} == expected
    assert actions_of(state["legal"]) == (set() if shadow.is_over else set(shadow.legal))
    if not shadow.is_over:
        locked = {lock["card"]: (lock["reason"], set(lock["cards"])) for lock in state["locked"]}
        assert locked == {
            card: (reason, set(partners)) for card, (reason, partners) in shadow.locked.items()
        }
