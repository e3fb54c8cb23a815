"""The one public view of a game. What its player has not seen does not leave here."""

from datetime import datetime, timedelta
from typing import Any

from game import race_view
from game.answers import Label
from game.ledger import EntryType, Status
from game.models import Game, Kind, LogEntry, Race
from game.racing import RaceStatus
from game.rules.layout import ROW_SLOTS
from game.rules.locks import Lock
from game.rules.moves import Move
from game.rules.notation import format_move, parse_move
from game.rules.position import Position
from game.rules.rulesets import RuleSet
from game.selectors import DealCounts, day_of_game, label_of, race_of
from game.services.analysis import Analysis
from game.services.assist import Checked, Hinted
from game.view import RaceView, View, instant
from solver.catalogue import Entry

# What those who hear of a game's end add to its result, null where nothing is told.
AFTERMATH = (
    *("played", "won_games", "win_rate_before", "win_rate"),
    *("streak_before", "streak_after", "best_streak"),
    "place",
    *("rank", "players", "best"),
)


def state(view: View) -> dict[str, Any]:
    """The state of a game as every door answers it; times in milliseconds."""
    game, ledger, position = view.game, view.ledger, view.ledger.play.position
    locks = ledger.play.locks()
    label = label_of(view, locks)
    body = {
        "id": str(game.pk),
        "version": ledger.version,
        "rules": game.rules_key,
        "number": _number(game, over=ledger.status.is_over),
        "tier": game.tier or None,
        "label": label,
        "kind": game.kind,
        "daily": _day(game),
        "closes_at": None if game.closes_at is None else instant(game.closes_at),
        "status": ledger.status,
        **_table(position),
        "removed": position.removed,
        "moves": ledger.play.moves,
        "undos": ledger.play.undos,
        "hints": ledger.hints,
        "checks": ledger.checks,
        "counted": game.counted,
        "elapsed_ms": ledger.clock.at(view.at),
        "running": ledger.clock.running_since is not None,
        "can_undo": bool(ledger.play.line) and not ledger.status.is_over,
        "legal": [] if ledger.status.is_over else list(map(_move, position.legal_moves())),
        "locked": [] if ledger.status.is_over else [_locked(*lock) for lock in locks],
        "url": url(game),
    }
    if ledger.status.is_over:
        body["result"] = _result(view, label)
    return body


def hint(hinted: Hinted) -> dict[str, Any]:
    answer, move = hinted.answer, hinted.answer.move
    return {
        "action": None if move is None else move.action,
        "cards": [] if move is None else list(move.cards),
        "reason": answer.reason,
        "certainty": answer.certainty,
        "win_chance": answer.win_chance,
        "state": state(hinted.view),
    }


def check(checked: Checked) -> dict[str, Any]:
    return {
        "verdict": checked.answer.verdict,
        "moves_back": checked.answer.moves_back,
        "state": state(checked.view),
    }


def analysis(analysis: Analysis) -> dict[str, Any]:
    """Of a game that has ended: it names every card."""
    return {
        "label": analysis.label,
        "par": analysis.par,
        "steps": [
            {"seq": step.seq, "winnable_before": step.winnable_before} for step in analysis.steps
        ],
        "losing_seq": analysis.losing_seq,
        "line": None if analysis.line is None else list(map(format_move, analysis.line)),
    }


def log_entry(entry: LogEntry) -> dict[str, Any]:
    """An entry of the log: who asked for what, when; never a card that it turned up."""
    return {
        "seq": entry.seq,
        "at": instant(entry.at),
        "type": entry.type,
        **_log_detail(entry),
    }


def summary(game: Game) -> dict[str, Any]:
    """A game among many of its player's, without the table: what it is and what it came to."""
    over = Status(game.status).is_over
    return {
        "id": str(game.pk),
        "rules": game.rules_key,
        "number": _number(game, over=over),
        "tier": game.tier or None,
        "kind": game.kind,
        "daily": _day(game),
        "counted": game.counted,
        "status": game.status,
        "version": game.version,
        "started_at": instant(game.started_at),
        "ended_at": instant(game.last_entry_at) if over else None,
        "removed": game.removed,
        "moves": game.moves,
        "undos": game.undos,
        "hints": game.hints,
        "checks": game.checks,
        "elapsed_ms": game.elapsed_ms,  # of one whose clock runs, until it last stood still
        "result": game.aftermath if over else None,
    }


def race(view: RaceView) -> dict[str, Any]:
    """A race as it is told to somebody: their own board and nobody else's, and the deal only when
    the race is over. Times in milliseconds."""
    race, over = view.race, view.race.status == RaceStatus.OVER
    names = race_view.names_of(view.seats)
    firsts = [names[seat.number] for seat in race.state(view.seats).firsts]
    secret = race.is_rated and over
    successor = Race.objects.filter(rematch_of=race).values_list("code", flat=True).first()
    return {
        "code": race.code,
        "url": race_view.url(race.code),
        "version": race.version,
        "rules": race.rules_key,
        "tier": race.tier or None,
        "number": race.deal.number,  # a secret deal has none
        "kind": "rated" if race.is_rated else "friendly",
        "status": race.status,
        "seats_max": race.seats_max,
        "time_limit_ms": race.time_limit_ms,
        "created_at": instant(race.created_at),
        **countdown(race, view.at),
        "seats": [
            {
                **race_view.seat(row.state),
                "player": names[row.number],
                "game": str(row.game_id) if over and view.own and row.game_id else None,
            }
            for row in view.seats
        ],
        "me": None if view.own is None else view.own.number,
        "game": None if view.game is None else state(view.game),
        "winner": firsts[0] if over and len(firsts) == 1 else None,
        "draw": over and len(firsts) > 1,
        "rematch": successor,
        "seed": race.deal.seed if secret else None,
        "attempt": race.deal.attempt if secret else None,
    }


def countdown(race: Race, now: datetime) -> dict[str, Any]:
    """When a race starts and ends, and how long that is from now."""
    left = None
    if race.status == RaceStatus.COUNTDOWN and race.starts_at is not None:
        left = max(0, (race.starts_at - now) // timedelta(milliseconds=1))
    return {
        "starts_at": None if race.starts_at is None else instant(race.starts_at),
        "ends_at": None if race.ends_at is None else instant(race.ends_at),
        "starts_in_ms": left,
        "server_now": instant(now),
    }


def rule_set(rules: RuleSet, *, name: str, summary: str) -> dict[str, Any]:
    return {
        "key": rules.key,
        "name": name,
        "summary": summary,
        "passes": rules.passes,
        "stock_top_playable": rules.stock_top_playable,
        "overlap_pairs": rules.overlap_pairs,
        "covered_face_down": rules.covered_face_down,
        "goal": rules.goal,
        "daily": rules.daily,
        "featured": rules.featured,
    }


def deal(
    *,
    number: int,
    rules: RuleSet,
    label: Label | None,
    solved: Entry | None,
    counts: DealCounts,
) -> dict[str, Any]:
    """`solved`: what the catalogue says of it."""
    return {
        "number": number,
        "rules": rules.key,
        "label": label,
        "tier": None if solved is None else solved.tier,
        "difficulty": None if solved is None else solved.difficulty,
        "par": None if solved is None else solved.par,
        "url": f"/play/{rules.key}/{number}",
        "players": {
            "played": counts.played,
            "won": counts.won,
            "fewest_moves": counts.fewest_moves,
            "fastest_ms": counts.fastest_ms,
        },
    }


def _table(position: Position) -> dict[str, Any]:
    stock_top = position.stock[0] if position.stock and position.rules.stock_top_playable else None
    return {
        "pyramid": [[position.face(slot) for slot in row] for row in ROW_SLOTS],
        "stock": {"count": len(position.stock), "top": stock_top},
        "waste": {
            "count": len(position.waste),
            "top": position.waste[-1] if position.waste else None,
        },
        "pass": position.pass_number,
        "passes": position.rules.passes,
    }


def _move(move: Move) -> dict[str, Any]:
    return {"action": move.action, "cards": list(move.cards)}


def _locked(lock: Lock, since_start: bool) -> dict[str, Any]:
    return {
        "card": lock.card,
        "reason": lock.reason,
        "cards": list(lock.partners),
        "since_start": since_start,
    }


def _result(view: View, label: Label | None) -> dict[str, Any]:
    play = view.ledger.play
    return {
        "won": view.ledger.status is Status.WON,
        "removed": play.position.removed,
        "stock_left": len(play.position.stock),
        "waste_left": len(play.position.waste),
        "moves": play.moves,
        "undos": play.undos,
        "hints": view.ledger.hints,
        "checks": view.ledger.checks,
        "elapsed_ms": view.ledger.clock.at(view.at),
        "label": label,
        **dict.fromkeys(AFTERMATH),
        **view.game.aftermath,
    }


def _number(game: Game, *, over: bool) -> int | None:
    """A secret deal has none, and a ranked game tells it at the end."""
    return game.deal.number if over or not game.is_ranked else None


def _day(game: Game) -> str | None:
    day = day_of_game(game)
    return None if day is None else day.isoformat()


def url(game: Game) -> str | None:
    """Where the game's page is."""
    if game.kind == Kind.RACE:
        race = race_of(game.pk)
        return None if race is None else race_view.url(race.code)
    if game.deal.number is not None:
        return f"/play/{game.rules_key}/{game.deal.number}"
    day = _day(game)
    return None if day is None else f"/daily/{game.rules_key}/{day}/play"


def _log_detail(entry: LogEntry) -> dict[str, Any]:
    match entry.type:
        case EntryType.MOVE:
            return _move(parse_move(entry.detail))
        case EntryType.REWIND:
            return {"to": entry.detail.split(" ")[0]}
        case EntryType.PAUSE:
            return {"paused": entry.detail == "on"}
        case EntryType.CLOSE:
            return {"reason": entry.detail}
        case _:
            return {}


def present(game: Game, at: datetime) -> dict[str, Any]:
    """The state of a game as its row has it now."""
    return state(View(game, game.ledger(), at))
