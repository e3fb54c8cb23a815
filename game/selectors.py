"""Reads: games, logs, and how a deal went for those who played it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, F, Min, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from game.answers import Label
from game.errors import GameNotFound, RaceNotFound, StillRunning
from game.ledger import Entry, Ledger, Status
from game.models import RUNNING, Deal, Game, Kind, LogEntry, Race, RaceEvent, Seat
from game.racing import RaceStatus
from game.rules.locks import Lock
from game.rules.rulesets import RuleSet
from game.view import RaceView, View
from solver import catalogue

Viewer = AbstractBaseUser | AnonymousUser
LATEST = 10  # games
# Games that others at the same deal are told of. `settings` is a relation that accounts lays to the
# player: who has none has company.
IN_COMPANY = ~Q(player__settings__company=False) & Q(player__is_active=True)
BY_NUMBER = "none"  # what is asked for in the place of a tier


@dataclass(frozen=True, slots=True)
class DealCounts:
    """Games that have ended, of players who made a move."""

    played: int
    won: int
    fewest_moves: int | None  # of the games won
    fastest_ms: int | None


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row."""

    current: int = 0
    best: int = 0


def visible_game(game_id: UUID, viewer: Viewer) -> Game:
    """A game of the viewer's own, or an ended casual one of a player who is there and does not
    keep to themselves, or one of a race that is over and that the viewer has been in, or one of a
    day that is closed: what a board is made of can be looked at, whoever it is of. Raises
    `GameNotFound`.

    `settings` is a relation that accounts lays to the player: the ORM follows it, so that nothing
    of accounts is imported here. A player without a row there has opted out of nothing.
    """
    over = ~Q(status__in=RUNNING)
    ended = Q(kind=Kind.CASUAL) & over
    open_to_all = Q(player__is_active=True) & ~Q(player__settings__private=True)
    closed = Q(closes_at__lte=timezone.now()) & over & (Q(counted=True) | open_to_all)
    races_over = Seat.objects.filter(player_id=viewer.pk, race__status=RaceStatus.OVER)
    raced = Q(seat__race__in=races_over.values("race")) if viewer.pk else Q(pk__in=[])
    shown = Q(player_id=viewer.pk) | (ended & open_to_all) | raced | closed
    games = Game.objects.select_related("deal", "player")
    game = games.filter(shown, pk=game_id).first()
    if game is None:
        raise GameNotFound()
    return game


def hold_open(game: Game) -> None:
    """Whether all that concerns an ended game's deal may be told. Raises `StillRunning` as long
    as others race on it, or play it as their daily."""
    match game.kind:
        case Kind.DAILY if not game.is_closed(timezone.now()):
            raise StillRunning()
        case Kind.RACE if not Seat.objects.filter(game=game, race__status=RaceStatus.OVER).exists():
            raise StillRunning()


def own_game(game_id: UUID, player: Viewer) -> Game:
    """Raises `GameNotFound`."""
    games = Game.objects.select_related("deal")
    game = games.filter(pk=game_id, player_id=player.pk).first()
    if game is None:
        raise GameNotFound()
    return game


@dataclass(frozen=True, slots=True)
class RaceOf:
    id: int
    code: str


@lru_cache(maxsize=20_000)
def race_of(game_id: UUID) -> RaceOf | None:
    """The race that a game is played in, None for every other. It never becomes another one."""
    seats = Seat.objects.filter(game_id=game_id)
    found = seats.values_list("race_id", "race__code").first()
    return None if found is None else RaceOf(*found)


def day_of_game(game: Game) -> date | None:
    """The day whose daily deal it plays, also from the archive."""
    if game.kind == Kind.DAILY:
        return game.started_at.astimezone(UTC).date()
    if game.deal.seed is None or game.kind == Kind.RACE:
        return None
    return _day_of(game.deal.seed)


@lru_cache(maxsize=2_000)
def _day_of(seed: str) -> date | None:
    """The day whose daily deal comes of this seed, None for other seeds. `daily` is a relation that
    leaderboards lays to the deal."""
    return Deal.objects.filter(seed=seed).values_list("daily__date", flat=True).first()


def race_by_code(code: str) -> Race:
    """Raises `RaceNotFound`. Codes may be written small."""
    if "\0" in code:  # PostgreSQL's texts have none, and it would not even look
        raise RaceNotFound()
    race = Race.objects.select_related("deal").filter(code=code.upper()).first()
    if race is None:
        raise RaceNotFound()
    return race


def seats_of(race: Race) -> list[Seat]:
    """By number, with their players."""
    return list(race.seats.select_related("player"))


def open_race_of(player: Viewer) -> Race | None:
    """The race that waits for the player, or in which the player's own board is not done: of
    several, the one that was begun last."""
    seats = Seat.objects.filter(player_id=player.pk, done=False).exclude(
        race__status=RaceStatus.OVER
    )
    begun = F("race__starts_at").desc(nulls_last=True)
    seat = seats.select_related("race").order_by(begun, "-race__created_at").first()
    return None if seat is None else seat.race


def running_daily_of(player: Viewer) -> Game | None:
    """The player's daily whose clock runs and that can be played on: of several, the latest."""
    games = Game.objects.select_related("deal").filter(kind=Kind.DAILY, player_id=player.pk)
    running = games.filter(status__in=RUNNING, closes_at__gt=timezone.now())
    return running.order_by("-started_at").first()


def race_seen_by(viewer: Viewer, race: Race) -> RaceView:
    """The race as it is told to this viewer, read anew but for its deal.

    Its version and its seats are read by one statement: seats that are ahead of it would be told to
    go back again by the events between.
    """
    seats = list(Seat.objects.filter(race_id=race.pk).select_related("player", "race"))
    if seats:
        for name in ("version", *Race.KEPT):
            setattr(race, name, getattr(seats[0].race, name))
    else:
        race.refresh_from_db(fields=["version", *Race.KEPT])
    now = timezone.now()
    own = next((seat for seat in seats if seat.player_id == viewer.pk), None) if viewer.pk else None
    view = None
    if own is not None and own.game_id is not None:
        game = Game.objects.select_related("deal").get(pk=own.game_id)
        view = View(game, game.ledger(), now)
    return RaceView(race, seats, own, view, now)


def events_of(race: Race, *, after: int, most: int) -> list[RaceEvent]:
    """The first `most` events that come after number `after`."""
    return list(race.events.filter(seq__gt=after).order_by("seq")[:most])


def games_of(player: Viewer) -> QuerySet[Game]:
    """Own games that are running or in which a move was made."""
    played = Q(moves__gt=0) | Q(status__in=RUNNING)
    return Game.objects.select_related("deal").filter(played, player_id=player.pk)


def chosen(
    games: QuerySet[Game],
    *,
    status: str | None = None,
    rules: RuleSet | None = None,
    tier: str | None = None,
    kind: str | None = None,
    counted: bool | None = None,
) -> QuerySet[Game]:
    """Those of the games that are of all the sorts given.

    `status`: one of `Status`, or `running` or `ended`. `tier`: one of `Tier`, or `BY_NUMBER`.
    """
    ended = tuple(status for status in Status if status.is_over)
    statuses = {"running": RUNNING, "ended": ended}
    wanted = {
        "status__in": None if status is None else statuses.get(status, (status,)),
        "rules_key": None if rules is None else rules.key,
        "tier": "" if tier == BY_NUMBER else tier,
        "kind": kind,
        "counted": counted,
    }
    return games.filter(**{name: value for name, value in wanted.items() if value is not None})


def daily_streak(player: Viewer, *, now: datetime) -> Streak:
    """UTC days in a row on which the player has moved in a ranked daily, of whichever rule set. One
    that was kept up until yesterday goes on: today is not over."""
    played = Game.objects.filter(
        player_id=player.pk, kind=Kind.DAILY, counted=True, moves__gt=0
    ).values_list(TruncDate("started_at", tzinfo=UTC), flat=True)
    today = now.astimezone(UTC).date()
    current = best = 0
    last = date.min
    for day in played.distinct().order_by(TruncDate("started_at", tzinfo=UTC)):
        current = current + 1 if day - last == timedelta(days=1) else 1
        best, last = max(best, current), day
    return Streak(current if today - last <= timedelta(days=1) else 0, best)


def log_page(game: Game, *, after: int, size: int) -> list[LogEntry]:
    """The first `size` entries that come after entry number `after`."""
    return list(game.entries.filter(seq__gt=after).order_by("seq")[:size])


def log_of(game: Game) -> Iterator[Entry]:
    """Every entry, oldest first."""
    return (entry.entry for entry in game.entries.order_by("seq").iterator())


def ledger_as_of(game: Game, seq: int) -> Ledger:
    """What the log added up to once its entry `seq` was made."""
    if seq == game.version:
        return game.ledger()
    entries: Iterable[LogEntry] = game.entries.filter(seq__lte=seq).order_by("seq").iterator()
    return game.start_ledger().replay(entry.entry for entry in entries)


def running_game(*, player: Viewer, rules: RuleSet, number: int) -> Game | None:
    return (
        Game.objects.select_related("deal")
        .filter(
            player_id=player.pk,
            deal__number=number,
            rules_key=rules.key,
            kind=Kind.CASUAL,
            status__in=RUNNING,
        )
        .first()
    )


def has_company(game: Game) -> bool:
    """Whether others who play the same deal are told of this game's player."""
    return Game.objects.filter(IN_COMPANY, pk=game.pk).exists()


def counts_of_deal(*, rules: RuleSet, number: int) -> DealCounts:
    won = Q(status=Status.WON)
    return DealCounts(
        **Game.objects.filter(
            deal__number=number, rules_key=rules.key, moves__gt=0, kind=Kind.CASUAL
        )
        .exclude(status__in=RUNNING)
        .aggregate(
            played=Count("id"),
            won=Count("id", filter=won),
            fewest_moves=Min("moves", filter=won),
            fastest_ms=Min("elapsed_ms", filter=won),
        )
    )


def label_of(view: View, locks: Iterable[tuple[Lock, bool]] | None = None) -> Label | None:
    """What an answer about this game tells of its deal; None: nothing yet.

    Of a deal past the catalogue: what checks have told, what a lock of the deal itself proves, and
    once the game has ended what was found then. `locks`: the game's, if they are at hand.
    """
    game, ledger = view.game, view.ledger
    if game.is_ranked:
        told = game.label_after or game.label_before  # the former once it may be told
        return Label(told) if told else None
    solved = solved_deal(number=game.deal.number, rules=game.rules)
    if solved is not None:
        return Label(solved.verdict)
    if ledger.label is not None:
        return ledger.label
    if locks is None:
        locks = ledger.play.locks()
    if any(since_start for _, since_start in locks):
        return Label.UNWINNABLE
    if ledger.status.is_over and game.label_after:
        return Label(game.label_after)
    return None


def label_of_number(*, viewer: Viewer, rules: RuleSet, number: int) -> Label | None:
    """What this viewer may know of a numbered deal: past the catalogue, what an own game told."""
    solved = solved_deal(number=number, rules=rules)
    if solved is not None:
        return Label(solved.verdict)
    games = (
        Game.objects.select_related("deal")
        .filter(player_id=viewer.pk, deal__number=number, rules_key=rules.key, kind=Kind.CASUAL)
        .order_by("-started_at")[:LATEST]  # each began with what those before it had told
    )
    told = {label_of(View(game, game.ledger(), game.started_at)) for game in games}
    return next((label for label in Label if label in told), None)


def solved_deal(*, number: int | None, rules: RuleSet) -> catalogue.Entry | None:
    """What the catalogue says of a deal; None for one that does not stand there."""
    return None if number is None else catalogue.entry(number, rules)
