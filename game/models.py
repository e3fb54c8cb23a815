"""Deals, games and their logs.

The log is the truth. What a game's row says of position, counts and time is what its log adds up
to (`game.ledger`), kept there so that a move need not read the log; `manage.py verify_logs` holds
the two together.
"""

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from game.answers import Label
from game.ledger import Clock, Entry, EntryType, Ledger, Status
from game.rules.cards import Card
from game.rules.deals import LAST_NUMBER, Deck, numbered_deck, seeded_deck
from game.rules.notation import format_line, format_position, parse_line, parse_position
from game.rules.playthrough import Playthrough
from game.rules.rulesets import RULE_SETS, RuleSet

RUNNING = (Status.PLAYING, Status.STUCK)
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
        ]

    def __str__(self) -> str:
        return f"{self.rules_key} game of {self.deal}"

    @property
    def rules(self) -> RuleSet:
        return RULE_SETS[self.rules_key]

    @property
    def is_ranked(self) -> bool:
        return self.kind != Kind.CASUAL

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
