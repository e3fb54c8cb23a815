"""`python -m solver`, run as people and programs do."""

import io
import json
import os
import pty
import signal
import time
from pathlib import Path

import pytest

from game.rules import errors
from game.rules.deals import numbered_deck, seeded_deck
from game.rules.errors import RuleError
from game.rules.notation import parse_move
from game.rules.rulesets import DEFAULT, RULE_SETS
from solver.commands.questions import REASONS
from solver.commands.streams import LONGEST, answer_lines
from solver.dealing import Wanted, dealt_attempt
from solver.search import Verdict, decide
from tests.solver.command import answers, run, start
from tests.solver.games import after, deal, wins

DECK = " ".join(numbered_deck(7))
SEED = "00112233445566778899aabbccddeeff" * 2
FACTS = {"verdict", "line", "moves", "nodes", "ms"}


def message(given: str | bytes, *arguments: str, command: str = "solve") -> str:
    """What is said of the first line."""
    answer = answers(command, *arguments, given=given)[0]
    assert answer["error"]["line"] == 1
    return answer["error"]["message"]


def question(**members: object) -> str:
    return json.dumps({"deck": DECK, **members}) + "\n"


# solve


def test_each_deck_is_answered_in_order() -> None:
    numbers = (30001, 3, 30004)
    decks = "".join(" ".join(numbered_deck(number)) + "\n" for number in numbers)
    found = answers("solve", "--rules", "blind", given=decks)
    assert all(set(answer) == FACTS for answer in found)
    for number, answer in zip(numbers, found, strict=True):
        decision = decide(deal(number, "blind"))
        assert answer["verdict"] == decision.verdict
        assert answer["nodes"] == decision.nodes
        assert answer["ms"] > 0
        if decision.verdict is Verdict.WINNABLE:
            assert answer["moves"] == len(answer["line"])
            assert wins(deal(number, "blind"), tuple(map(parse_move, answer["line"])))
        else:
            assert answer["line"] is answer["moves"] is None


def test_the_rules_are_the_default_ones_if_none_are_named() -> None:
    plain, classic = answers("solve", given=DECK), answers("solve", "--rules=classic", given=DECK)
    assert plain[0]["line"] == classic[0]["line"]


def test_par_is_a_shortest_line() -> None:
    (shortest,) = answers("solve", "--rules", "open", "--par", given=DECK)
    (line,) = answers("solve", "--rules", "open", given=DECK)
    assert shortest["moves"] < line["moves"]
    assert wins(deal(7, "open"), tuple(map(parse_move, shortest["line"])))


def test_a_spent_budget_is_unknown() -> None:
    (answer,) = answers("solve", "--nodes", "1", given=DECK)
    assert (answer["verdict"], answer["line"], answer["moves"]) == ("unknown", None, None)


def test_a_budget_spent_before_a_line_is_proven_shortest_leaves_the_verdict() -> None:
    (answer,) = answers("solve", "--rules", "open", "--par", "--nodes", "500", given=DECK)
    assert (answer["verdict"], answer["line"], answer["moves"]) == ("winnable", None, None)


def test_line_ends_and_spaces_do_not_matter() -> None:
    texts = [DECK, f"{DECK}\r\n", f"\ufeff  {DECK}\t\n", DECK.replace(" ", "  \t")]
    assert len({answers("solve", given=text)[0]["nodes"] for text in texts}) == 1


def test_blank_lines_are_passed_over_and_counted() -> None:
    done = run("solve", given=f"\n  \n{DECK}\n\nKS\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["verdict"] == "winnable"
    assert second["error"]["line"] == 5


def test_nothing_in_nothing_out() -> None:
    done = run("solve", given="")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bad_line_is_told_and_the_rest_goes_on() -> None:
    done = run("solve", given=f"{DECK}\n{DECK}\n{DECK[3:]}\n{DECK}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("verdict") for answer in found] == ["winnable", "winnable", None, "winnable"]
    assert found[2] == {
        "error": {
            "line": 3,
            "code": "bad_deck",
            "message": "line 3: 51 cards, and a deck has 52",
        }
    }
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (f"{DECK} KS", "53 cards, and a deck has 52"),
        ("KS", "1 card, and a deck has 52"),
        (DECK.replace("9S", "JC"), "JC is there 2 times, and 9S is missing"),
        (DECK.replace("TS", "10S"), "'10S' is no card: a card is one of A23456789TJQK and"),
        (DECK.lower(), "'jc' is no card"),
        (DECK.replace(" ", ""), "'JC9SJD3H8SQHKS3S6HAD...' is no card"),
        ("# a remark", "'#' is no card"),
        ("♠" * 1000, "is no card"),
        (b"\xff\xfe" + DECK.encode(), "not UTF-8 text"),
        (b"\x00\n", "is no card"),
        (b"K" * (LONGEST + 1), "longer than 65536 bytes"),
    ],
)
def test_what_is_wrong_with_a_deck_is_said_in_words(line: str | bytes, fault: str) -> None:
    assert message(line).startswith("line 1: ")
    assert fault in message(line)


@pytest.mark.parametrize("excess", [0, 1, 2, LONGEST, 3 * LONGEST + 7])
def test_a_long_line_is_one_line_however_long(excess: int) -> None:
    line = DECK.ljust(LONGEST + excess)
    first, second = answers("solve", given=f"{line}\n{DECK}\n")
    assert ("error" in first) == (excess > 0)
    assert second["verdict"] == "winnable"


def test_a_line_without_an_end_takes_no_memory() -> None:
    class Endless(io.RawIOBase):
        left = 500

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            self.left -= 1
            buffer[:] = b"8" * len(buffer)
            return len(buffer) if self.left > 0 else 0

    target = io.StringIO()
    assert answer_lines(io.BufferedReader(Endless(), 1 << 16), target, json.loads) == 1
    assert len(target.getvalue().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["solve", "--rules", "golf"], "choose from 'classic', 'blind', 'open', 'open-2'"),
        (["solve", "--nodes", "0"], "a whole number from 1 to"),
        (["solve", "--nodes", "-5"], "a whole number from 1 to"),
        (["solve", "--nodes", "1e6"], "a whole number from 1 to"),
        (["solve", "--nodes", "9" * 5000], "a whole number from 1 to"),
        (["solve", "--nodes", str(2**63)], "a whole number from 1 to"),
        (["solve", "deck.txt"], "unrecognized arguments: deck.txt"),
        (["deal", "0"], "a deal number is a whole number from 1 to 4294967295"),
        (["deal", "1", "4294967296"], "a deal number is a whole number from 1 to 4294967295"),
        (["deal", "-1"], "a deal number is a whole number"),
        (["deal", "one"], "a deal number is a whole number"),
        (["deal"], "it takes deal numbers, or --seed"),
        (["deal", "1", "--seed", SEED], "it takes deal numbers, or --seed"),
        (["deal", "1", "--try", "1"], "--try and --tier need --seed"),
        (["deal", "1", "--tier", "easy"], "--try and --tier need --seed"),
        (["deal", "--seed", SEED, "--tier", "easy", "--try", "1"], "leave out --try"),
        (
            ["deal", "--seed", SEED, "--tier", "golf"],
            "choose from 'easy', 'standard', 'winnable', 'random'",
        ),
        (["deal", "--seed", SEED, "--rules", "open"], "--rules needs --tier"),
        (["deal", "--seed", SEED[1:]], "a seed has 64 hex digits"),
        (["deal", "--seed", SEED, "--try", "-1"], "a try is a whole number from 0"),
        ([], "the following arguments are required: command"),
        (["golf"], "invalid choice: 'golf'"),
    ],
)
def test_wrong_arguments_are_refused_with_the_reason(arguments: list[str], fault: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert fault in done.stderr
    assert "Traceback" not in done.stderr


# Streams


def test_an_answer_comes_before_the_next_deck_is_written() -> None:
    with start("solve") as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(f"{DECK}\n".encode())
            assert json.loads(process.stdout.readline())["verdict"] == "winnable"
        process.stdin.close()
        assert process.wait(10) == 0


def test_a_reader_that_goes_ends_it_quietly() -> None:
    with start("solve") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{DECK}\n".encode())
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(f"{DECK}\n".encode() * 2)
        assert process.wait(10) == 141
        assert process.stderr.read() == b""


def test_a_full_disk_is_told_without_a_traceback() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("a system with /dev/full")
    with Path("/dev/full").open("wb") as full, start("deal", "1", stdout=full) as process:
        assert process.stderr
        assert process.wait(10) == 1
        assert process.stderr.read() == b"python -m solver: No space left on device\n"


def test_ctrl_c_while_it_waits_ends_it() -> None:
    with start("solve") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{DECK}\n".encode())
        process.stdout.readline()  # it is up
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr.read() == b""


def test_ctrl_c_during_a_search_does_not_wait_for_it() -> None:
    hard = " ".join(numbered_deck(1))
    with start("solve", "--rules", "classic", "--par") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"?\n")
        process.stdout.readline()  # it is up
        process.stdin.write(f"{hard}\n".encode())
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stdout.read() == b""
        assert process.stderr.read() == b""


def test_a_program_that_was_told_to_ignore_ctrl_c_does() -> None:
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with start("solve", preexec_fn=ignore) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"?\n")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdin.write(f"{DECK}\n".encode())
        assert json.loads(process.stdout.readline())["verdict"] == "winnable"
        process.stdin.close()


# What runs


def test_a_terminal_is_told_which_kernel_runs_and_how_to_end() -> None:
    own, other = pty.openpty()
    try:
        with start("solve", stdin=other, stderr=other) as process:
            assert process.stdout
            os.write(own, f"{DECK}\n".encode())
            assert json.loads(process.stdout.readline())["verdict"] == "winnable"
            os.write(own, b"\x04")
            assert process.wait(10) == 0
        said = os.read(own, 4096).decode()
        assert "The solver runs " in said
        assert "Decks, one a line; Ctrl-D ends." in said
    finally:
        os.close(own)
        os.close(other)


@pytest.mark.parametrize("command", ["solve", "position"])
def test_standard_error_is_silent_unless_asked(command: str) -> None:
    assert run(command).stderr == ""
    assert run(command, "-v").stderr.startswith("The solver runs ")


def test_the_version_says_which_kernel_runs() -> None:
    assert run("--version").stdout.startswith("pyramid 0.")
    assert "The solver runs " in run("--version").stdout


@pytest.mark.parametrize("command", [[], ["solve"], ["position"], ["deal"]])
def test_help_has_an_example(command: list[str]) -> None:
    done = run(*command, "--help")
    assert done.returncode == 0
    assert "example" in done.stdout.lower()
    assert "python -m solver" in done.stdout


# deal


def test_deals_are_printed_a_line_each_in_the_order_asked() -> None:
    lines = [" ".join(numbered_deck(number)) for number in (2, 1, 2**32 - 1)]
    assert run("deal", "2", "1", str(2**32 - 1)).stdout.splitlines() == lines


def test_a_seeds_deck_is_its_first_try_if_none_is_named() -> None:
    assert run("deal", "--seed", SEED).stdout == " ".join(seeded_deck(SEED, 0)) + "\n"
    assert run("deal", "--seed", SEED, "--try", "3").stdout.split() == [*seeded_deck(SEED, 3)]


@pytest.mark.parametrize("tier", Wanted)
def test_of_a_tier_the_deck_that_is_dealt_is_printed_and_which_try_it_is(tier: Wanted) -> None:
    for options, rules in (([], DEFAULT), (["--rules", "strict"], RULE_SETS["strict"])):
        attempt = dealt_attempt(SEED, rules, tier)
        done = run("deal", "--seed", SEED, "--tier", tier, *options)
        assert done.stdout.split() == [*seeded_deck(SEED, attempt)]
        assert done.stderr == f"try {attempt}\n"


def test_a_seed_may_be_in_capitals() -> None:
    assert run("deal", "--seed", SEED.upper()).stdout == run("deal", "--seed", SEED).stdout


# position


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_position_is_answered_as_the_solver_does(key: str) -> None:
    position = deal(7, key)
    line = ["6D7D", "d", "d"]
    (answer,) = answers("position", "--rules", key, given=question(line=line))
    decision = decide(after(position, tuple(map(parse_move, line))))
    assert set(answer) == FACTS
    assert (answer["verdict"], answer["nodes"]) == (decision.verdict, decision.nodes)


def test_without_a_line_the_position_is_the_deal() -> None:
    (bare,) = answers("position", given=question())
    (empty,) = answers("position", given=question(line=[]))
    (solved,) = answers("solve", given=DECK)
    assert bare["line"] == empty["line"] == solved["line"]


def test_a_whole_line_ends_in_a_position_won_without_a_move() -> None:
    (solved,) = answers("solve", given=DECK)
    (answer,) = answers("position", given=question(line=solved["line"]))
    assert (answer["verdict"], answer["line"], answer["moves"]) == ("winnable", [], 0)
    text = message(question(line=[*solved["line"], "d"]), command="position")
    assert text == f"line 1: move {solved['moves'] + 1}, 'd': the game is won already"


def test_the_first_illegal_move_is_named_with_the_reason() -> None:
    (answer,) = answers("position", given=question(line=["6D7D", "QD3D", "d"]))
    assert answer["error"] == {
        "line": 1,
        "code": "not_thirteen",
        "move": 2,
        "text": "QD3D",
        "params": {"cards": ["QD", "3D"], "values": [12, 3], "sum": 15},
        "message": "line 1: move 2, 'QD3D': the sum is 15, not 13",
    }


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (["JC"], "move 1, 'JC': JC is covered by 9S and JD"),
        (["r"], "move 1, 'r': the stock is not empty"),
        (["d"] * 25, "move 25, 'd': the stock is empty"),
        ([*["d"] * 24, "r", *["d"] * 24, "r", *["d"] * 24, "r"], "the last of 3 passes is running"),
        (["6D"], "the sum is 6, not 13"),
        (["2H"], "2H is not in play"),
        (["draw"], "a move is a king such as KS, a pair such as 6H7D, d or r"),
        ([""], "move 1, '': a move is"),
        (["d" * 500], "a move is"),
        (["\ud800"], "a move is"),
        ([1], "move 1 is no text"),
        (["d", ["d"]], "move 2 is no text"),
        ("d d", "line is no list of moves"),
        (None, "line is no list of moves"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_in_words(line: object, fault: str) -> None:
    assert fault in message(question(line=line), command="position")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("deck", "not JSON"),
        ('{"deck": ', "not JSON"),
        ("[" * 60_000, "not JSON"),
        ("9" * 60_000, "not JSON"),
        (f'"{DECK}"', "not a JSON object"),
        ("[]", "not a JSON object"),
        ("{}", "deck is missing or no text"),
        ('{"deck": 7}', "deck is missing or no text"),
        ('{"deck": "KS"}', "1 card, and a deck has 52"),
        ('{"deck": "KS", "lines": []}', "there is no member 'lines', only deck and line"),
        (b'{"deck": "\xff"}', "not UTF-8 text"),
    ],
)
def test_what_is_no_question_is_said_in_words(text: str | bytes, fault: str) -> None:
    assert fault in message(text, command="position")


def test_bad_positions_do_not_stop_the_rest() -> None:
    done = run("position", given=f"?\n{question(line=['d'])}")
    first, second = map(json.loads, done.stdout.splitlines())
    assert "error" in first
    assert second["verdict"] == "winnable"
    assert done.returncode == 1


def test_every_refusal_of_the_rules_has_words() -> None:
    asked_elsewhere = {"unknown_rules", "unknown_deal", "nothing_to_undo", "nothing_to_rewind"}
    codes = {
        error.code for error in RuleError.__subclasses__() if error.__module__ == errors.__name__
    }
    assert set(REASONS) == codes - asked_elsewhere
