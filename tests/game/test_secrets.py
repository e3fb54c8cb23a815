"""What a player has not seen is in no answer, error, log or header."""

import json
import random
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from game.models import Kind
from tests.caller import Caller, Table, body_of
from tests.game.lines import LOCKING, WON
from tests.game.ranked import SEED, ranked_game
from tests.game.shadow import Shadow, text_of
from tests.rules import naive

pytestmark = pytest.mark.django_db

_CARD = re.compile(r"(?<![0-9A-Za-z])(10|[A2-9TJQK])([CDHS♣♦♥♠])(?![0-9A-Za-z])")
_SUITS = dict(zip("♣♦♥♠", "CDHS", strict=True))


def cards_in(text: str) -> set[str]:
    """Every card that a text names, as `TD` or as `10♦`."""
    return {rank.replace("10", "T") + _SUITS.get(suit, suit) for rank, suit in _CARD.findall(text)}


def named_in(answer: Any) -> set[str]:
    """Every card in the body or the headers of an answer."""
    body = answer.content.decode()
    headers = [f"{name}: {value}" for name, value in answer.headers.items()]
    return cards_in(" ".join([body, *headers]))


class Watch:
    """A game whose every answer is held against what its player may know."""

    def __init__(self, player: Caller, rules: str, number: int) -> None:
        self.table, self.shadow = player.deal(rules, number), Shadow(rules, number)
        self.check(player.get(self.table.address))

    def check(self, answer: Any, asked: Iterable[str] = ()) -> Any:
        """`asked`: the cards that the request itself named."""
        assert answer.status_code in (200, 400, 409, 422)
        assert named_in(answer) <= self.shadow.seen | set(asked), answer.content
        if answer.status_code == 200:
            self.check_state(answer.json())
        return answer

    def check_state(self, state: dict[str, Any]) -> None:
        """The table itself shows what lies open, and nothing else."""
        shown = cards_in(json.dumps([state["pyramid"], state["stock"], state["waste"]]))
        assert shown == naive.face_up(self.shadow.position)

    def play(self, action: tuple[str, ...]) -> Any:
        self.shadow.apply(action)
        return self.check(self.table.move(text_of(action)))

    def undo(self) -> Any:
        self.shadow.undo()
        return self.check(self.table.undo())

    def restart(self) -> Any:
        self.shadow.back_to(0)
        return self.check(self.table.change("restarts"))

    def probe(self, cards: list[str]) -> Any:
        """A removal that the rules refuse."""
        body = {"action": "remove", "cards": cards}
        return self.check(self.table.change("moves", **body), asked=cards)

    def check_other_answers(self) -> None:
        """The errors and lists that come without a move."""
        table = self.table
        self.check(table.move("r") if self.shadow.position["stock"] else table.move("d"))
        stale = self.check(table.change("moves", **body_of("d"), version=10**6)).json()
        self.check_state(stale["state"])
        log = table.caller.get(f"{table.address}log/")
        assert named_in(log) <= self.shadow.seen
        assert named_in(table.caller.get("games/")) <= self.shadow.seen


@pytest.mark.parametrize("rules", naive.TABLE)
def test_no_answer_of_a_random_game_names_a_card_not_seen(player: Caller, rules: str) -> None:
    chance = random.Random(f"secrets {rules}")
    watch = Watch(player, rules, chance.randrange(1, 2**32))
    shadow = watch.shadow
    for _ in range(60):
        if shadow.status != "playing":
            break
        removals = [action for action in shadow.legal if action[0] == "remove"]
        step = chance.random()
        if step < 0.1 and len(shadow.path) > 1:
            watch.undo()
        elif step < 0.13 and len(shadow.path) > 1:
            watch.restart()
        else:
            watch.play(chance.choice(removals or shadow.legal))
        cards = chance.sample(naive.CARDS, chance.choice((1, 2)))
        if naive.refusals(shadow.position, cards, shadow.seen):
            watch.probe(cards)
    watch.check_other_answers()


def test_a_draw_in_the_log_does_not_name_its_card(player: Caller) -> None:
    table = player.deal("classic", 1)
    table.play("d d")
    assert [entry["cards"] for entry in table.log()] == [[], []]


# Probing


def probed(table: Table, card: str) -> tuple[int, str]:
    """Status and body of an attempt on a card, with the card itself struck out."""
    answer = table.move(card)
    rank, suit = card
    shown = {"T": "10"}.get(rank, rank) + dict(zip("CDHS", "♣♦♥♠", strict=True))[suit]
    text = json.dumps(answer.json(), ensure_ascii=False)
    return answer.status_code, text.replace(card, "#").replace(shown, "#")


@pytest.mark.parametrize("rules", naive.TABLE)
@pytest.mark.parametrize("line", ["", "d d d"])
def test_all_unseen_cards_answer_alike(player: Caller, rules: str, line: str) -> None:
    table, shadow = player.deal(rules, 3), Shadow(rules, 3)
    table.play(line)
    for _ in line.split():
        shadow.apply(("draw",))
    unseen = set(naive.CARDS) - shadow.seen
    if rules == "blind":
        places = set(shadow.position["pyramid"].values()), set(shadow.position["stock"])
        assert all(unseen & place for place in places)  # both hide some
    answers = {probed(table, card) for card in unseen}
    assert len(answers) == 1
    (answer,) = answers
    assert answer[0] == 422
    assert json.loads(answer[1])["code"] == "not_playable"
    assert json.loads(answer[1])["params"] == {"card": "#"}


def test_all_unseen_partners_of_a_seen_card_answer_alike(player: Caller) -> None:
    """Deal 1 shows 8C in `blind`; whether a five lies in stock or pyramid is not told."""
    table = player.deal("blind", 1)
    answers = set()
    for partner in set(naive.CARDS) - naive.face_up(Shadow("blind", 1).position):
        for cards in (["8C", partner], [partner, "8C"]):
            body = table.change("moves", action="remove", cards=cards).json()
            assert body["params"] == {"card": partner}
            answers.add(body["code"])
    assert answers == {"not_playable"}


def test_unseen_cards_answer_alike_in_pairs(player: Caller) -> None:
    table = player.deal("blind", 2)
    unseen = sorted(set(naive.CARDS) - naive.face_up(Shadow("blind", 2).position))
    codes = set()
    for pair in pairwise(unseen):
        body = table.change("moves", action="remove", cards=list(pair)).json()
        assert body["params"]["card"] in pair
        codes.add((body["status"], body["code"], len(body["params"])))
    assert codes == {(422, "not_playable", 1)}


def test_all_unseen_cards_answer_alike_in_every_language(player: Caller) -> None:
    for language in ("zh-hans", "zh-hant", "ru", "ja"):
        caller = Caller(player.token, language=language)
        table = caller.deal("blind", 1)
        unseen = set(naive.CARDS) - naive.face_up(Shadow("blind", 1).position)
        assert len({probed(table, card) for card in unseen}) == 1


# Covered again


def test_an_undo_turns_cards_face_down_again(player: Caller) -> None:
    watch = Watch(player, "blind", WON["blind"][0])
    before = watch.table.state()["pyramid"]
    watch.play(("remove", "6D", "7D"))
    watch.play(("remove", "4C", "9S"))
    up = [face for row in watch.table.state()["pyramid"][:6] for face in row]
    assert any(face not in ("??", None) for face in up)
    watch.undo()
    watch.undo()
    assert watch.table.state()["pyramid"] == before


def test_a_card_seen_before_an_undo_may_be_answered_for_what_it_is(player: Caller) -> None:
    """What has been seen stays seen: errors may use it."""
    table = player.deal("classic", 1)
    assert table.move("KS").json()["params"] == {"card": "KS"}
    table.play("d")
    assert table.undo().json()["waste"]["top"] is None
    assert table.move("KS").json()["code"] == "not_playable"


def test_a_lock_in_blind_names_no_card_that_lies_face_down(player: Caller) -> None:
    chance = random.Random("locks in blind")
    locks = 0
    for _ in range(8):
        number = chance.randrange(1, 20_001)
        watch = Watch(player, "blind", number)
        while watch.shadow.status == "playing":
            removals = [action for action in watch.shadow.legal if action[0] == "remove"]
            state = watch.play(chance.choice(removals or watch.shadow.legal)).json()
            for lock in state["locked"]:
                locks += 1
                assert {lock["card"], *lock["cards"]} <= {
                    "??",
                    *naive.face_up(watch.shadow.position),
                }
    assert locks


# Elsewhere


def test_a_rewind_names_no_card_not_seen(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("blind", number)
    shadow = Shadow("blind", number)
    table.play(line)
    shadow.apply(("remove", "KC"))
    shadow.apply(("remove", "4C", "9S"))
    answer = table.change("rewinds", to="lock")
    assert named_in(answer) <= shadow.seen


def test_the_answer_to_the_end_of_a_game_names_no_card_not_seen(player: Caller) -> None:
    watch = Watch(player, "blind", 5)
    watch.play(("draw",))
    watch.check(watch.table.change("resignations"))


@pytest.mark.parametrize("address", ["schema/", "rules/", "deals/1/", "deals/20001/"])
def test_documents_and_deals_name_no_cards(nobody: Caller, address: str) -> None:
    named = named_in(nobody.get(address))
    if address.startswith("schema"):
        assert named == set()
        deck = naive.numbered_deck(1)
        text = nobody.get(address).content.decode()
        assert " ".join(deck[28:32]) not in text
        assert '"' + '","'.join(deck[28:32]) not in text
    else:
        assert named == set()


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
def test_a_ranked_game_tells_neither_seed_nor_number(player: Caller, kind: Kind) -> None:
    table = ranked_game(player, kind, "blind")
    table.play("d")
    table.change("resignations")
    for answer in (
        player.get(table.address),
        player.get(f"{table.address}log/"),
        player.get("games/"),
        table.undo(),
    ):
        assert SEED not in answer.content.decode()
    assert table.state()["number"] is None


def test_the_page_of_a_deal_holds_no_card(player: Caller, nobody: Caller) -> None:
    for caller in (player, nobody):
        page = caller.get("/play/blind/1").content.decode()
        assert cards_in(page) == set()
