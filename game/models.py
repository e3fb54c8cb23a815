"""Deals, games and their logs; races and their seats.

The log is the truth. What a game's row says of position, counts and time is what its log adds up
to (`game.ledger`), kept there so that a move need not read the log; `manage.py verify_logs` holds
the two together.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from game import racing
from game.answers import Label
from game.ledger import Clock, Entry, EntryType, Ledger, Status
from game.rules.cards import Card
from game.rules.deals import LAST_NUMBER, Deck, numbered_deck, seeded_deck
from game.rules.notation import format_line, format_position, parse_line, parse_position
from game.rules.playthrough import Playthrough
from game.rules.rulesets import RULE_SETS, RuleSet

RUNNING = (Status.PLAYING, Status.STUCK)
_MILLISECOND = timedelta(milliseconds=1)
LABELS = [(label.value, label.value) for label in Label]


class Kind(models.TextChoices):
    CASUAL = "casual"
    DAILY = "daily"
    RACE = "race"


class Tier(models.TextChoices):
    EASY = "easy"  # the easiest third of the catalogue's winnable deals
    STANDARD = "standard"  # the rest of them
    RANDOM = "random"  # any number past the catalogue; it may not be winnable


class Deal(models.Model):
    """52 cards in an order: of a number that anybody can compute, or of a secret seed."""

    number = models.BigIntegerField(null=True, unique=True)
    seed = models.CharField(max_length=64, null=True)  # noqa: DJ001  absent is not empty
    attempt = models.PositiveIntegerField(null=True)  # which of the seed's decks

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="deal_number_or_seed",
                condition=Q(number__isnull=False, seed__isnull=True, attempt__isnull=True)
                | Q(number__isnull=True, seed__isnull=False, attempt__isnull=False),
            ),
            models.CheckConstraint(
                name="deal_number_range", condition=Q(number__range=(1, LAST_NUMBER))
            ),
            models.UniqueConstraint(name="deal_once_per_seed", fields=["seed", "attempt"]),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}" if self.number is not None else "secret deal"

    @property
    def deck(self) -> Deck:
        if self.number is not None:
            return numbered_deck(self.number)
        assert self.seed is not None
        assert self.attempt is not None
        return seeded_deck(self.seed, self.attempt)


class Game(models.Model):
    KEPT: ClassVar = (
        *("status", "version", "changed", "position", "line", "seen", "removed"),
        *("moves", "undos", "hints", "checks", "label"),
        *("elapsed_ms", "running_since", "last_entry_at"),
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="games"
    )
    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="games")
    rules_key = models.CharField(max_length=20, choices=[(key, key) for key in RULE_SETS])
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.CASUAL)
    tier = models.CharField(max_length=10, choices=Tier.choices, blank=True)  # empty: by number
    counted = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    closes_at = models.DateTimeField(null=True)  # a daily's: nothing is changed from then on
    # Of the deal, empty where nothing is: what its player had been told before this game, and what
    # the solver found once it had ended.
    label_before = models.CharField(max_length=10, choices=LABELS, blank=True)
    label_after = models.CharField(max_length=10, choices=LABELS, blank=True)
    # What those who heard of its end (`game.events`) add to its result.
    aftermath = models.JSONField(default=dict, blank=True)

    # What the log adds up to: the columns of KEPT, which `keep` sets.
    status = models.CharField(
        max_length=10, choices=[(status, status) for status in Status], default=Status.PLAYING
    )
    version = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    position = models.CharField(max_length=200)
    line = models.TextField(blank=True)
    seen = models.BigIntegerField()  # bit i: card i of the deck
    removed = models.PositiveSmallIntegerField(default=0)
    moves = models.PositiveIntegerField(default=0)
    undos = models.PositiveIntegerField(default=0)
    hints = models.PositiveIntegerField(default=0)
    checks = models.PositiveIntegerField(default=0)
    label = models.CharField(max_length=10, choices=LABELS, blank=True)
    elapsed_ms = models.PositiveBigIntegerField(default=0)
    running_since = models.DateTimeField(null=True)
    last_entry_at = models.DateTimeField()  # of an ended game: its end

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="game_one_running_per_deal",
                fields=["player", "deal", "rules_key"],
                condition=Q(kind=Kind.CASUAL, status__in=RUNNING),
            ),
            models.UniqueConstraint(
                name="game_one_counted_running_per_tier",
                fields=["player", "rules_key", "tier"],
                condition=Q(kind=Kind.CASUAL, counted=True, status__in=RUNNING),
            ),
            models.UniqueConstraint(
                name="game_one_daily_per_deal",
                fields=["player", "deal", "rules_key"],
                condition=Q(kind=Kind.DAILY),
            ),
            models.CheckConstraint(
                name="game_of_a_daily_closes",
                condition=Q(kind=Kind.DAILY, closes_at__isnull=False)
                | ~Q(kind=Kind.DAILY) & Q(closes_at=None),
            ),
            models.CheckConstraint(name="game_status_known", condition=Q(status__in=[*Status])),
            models.CheckConstraint(
                name="game_labels_known",
                condition=Q(
                    label__in=["", *Label],
                    label_before__in=["", *Label],
                    label_after__in=["", *Label],
                ),
            ),
            models.CheckConstraint(name="game_removed_range", condition=Q(removed__range=(0, 28))),
            models.CheckConstraint(
                name="game_changed_by_an_entry", condition=Q(changed__lte=F("version"))
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="game_newest_first", fields=["player", "-started_at", "-id"]),
            models.Index(
                name="game_counted_running",
                fields=["last_entry_at"],
                condition=Q(kind=Kind.CASUAL, counted=True, status__in=RUNNING),
            ),
            models.Index(
                name="game_daily_running",
                fields=["closes_at"],
                condition=Q(kind=Kind.DAILY, status__in=RUNNING),
            ),
            models.Index(
                name="game_daily_of_player",
                fields=["player", "started_at"],
                condition=Q(kind=Kind.DAILY),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules_key} game of {self.deal}"

    @property
    def rules(self) -> RuleSet:
        return RULE_SETS[self.rules_key]

    @property
    def is_ranked(self) -> bool:
        return self.kind != Kind.CASUAL

    def is_closed(self, now: datetime) -> bool:
        """Of a daily's: whether its day is."""
        return self.closes_at is not None and now >= self.closes_at

    def start_ledger(self) -> Ledger:
        """What the game was before its first entry."""
        return Ledger.start(
            deck=self.deal.deck,
            rules=self.rules,
            ranked=self.is_ranked,
            at=self.started_at,
            label=_label(self.label_before),
        )

    def ledger(self) -> Ledger:
        """What the row keeps of the log. Raises `ValueError` or `BadCard` for a damaged row."""
        deck = self.deal.deck
        return Ledger(
            play=Playthrough(
                deck=deck,
                position=parse_position(self.position, self.rules),
                line=parse_line(self.line),
                seen=_unpacked(self.seen, deck),
                moves=self.moves,
                undos=self.undos,
            ),
            ranked=self.is_ranked,
            status=Status(self.status),
            hints=self.hints,
            checks=self.checks,
            label=_label(self.label),
            clock=Clock(self.elapsed_ms, self.running_since),
            last_at=self.last_entry_at,
            version=self.version,
            changed=self.changed,
        )

    def keep(self, ledger: Ledger) -> None:
        """Takes over what the log now adds up to: sets the columns of KEPT, and saves nothing."""
        self.status = ledger.status
        self.version = ledger.version
        self.changed = ledger.changed
        self.position = format_position(ledger.play.position)
        self.line = format_line(ledger.play.line)
        self.seen = _packed(ledger.play.seen, ledger.play.deck)
        self.removed = ledger.play.position.removed
        self.moves = ledger.play.moves
        self.undos = ledger.play.undos
        self.hints = ledger.hints
        self.checks = ledger.checks
        self.label = ledger.label or ""
        self.elapsed_ms = ledger.clock.elapsed_ms
        self.running_since = ledger.clock.running_since
        assert ledger.last_at is not None
        self.last_entry_at = ledger.last_at


class LogEntry(models.Model):
    """One thing that happened in a game. Entries are only ever added."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entries")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    type = models.CharField(max_length=10, choices=[(type_, type_) for type_ in EntryType])
    detail = models.CharField(max_length=40, blank=True)
    client_move_id = models.CharField(max_length=64, null=True)  # noqa: DJ001  unique unless absent

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="log_entry_order", fields=["game", "seq"]),
            models.UniqueConstraint(name="log_entry_once", fields=["game", "client_move_id"]),
            models.CheckConstraint(name="log_entry_type_known", condition=Q(type__in=[*EntryType])),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.type} {self.detail}".rstrip()

    @property
    def entry(self) -> Entry:
        return Entry(self.seq, self.at, EntryType(self.type), self.detail)

    @classmethod
    def of(cls, game: Game, entry: Entry, client_move_id: str | None) -> Self:
        return cls(
            game=game,
            seq=entry.seq,
            at=entry.at,
            type=entry.type,
            detail=entry.detail,
            client_move_id=client_move_id,
        )


class Race(models.Model):
    """Players on one deal, each on a board of their own (`game.racing`).

    Whoever changes it, holds its row. Its version is the number of its last event.
    """

    KEPT: ClassVar = ("status", "starts_at", "ends_at")

    code = models.CharField(max_length=12, unique=True)  # whoever knows it may come
    rules_key = models.CharField(max_length=20, choices=[(key, key) for key in RULE_SETS])
    tier = models.CharField(max_length=10, choices=Tier.choices, blank=True)  # empty: by number
    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="races")
    seats_max = models.PositiveSmallIntegerField()
    time_limit_ms = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    rematch_of = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    version = models.PositiveIntegerField(default=0)
    # When something happens by itself: the start, the end, or a forgotten lobby's end.
    due_at = models.DateTimeField(null=True)

    # What its events add up to: the columns of KEPT, and its seats.
    status = models.CharField(
        max_length=10,
        choices=[(status, status) for status in racing.RaceStatus],
        default=racing.RaceStatus.LOBBY,
    )
    starts_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="race_seats_range",
                condition=Q(seats_max__range=(racing.FEWEST_SEATS, racing.MOST_SEATS)),
            ),
            models.CheckConstraint(
                name="race_time_limit_range",
                condition=Q(
                    time_limit_ms__range=(
                        racing.SHORTEST // _MILLISECOND,
                        racing.LONGEST // _MILLISECOND,
                    )
                ),
            ),
            models.CheckConstraint(
                name="race_status_known", condition=Q(status__in=[*racing.RaceStatus])
            ),
            models.CheckConstraint(
                name="race_is_due_until_it_is_over",
                condition=Q(status=racing.RaceStatus.OVER, due_at=None)
                | ~Q(status=racing.RaceStatus.OVER) & Q(due_at__isnull=False),
            ),
            models.CheckConstraint(
                name="race_has_a_start_once_it_is_set",
                condition=~Q(
                    status__in=[racing.RaceStatus.COUNTDOWN, racing.RaceStatus.RUNNING],
                    starts_at=None,
                )
                & ~Q(status=racing.RaceStatus.RUNNING, ends_at=None),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="race_due", fields=["due_at"], condition=Q(due_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"race {self.code}"

    @property
    def rules(self) -> RuleSet:
        return RULE_SETS[self.rules_key]

    @property
    def is_rated(self) -> bool:
        """Dealt by tier from a secret seed: counts in the race records."""
        return self.tier != ""

    def state(self, seats: Iterable["Seat"]) -> racing.Race:
        """What the row and its seats keep."""
        return racing.Race(
            seats_max=self.seats_max,
            time_limit=timedelta(milliseconds=self.time_limit_ms),
            status=racing.RaceStatus(self.status),
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            seats=tuple(seat.state for seat in seats),
        )

    def keep(self, state: racing.Race) -> None:
        """Takes over what its events now add up to, but for the seats; saves nothing."""
        for name in self.KEPT:
            setattr(self, name, getattr(state, name))


class Seat(models.Model):
    """A player's place in a race. It outlives the player, without a name then."""

    KEPT: ClassVar = (
        *("host", "ready", "connected", "removed", "best_removed", "best_ms", "pass_number"),
        *("moves", "undos", "done", "cleared", "elapsed_ms", "place"),
    )

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats"
    )
    game = models.OneToOneField(Game, null=True, on_delete=models.SET_NULL, related_name="seat")
    counted = models.BooleanField(default=True)  # in the player's record, if the race is rated
    seen_at = models.DateTimeField(default=timezone.now)  # when a socket of the player's was heard

    # What its race's events add up to (`game.racing.Seat`): the columns of KEPT.
    host = models.BooleanField(default=False)
    ready = models.BooleanField(default=False)
    connected = models.BooleanField(default=False)
    removed = models.PositiveSmallIntegerField(default=0)
    best_removed = models.PositiveSmallIntegerField(default=0)
    best_ms = models.PositiveBigIntegerField(default=0)
    pass_number = models.PositiveSmallIntegerField(default=1)
    moves = models.PositiveIntegerField(default=0)
    undos = models.PositiveIntegerField(default=0)
    done = models.BooleanField(default=False)
    cleared = models.BooleanField(default=False)
    elapsed_ms = models.PositiveBigIntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_one_per_number", fields=["race", "number"]),
            models.UniqueConstraint(name="seat_one_per_player", fields=["race", "player"]),
            models.UniqueConstraint(name="seat_one_host", fields=["race"], condition=Q(host=True)),
            models.CheckConstraint(
                name="seat_number_range", condition=Q(number__range=(1, racing.MOST_SEATS))
            ),
            models.CheckConstraint(
                name="seat_removed_range",
                condition=Q(removed__lte=F("best_removed")) & Q(best_removed__lte=28),
            ),
            models.CheckConstraint(
                name="seat_done_at_a_time",
                condition=Q(done=True, elapsed_ms__isnull=False)
                | Q(done=False, cleared=False, elapsed_ms=None),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="seat_there", fields=["seen_at"], condition=Q(connected=True))
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of race {self.race_id}"

    @property
    def state(self) -> racing.Seat:
        return racing.Seat(self.number, **{name: getattr(self, name) for name in self.KEPT})

    def keep(self, state: racing.Seat) -> None:
        """Takes over what the race's events now add up to; saves nothing."""
        for name in self.KEPT:
            setattr(self, name, getattr(state, name))


class RaceEvent(models.Model):
    """One thing that happened in a race, as its watchers are told it, but for names: those who
    were away for a moment read here what they missed."""

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    type = models.CharField(max_length=10, choices=[(type_, type_) for type_ in racing.EventType])
    body = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="race_event_order", fields=["race", "seq"]),
            models.CheckConstraint(
                name="race_event_type_known", condition=Q(type__in=[*racing.EventType])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"


class Presence(models.Model):
    """When the player of a casual game was last heard of at a socket. No row: not at any."""

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="presence"
    )
    seen_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"at {self.game_id} until {self.seen_at}"


def _label(text: str) -> Label | None:
    return Label(text) if text else None


def _packed(seen: frozenset[Card], deck: Deck) -> int:
    return sum(1 << place for place, card in enumerate(deck) if card in seen)


def _unpacked(seen: int, deck: Deck) -> frozenset[Card]:
    return frozenset(card for place, card in enumerate(deck) if seen >> place & 1)
