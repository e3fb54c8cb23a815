"""The game a second time, typed from the rules' text alone: slow, literal, without a clever line.

`game.rules` is held against it. It imports nothing of the project and knows nothing of its types:
a card is its text, a slot is (row, column) counted from 1, a position is a dict, an action is a
tuple: ("remove", card), ("remove", card, card) with the cards in the order of CARDS, ("draw",),
("redeal",).

`python -m tests.rules.naive` writes tests/data/perft.tsv.
"""

import hashlib
from itertools import combinations
from pathlib import Path

PERFT = Path(__file__).parent.parent / "data" / "perft.tsv"

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
VALUES = {card: RANKS.index(card[0]) + 1 for card in CARDS}

COLUMNS = ("passes", "stock top", "overlap", "face down", "goal", "daily", "featured")
TABLE = {
    "classic": (3, False, False, False, "pyramid", True, True),
    "blind": (1, False, False, True, "pyramid", True, False),
    "open": (3, True, False, False, "pyramid", True, False),
    "open-2": (2, True, False, False, "pyramid", False, False),
    "open-1": (1, True, False, False, "pyramid", False, False),
    "overlap": (3, True, True, False, "pyramid", True, False),
    "overlap-1": (1, True, True, False, "pyramid", False, False),
    "strict": (3, True, False, False, "all", False, False),
}
RULE_SETS = {key: dict(zip(COLUMNS, row, strict=True)) for key, row in TABLE.items()}


# Deals


def words(name):
    k = 0
    while True:
        block = hashlib.sha256(f"{name}:{k}".encode("ascii")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        k += 1


def shuffled(name):
    deck = list(CARDS)
    source = words(name)
    for i in range(51, 0, -1):
        bound = i + 1
        word = next(source)
        while word >= 2**32 // bound * bound:
            word = next(source)
        j = word % bound
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def numbered_deck(number):
    return shuffled(f"pyramid-deal:1:{number}")


def seeded_deck(seed_hex, attempt):
    return shuffled(f"pyramid-seed:1:{seed_hex}:{attempt}")


def deal(deck, key):
    cards = list(deck)
    pyramid = {}
    for row in range(1, 8):
        for column in range(1, row + 1):
            pyramid[row, column] = cards.pop(0)
    return {
        "rules": RULE_SETS[key],
        "pyramid": pyramid,  # slots whose card is gone are not in it
        "stock": cards,  # the first is the top
        "waste": [],  # the last is the top
        "pass": 1,
    }


# What covers what


def coverers(slot):
    row, column = slot
    return [(row + 1, column), (row + 1, column + 1)] if row < 7 else []


def cone(slot):
    slots = set()
    for coverer in coverers(slot):
        slots |= {coverer} | cone(coverer)
    return slots


def coverers_left(position, slot):
    return [coverer for coverer in coverers(slot) if coverer in position["pyramid"]]


def slot_of(position, card):
    for slot, other in position["pyramid"].items():
        if other == card:
            return slot
    return None


def cards_left(position):
    return [*position["pyramid"].values(), *position["stock"], *position["waste"]]


# Actions


def playable_cards(position):
    pyramid = position["pyramid"]
    cards = [pyramid[slot] for slot in pyramid if not coverers_left(position, slot)]
    cards += position["waste"][-1:]
    if position["rules"]["stock top"]:
        cards += position["stock"][:1]
    return cards


def is_overlap_pair(position, covered, coverer):
    slot, over = slot_of(position, covered), slot_of(position, coverer)
    return (
        position["rules"]["overlap"]
        and slot is not None
        and over is not None
        and coverers_left(position, slot) == [over]
        and coverers_left(position, over) == []
        and VALUES[covered] + VALUES[coverer] == 13
    )


def legal_actions(position):
    if outcome(position) == "won":
        return []
    playable = playable_cards(position)
    kings = [card for card in playable if VALUES[card] == 13]
    pairs = [
        (a, b)
        for a, b in combinations(CARDS, 2)
        if VALUES[a] + VALUES[b] == 13
        and (
            (a in playable and b in playable)
            or is_overlap_pair(position, a, b)
            or is_overlap_pair(position, b, a)
        )
    ]
    actions = [("remove", king) for king in kings] + [("remove", *pair) for pair in pairs]
    if position["stock"]:
        actions.append(("draw",))
    if can_redeal(position):
        actions.append(("redeal",))
    return actions


def can_redeal(position):
    pass_left = position["pass"] < position["rules"]["passes"]
    return not position["stock"] and bool(position["waste"]) and pass_left


def apply(position, action):
    after = {
        "rules": position["rules"],
        "pyramid": dict(position["pyramid"]),
        "stock": list(position["stock"]),
        "waste": list(position["waste"]),
        "pass": position["pass"],
    }
    if action == ("draw",):
        after["waste"].append(after["stock"].pop(0))
    elif action == ("redeal",):
        after["stock"], after["waste"] = after["waste"], []
        after["pass"] += 1
    else:
        for card in action[1:]:
            if card in after["stock"]:
                after["stock"].remove(card)
            elif card in after["waste"]:
                after["waste"].remove(card)
            else:
                del after["pyramid"][slot_of(after, card)]
    return after


def outcome(position):
    goal = position["rules"]["goal"]
    if goal == "pyramid" and not position["pyramid"]:
        return "won"
    if goal == "all" and not cards_left(position):
        return "won"
    if not position["stock"] and not can_redeal(position) and not any_removal(position):
        return "stuck"
    return "playing"


def any_removal(position):
    playable = playable_cards(position)
    if any(VALUES[card] == 13 for card in playable):
        return True
    if any(VALUES[a] + VALUES[b] == 13 for a, b in combinations(playable, 2)):
        return True
    pyramid = position["pyramid"].values()
    return any(is_overlap_pair(position, a, b) for a in pyramid for b in pyramid)


# What the player sees, and which cards that locks


def face_up(position):
    pyramid = position["pyramid"]
    hides = position["rules"]["face down"]
    cards = [pyramid[s] for s in pyramid if not (hides and coverers_left(position, s))]
    cards += position["waste"][-1:]
    if position["rules"]["stock top"]:
        cards += position["stock"][:1]
    return set(cards)


def least_seen(position):
    """What every player who stands here has seen: what is gone or was drawn, and what lies open."""
    seen = set(CARDS) - set(position["pyramid"].values()) - set(position["stock"])
    if position["pass"] > 1:
        seen |= set(position["stock"])
    return seen | face_up(position)


def locked_cards(position, seen):
    """{card: (reason, its partners as shown)} of the cards that the player can know to be locked.

    A card that was never seen may be in any place where an unseen card is left; a lock must hold
    for all of them.
    """
    pyramid = position["pyramid"]
    visible = face_up(position)
    known = set(seen) | visible
    unseen_places = [slot for slot, card in pyramid.items() if card not in known]
    unseen_places += [None for card in position["stock"] if card not in known]
    locks = {}
    for slot, card in pyramid.items():
        if card not in visible:
            continue
        partners = [c for c in cards_left(position) if VALUES[c] + VALUES[card] == 13]
        ways = set()
        for partner in partners:
            places = [slot_of(position, partner)] if partner in known else unseen_places
            ways |= {way_to(position["rules"], slot, place) for place in places}
        shown = sorted(partner if partner in visible else "??" for partner in partners)
        if ways == {"under"}:
            locks[card] = ("partners_under_it", shown)
        elif ways == {"over"}:
            locks[card] = ("partners_over_it", shown)
        elif ways == {"under", "over"}:
            locks[card] = ("partners_under_and_over", shown)
    return locks


def way_to(rules, slot, place):
    """Where a partner's place (None: stock or waste) lies, seen from a card's slot."""
    if place is None:
        return "free"
    if rules["overlap"] and (place in coverers(slot) or slot in coverers(place)):
        return "free"
    if place in cone(slot):
        return "under"
    if slot in cone(place):
        return "over"
    return "free"


# What a wrong removal gets


def refusals(position, cards, seen):
    """The answers that the rules' order of tests allows, as (code, params); none when it is legal.

    There are several where the same test fails for both cards: the text does not say which of them
    is named.
    """
    never_seen = [card for card in cards if card not in seen]
    if never_seen:
        return [("not_playable", {"card": card}) for card in never_seen]

    out_of_reach = [(card, place) for card in cards if (place := out_of_reach_in(position, card))]
    if out_of_reach:
        return [("not_playable", {"card": card, "place": place}) for card, place in out_of_reach]

    if len(cards) == 2:
        a, b = cards
        if is_overlap_pair(position, a, b) or is_overlap_pair(position, b, a):
            return []
    covered = [card for card in cards if covering(position, card)]
    if covered:
        return [covered_answer(position, card, cards) for card in covered]

    kings = [card for card in cards if VALUES[card] == 13]
    if len(cards) == 2 and kings:
        return [("king_alone", {"card": king}) for king in kings]

    values = [VALUES[card] for card in cards]
    if sum(values) != 13:
        answer = {"cards": list(cards), "values": values, "sum": sum(values)}
        return [("not_thirteen", answer)]
    return []


def out_of_reach_in(position, card):
    if slot_of(position, card) is not None or card in playable_cards(position):
        return None
    if card in position["stock"]:
        return "stock"
    if card in position["waste"]:
        return "waste"
    return "removed"


def covering(position, card):
    slot = slot_of(position, card)
    if slot is None:
        return []
    return [position["pyramid"][coverer] for coverer in coverers_left(position, slot)]


def covered_answer(position, card, cards):
    over = covering(position, card)
    overlap = position["rules"]["overlap"]
    if len(cards) == 2 and sum(VALUES[c] for c in cards) == 13 and not overlap:
        other = cards[1] if card == cards[0] else cards[0]
        if over == [other]:
            return ("pair_covers_itself", {"cards": [card, other]})
    visible = face_up(position)
    shown = [coverer if coverer in visible else "??" for coverer in over]
    return ("card_covered", {"card": card, "coverers": shown})


# Texts


def position_text(position):
    rows = []
    for row in range(1, 8):
        slots = [(row, column) for column in range(1, row + 1)]
        rows.append("".join(position["pyramid"].get(slot, "--") for slot in slots))
    stock = "".join(position["stock"]) or "-"
    waste = "".join(position["waste"]) or "-"
    return f"{'/'.join(rows)} {stock} {waste} {position['pass']}"


# Counts of action sequences


def sequence_counts(position, depth):
    """How many sequences of 1, 2, … depth actions there are; a won game has no further action."""
    counts = []
    positions = [position]
    for _ in range(depth):
        positions = [apply(p, action) for p in positions for action in legal_actions(p)]
        counts.append(len(positions))
    return counts


def perft_start(key, number, draws):
    position = deal(numbered_deck(number), key)
    for _ in range(draws):
        position = apply(position, ("draw",))
    return position


def perft_table(depth):
    """Rows (key, number, draws made first, counts): from the deal, and late in the first pass."""
    for key in RULE_SETS:
        for number in (1, 2, 3):
            for draws in (0, 22):
                yield key, number, draws, sequence_counts(perft_start(key, number, draws), depth)


def write_perft():
    lines = ["# rule set, deal, draws made first; action sequences of length 1 to 5 from there"]
    for key, number, draws, counts in perft_table(5):
        lines.append("\t".join(map(str, [key, number, draws, *counts])))
    PERFT.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    write_perft()
