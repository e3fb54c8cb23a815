"""Racing: open a race, take a seat, start, leave, meet again; and what time does to it all."""

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils import timezone

from game import racing
from game.models import Deal, Race, RaceEvent, Seat, Tier
from game.racing import RaceStatus
from game.rules.errors import GameOver
from game.rules.rulesets import RuleSet
from game.selectors import race_by_code, solved_deal
from game.services import play
from game.services.dealing import secret_deal
from game.services.holding import hold as hold_player
from game.services.play import numbered_deal
from game.services.race_change import Held, hold, record
from solver import catalogue

_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that look alike
_CODE_LENGTH = 8
_KEPT_FOR = timedelta(days=1)


def create(
    *,
    player: AbstractBaseUser,
    rules: RuleSet,
    tier: Tier | None = None,
    number: int | None = None,
    seats: int = racing.FEWEST_SEATS,
    time_limit: timedelta = racing.USUAL,
) -> Race:
    """A race with a first seat, its host's: rated by `tier`, whose deal is secret, or friendly on
    a `number`. Raises `UnknownDeal`, `SolverBusy`."""
    deal = _deal(rules=rules, tier=tier, number=number)
    with transaction.atomic():
        hold_player(player)
        race = _new(rules=rules, tier=tier, deal=deal, seats=seats, time_limit=time_limit)
        _take_seat(race.pk, player)
    return race_by_code(race.code)


def join(*, code: str, player: AbstractBaseUser) -> tuple[Race, bool]:
    """A seat of the race; and whether it is new. Raises `RaceNotFound`, `RaceFull` or
    `RaceStarted`."""
    race = race_by_code(code)
    with transaction.atomic():
        hold_player(player)
        joined = _take_seat(race.pk, player)
    return race_by_code(code), joined


def set_ready(*, code: str, player: AbstractBaseUser, ready: bool) -> Race:
    """Raises `RaceNotFound`, `NotSeated`, `RaceStarted`."""
    with transaction.atomic():
        held = hold(race_by_code(code).pk)
        number = held.seat_of(player).number
        record(held, held.state.set_ready(number, ready, timezone.now()))
    return held.row


def start(*, code: str, player: AbstractBaseUser) -> Race:
    """Begins the countdown. Raises `RaceNotFound`, `NotSeated`, `NotHost`, `RaceTooFew`,
    `RaceStarted`."""
    with transaction.atomic():
        held = hold(race_by_code(code).pk)
        record(held, held.state.start(held.seat_of(player).number, timezone.now()))
    return held.row


def leave(*, code: str, player: AbstractBaseUser) -> Race:
    """Frees the seat before the start; gives up the game after it, if it still runs. Raises
    `RaceNotFound`, `NotSeated`."""
    race = race_by_code(code)
    with transaction.atomic():
        _leave(hold(race.pk), player)
    return race_by_code(code)


def leave_all(*, player: AbstractBaseUser) -> None:
    """Leaves every race, as `leave` does, for good: a seat that stays is nobody's from then on. The
    caller holds the player's row."""
    _pass_on_seats(player, None)


def hand_over(*, guest: AbstractBaseUser, account: AbstractBaseUser) -> None:
    """The guest's seats become the account's, and count in no record where the race has started.
    Where the account has a seat of its own, the guest leaves as in `leave_all`. The caller holds
    the rows of both."""
    _pass_on_seats(guest, account)


def tell_name(*, player: AbstractBaseUser) -> None:
    """Those who watch a race in which the player sits learn how the player is called now. Not
    inside the transaction that changes the name: a move that ends a game of the race, and writes a
    record of the player, would wait for it."""
    for race_id in _races_ahead(player).values_list("pk", flat=True):
        with transaction.atomic():
            held = hold(race_id)
            for seat in held.seats:
                if seat.player_id == player.pk and held.state.status is not RaceStatus.OVER:
                    record(held, held.state.tell(seat.number))


def rematch(*, code: str, player: AbstractBaseUser) -> tuple[Race, bool]:
    """The next race, one for all who were in this one, with a seat for the player; and whether it
    is new. Raises `RaceNotFound`, `NotStarted`, `RaceRunning`, `NotSeated`, `SolverBusy`, and what
    `join` raises."""
    race = race_by_code(code)
    race.state([]).hold_over()
    if not race.seats.filter(player_id=player.pk).exists():
        raise racing.NotSeated()
    deal = None if Race.objects.filter(rematch_of=race).exists() else _next_deal(race)
    with transaction.atomic():
        hold_player(player)
        held = hold(race.pk)  # whoever wishes for a rematch at the same moment, waits
        successor = Race.objects.filter(rematch_of=race).first()
        created = successor is None and deal is not None
        if successor is None and deal is not None:
            successor = _succeed(held, player, deal)
        if successor is not None:
            _take_seat(successor.pk, player)
    if successor is None:  # there was one, which all have left just now
        return rematch(code=code, player=player)
    return race_by_code(successor.code), created


# Time


def due_races(now: datetime) -> list[int]:
    return list(
        Race.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    )


def next_due() -> datetime | None:
    """When the next thing happens by itself in any race."""
    due: datetime | None = Race.objects.aggregate(due=Min("due_at"))["due"]
    return due


@transaction.atomic
def pass_time(race_id: int) -> None:
    """Makes happen what is due in a race: the start, or the end. May be called at any time, by
    several processes at once."""
    held, now = hold(race_id), timezone.now()
    if held.row.due_at is not None and held.row.due_at <= now:
        record(held, held.state.pass_time(now))


def forget_old() -> int:
    """Removes the events of races that were over a day ago, which nobody catches up with any more,
    and races that everybody had left, with the secret deals of those; how many rows."""
    long_ago = timezone.now() - _KEPT_FOR
    over = Race.objects.filter(status=RaceStatus.OVER)
    events, _ = RaceEvent.objects.filter(race__in=over, at__lt=long_ago).delete()
    left = over.filter(seats=None, created_at__lt=long_ago)
    deals = list(left.filter(deal__number=None).values_list("deal_id", flat=True))
    empty, _ = left.delete()
    dealt, _ = Deal.objects.filter(pk__in=deals, races=None, games=None).delete()
    return events + empty + dealt


def _take_seat(race_id: int, player: AbstractBaseUser) -> bool:
    """Whether the seat is new."""
    held = hold(race_id)
    if any(seat.player_id == player.pk for seat in held.seats):
        return False
    record(held, held.state.join(), newcomer=player)
    return True


def _leave(held: Held, player: AbstractBaseUser) -> None:
    seat = held.seat_of(player)
    if held.state.status in (RaceStatus.LOBBY, RaceStatus.COUNTDOWN):
        record(held, held.state.leave(seat.number, timezone.now()))
    elif held.state.status is RaceStatus.RUNNING and not seat.done:
        assert seat.game_id is not None
        try:
            play.resign(game_id=seat.game_id, player=player)
        except GameOver:  # the time is up, and nobody has noticed
            pass_time(held.row.pk)


def _pass_on_seats(player: AbstractBaseUser, heir: AbstractBaseUser | None) -> None:
    """All races are held before anything happens in one of them, which holds games and more."""
    for race in list(_races_ahead(player).select_for_update()):
        _pass_on_seat(race.pk, player, heir)
    seats = Seat.objects.filter(player_id=player.pk)
    over = seats.filter(race__status=RaceStatus.OVER)
    if heir is not None:
        doubled = Seat.objects.filter(player_id=heir.pk).values("race")
        over.filter(race__in=doubled).update(player=None)
    over.update(player=heir, counted=False)


def _races_ahead(player: AbstractBaseUser) -> QuerySet[Race]:
    """Those with a seat of the player's that are not over, in the order in which they are held."""
    seats = Seat.objects.filter(player_id=player.pk)
    races = Race.objects.filter(pk__in=seats.values("race")).exclude(status=RaceStatus.OVER)
    return races.order_by("pk")


def _pass_on_seat(race_id: int, player: AbstractBaseUser, heir: AbstractBaseUser | None) -> None:
    """In a race that was not over; those who watch it learn whose seat it is now."""
    held = hold(race_id)
    seats = Seat.objects.filter(race_id=race_id, player_id=player.pk)
    if held.state.status is RaceStatus.RUNNING:
        seats.update(counted=False)
    if heir is None or any(seat.player_id == heir.pk for seat in held.seats):
        heir = None
        _leave(held, player)
    seat = seats.first()
    if seat is not None:  # it stays
        seat.player_id = None if heir is None else heir.pk
        seat.save(update_fields=["player"])
        held = hold(race_id)
        record(held, held.state.tell(seat.number))


def _succeed(held: Held, player: AbstractBaseUser, deal: Deal) -> Race:
    """The race after this one, under the same terms."""
    row = held.row
    successor = _new(
        rules=row.rules,
        tier=Tier(row.tier) if row.is_rated else None,
        deal=deal,
        seats=row.seats_max,
        time_limit=timedelta(milliseconds=row.time_limit_ms),
        rematch_of=row,
    )
    record(held, held.state.succeed(held.seat_of(player).number, successor.code))
    return successor


def _new(
    *,
    rules: RuleSet,
    tier: Tier | None,
    deal: Deal,
    seats: int,
    time_limit: timedelta,
    rematch_of: Race | None = None,
) -> Race:
    deal.save()  # a secret one is new
    return Race.objects.create(
        code="".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH)),
        rules_key=rules.key,
        tier=tier or "",
        deal=deal,
        seats_max=seats,
        time_limit_ms=time_limit // timedelta(milliseconds=1),
        rematch_of=rematch_of,
        due_at=timezone.now() + racing.LOBBY_LASTS,
    )


def _deal(*, rules: RuleSet, tier: Tier | None, number: int | None) -> Deal:
    if number is not None:
        return numbered_deal(number)
    assert tier is not None
    return secret_deal(rules=rules, tier=tier)


def _next_deal(race: Race) -> Deal:
    """Another one of the same sort."""
    if race.is_rated:
        return secret_deal(rules=race.rules, tier=Tier(race.tier))
    solved = solved_deal(number=race.deal.number, rules=race.rules)
    tier = (
        solved.tier if solved is not None and solved.tier is not None else catalogue.Tier.STANDARD
    )
    numbers = catalogue.numbers(race.rules, tier)
    return numbered_deal(secrets.choice([each for each in numbers if each != race.deal.number]))
