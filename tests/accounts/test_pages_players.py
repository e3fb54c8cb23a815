"""The players' pages, as nobody, a guest, an account and another player see them."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import RaceRecord, Record, Settings, User
from accounts.services import settings as changing
from game.models import Game, Kind, Tier
from tests.accounts.markup import assert_ours
from tests.accounts.players import PASSWORD, At, account, browser, guest
from tests.caller import Caller
from tests.game.racers import Racers
from tests.game.ranked import ranked_game

pytestmark = pytest.mark.django_db

CHOICES = {"language": "", "motion": "system", "point_values": "on", "company": "on"}
OF_ANNA = {**CHOICES, "whose": "Anna"}


@pytest.fixture
def anna() -> User:
    return account("Anna")


@pytest.fixture
def client(anna: User) -> Client:
    return browser(anna)


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer
    return assert_ours(answer).text


def record(player: User, rules: str = "classic", tier: Tier = Tier.EASY, **columns: Any) -> None:
    won = {"played": 4, "won": 3, "best_streak": 3, "fastest_win_ms": 65_000, "fewest_moves": 32}
    Record.objects.update_or_create(
        player=player, rules_key=rules, tier=tier, defaults={**won, **columns}
    )


# Every page, for everybody


@pytest.mark.parametrize("path", ["/profile", "/history", "/settings"])
def test_own_page_is_there_for_nobody_a_guest_and_an_account(client: Client, path: str) -> None:
    for visitor in (Client(), guest()[0], client):
        text_of(visitor, path)


@pytest.mark.parametrize("path", ["/profile", "/history"])
def test_nobody_is_told_to_play_first_or_to_log_in(path: str) -> None:
    text = text_of(Client(), path)
    assert "Nothing is played yet" in text
    assert f"/accounts/login/?next={path}" in text
    assert User.objects.count() == 0


# A player's page


def test_player_is_seen_by_anybody(anna: User) -> None:
    for visitor in (Client(), guest()[0], browser(account("boris")), browser(anna)):
        text = text_of(visitor, "/players/Anna")
        assert "<bdi>Anna</bdi>" in text


def test_name_in_another_case_leads_to_the_player_as_written(anna: User) -> None:
    answer = Client().get("/players/aNNA")
    assert (answer.status_code, answer["Location"]) == (302, "/players/Anna")


@pytest.mark.parametrize("name", ["nobody", "a" * 200, "%00", "..", "anna%0A"])
def test_name_of_nobody_is_a_page_that_is_not_there(anna: User, name: str) -> None:
    answer = Client().get(f"/players/{name}")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/profile", "/players/Anna"])
def test_private_player_is_told_who_sees_the_own_pages(
    anna: User, client: Client, path: str
) -> None:
    assert "Private: only you see this." not in text_of(client, path)
    changing.change(player=anna, private=True)
    assert "Private: only you see this." in text_of(client, path)
    assert "only you" not in text_of(browser(account("boris")), "/players/Anna")


def test_filters_of_the_history_are_not_filled_in_by_the_browser(client: Client) -> None:
    [filters] = assert_ours(client.get("/history")).all("form", role="search")
    assert filters["autocomplete"] == "off"


def test_player_who_has_gone_has_no_page(anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert Client().get("/players/Anna").status_code == 404


def test_guest_is_called_one() -> None:
    _, player = guest()
    assert "Guest" in text_of(Client(), f"/players/{player.username}")


def test_records_stand_by_rule_set_and_tier_and_as_a_whole(anna: User) -> None:
    record(anna, best_against_par=7)
    record(anna, "open", Tier.STANDARD, played=1, won=0, best_streak=0,
           fastest_win_ms=None, fewest_moves=None)  # fmt: skip
    text = text_of(Client(), "/players/Anna")
    for shown in ("Classic <small>Easy</small>", "Open <small>Standard</small>"):
        assert shown in text
    for shown in (">75%<", ">1:05<", ">32<", ">7<", ">0%<", ">60%<", ">–<"):
        assert shown in text, shown


def test_races_stand_below_them_won_drawn_and_lost(anna: User) -> None:
    assert "<h3>Races</h3>" not in text_of(Client(), "/players/Anna")
    RaceRecord.objects.create(player=anna, played=9, won=5, drawn=1)
    text = text_of(Client(), "/players/Anna")
    shown = re.findall(r"<dt>(\w+)</dt><dd>(\d+)</dd>", text[text.index("<h3>Races</h3>") :])
    assert shown[:4] == [("Played", "9"), ("Won", "5"), ("Drawn", "1"), ("Lost", "3")]
    assert "stand here after the first game" not in text


@pytest.mark.parametrize(
    ("played", "won", "shown"), [(8, 1, "13%"), (8, 5, "63%"), (3, 1, "33%"), (3, 2, "67%")]
)
def test_half_a_percent_is_rounded_up_as_scripts_do(
    anna: User, played: int, won: int, shown: str
) -> None:
    record(anna, played=played, won=won, best_streak=1)
    assert f">{shown}<" in text_of(Client(), "/players/Anna")


def test_player_without_games_is_told_what_will_stand_there(client: Client) -> None:
    text = text_of(client, "/profile")
    assert text.count('class="empty"') == 5  # records, three plots, games


def test_plots_stand_with_their_tables_and_their_numbers(anna: User, client: Client) -> None:
    At(anna).wins(detour=2)
    At(anna).loses()
    for path in ("/profile", "/players/Anna"):
        answer = client.get(path)
        page = assert_ours(answer)
        assert page.text.count("<table") == 4  # of the records, too
        assert page.text.count('role="img"') == 3
        [data] = page.all("script", id="plots-data")
        assert data["type"] == "application/json"
    assert "Table: Classic · Easy" in page.text
    assert '<th scope="row">2</th>' in page.text
    assert json.loads(page.text.split('type="application/json">')[1].split("</script>")[0])


def test_games_that_have_ended_are_shown_and_no_others(anna: User) -> None:
    ended = At(anna).loses()
    running = At(anna).starts("open", 12)
    at = At(anna)
    ranked = ranked_game(at.caller, Kind.DAILY)
    text = text_of(Client(), "/players/Anna")
    assert f"/play/classic/7?game={ended.pk}" in text
    assert str(running.pk) not in text
    assert ranked.id not in text


def test_private_player_is_seen_by_nobody_else(anna: User, client: Client) -> None:
    At(anna).loses()
    record(anna)
    changing.change(player=anna, private=True)
    for visitor in (Client(), browser(account("boris"))):
        text = text_of(visitor, "/players/Anna")
        assert "keeps games and records private" in text
        assert "/play/classic/7" not in text
        assert "plots-data" not in text
        assert "75%" not in text
    assert "75%" in text_of(client, "/players/Anna")
    assert "75%" in text_of(client, "/profile")


def test_guest_is_invited_to_register_and_an_account_is_not(client: Client) -> None:
    invitation = "Your games live in this browser only"
    assert invitation in text_of(guest()[0], "/profile")
    assert invitation not in text_of(client, "/profile")


def test_name_is_never_taken_for_markup() -> None:
    player = User.objects.create(username="<i>&amp;'\"")
    answer = Client().get("/players/%3Ci%3E&amp;'%22")
    assert answer.context["player"] == player
    assert "<i>" not in assert_ours(answer).text


# History


def test_history_shows_own_games_only(anna: User, client: Client) -> None:
    mine = At(anna).loses()
    other = At(account("boris")).loses()
    text = text_of(client, "/history")
    assert str(mine.pk) in text
    assert str(other.pk) not in text


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", {"won", "lost", "running", "number"}),
        ("rules=open", {"running"}),
        ("tier=standard", {"running"}),
        ("tier=none", {"number"}),
        ("result=won", {"won"}),
        ("result=lost", {"lost", "number"}),
        ("result=running", {"running"}),
        ("kind=race", set()),
        ("rules=classic&tier=easy&result=won", {"won"}),
        ("rules=nonsense&tier=&result=%00", {"won", "lost", "running", "number"}),
        ("page=nonsense", {"won", "lost", "running", "number"}),
        ("page=99", {"won", "lost", "running", "number"}),
    ],
)
def test_history_is_filtered(anna: User, client: Client, query: str, shown: set[str]) -> None:
    at = At(anna)
    games = {
        "won": at.wins(),
        "lost": at.loses(),
        "number": at.loses(tier=None),
        "running": at.starts("open", 12, Tier.STANDARD),
    }
    text = text_of(client, f"/history?{query}")
    assert {name for name, game in games.items() if str(game.pk) in text} == shown


def test_running_game_is_gone_on_with_and_practice_is_called_so(anna: User, client: Client) -> None:
    At(anna).starts("classic", 12)
    text = text_of(client, "/history")
    assert "Go on" in text
    assert "Practice" in text


def test_history_goes_on_over_pages_with_its_filters(anna: User, client: Client) -> None:
    for number in range(1, 28):
        At(anna).starts("classic", number)
    first = text_of(client, "/history?result=running")
    assert first.count('class="game playing"') == 25
    assert "?result=running&amp;page=2" in first
    assert text_of(client, "/history?result=running&page=2").count('class="game playing"') == 2


def test_history_asks_the_database_little_however_many_games(
    anna: User, client: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(1, 20):
        At(anna).starts("classic", number)
    with django_assert_max_num_queries(
        7
    ):  # the session, its player, how many, the games; a race, a
        # daily
        client.get("/history")


def test_profile_asks_the_database_little_however_many_games(
    anna: User, client: Client, django_assert_max_num_queries: Any
) -> None:
    for rules in ("classic", "open", "blind"):
        At(anna).wins(rules)
    # the session, its player, the settings; the records, the races', the days', the plots, the
    # latest games, a race, a daily
    with django_assert_max_num_queries(11):
        client.get("/profile")


@pytest.mark.parametrize("terms", [{"number": 7}, {"tier": "random"}])
def test_game_of_a_race_leads_to_the_race(
    anna: User, client: Client, terms: dict[str, Any], django_assert_max_num_queries: Any
) -> None:
    codes = []
    for _ in range(3):
        race = Racers(At(anna).caller, Caller.guest(), **terms)
        race.start()
        codes.append(race.code)
    with django_assert_max_num_queries(6):
        games = text_of(client, "/history").split('<ul class="games">')[1]
    for code in codes:
        assert games.count(f'href="/race/{code}"') == 2  # also where it says to go on


def test_time_of_a_running_race_goes_on_and_that_of_a_casual_game_stands_still(
    anna: User, client: Client
) -> None:
    ranked_game(At(anna).caller, Kind.RACE)
    At(anna).starts("classic", 12)
    Game.objects.update(running_since=timezone.now() - timedelta(seconds=65))
    times = re.findall(r"<dt>Time</dt><dd>([^<]*)", text_of(client, "/history"))
    assert times[0] == "0:00"
    assert times[1] in ("1:05", "1:06", "1:07")


def test_game_of_a_secret_deal_has_no_link(anna: User, client: Client) -> None:
    ranked_game(At(anna).caller, Kind.RACE)
    text = text_of(client, "/history")
    assert "<b>Race</b>" in text
    assert "/play/classic/None" not in text


def test_times_are_given_in_utc_for_a_script_to_turn(anna: User, client: Client) -> None:
    game = At(anna).loses()
    moment = game.last_entry_at.isoformat(timespec="seconds")
    assert f'<time datetime="{moment}" data-shown="moment">' in text_of(client, "/history")


# Settings


def test_settings_are_saved_and_that_is_said(anna: User, client: Client) -> None:
    chosen = {**OF_ANNA, "four_colours": "on", "motion": "reduced", "private": "on"}
    answer = client.post("/settings", chosen, follow=True)
    assert answer.redirect_chain == [("/settings", 302)]
    assert "Saved." in assert_ours(answer).text
    kept = Settings.objects.get(player=anna)
    assert (kept.four_colours, kept.motion, kept.private) == (True, "reduced", True)
    assert (kept.point_values, kept.left_handed, kept.hide_opponent) == (True, False, False)


def test_company_is_wanted_until_it_is_switched_off(anna: User, client: Client) -> None:
    switches = {
        box["name"]: "checked" in box
        for box in assert_ours(client.get("/settings")).all("input", type="checkbox")
    }
    assert switches["company"] is True
    client.post("/settings", {name: OF_ANNA[name] for name in OF_ANNA if name != "company"})
    assert Settings.objects.get(player=anna).company is False


def test_settings_show_what_is_kept(anna: User, client: Client) -> None:
    changing.change(player=anna, left_handed=True, point_values=False, motion="full")
    page = assert_ours(client.get("/settings"))
    switches = {box["name"]: "checked" in box for box in page.all("input", type="checkbox")}
    assert (switches["left_handed"], switches["point_values"]) == (True, False)
    assert [radio["value"] for radio in page.all("input", type="radio") if "checked" in radio] == [
        "full"
    ]


def test_language_of_the_settings_is_that_of_the_pages_from_then_on(client: Client) -> None:
    answer = client.post("/settings", {**OF_ANNA, "language": "ru"}, follow=True)
    assert '<html lang="ru">' in answer.content.decode()
    assert client.cookies["django_language"].value == "ru"
    client.post("/settings", OF_ANNA)
    assert client.cookies["django_language"].value == ""


@pytest.mark.parametrize("wrong", [{"language": "xx"}, {"motion": "wild"}, {"motion": ""}])
def test_value_that_is_none_saves_nothing(
    anna: User, client: Client, wrong: dict[str, str]
) -> None:
    page = assert_ours(client.post("/settings", {**OF_ANNA, "private": "on", **wrong}))
    assert "Nothing is saved" in page.text
    assert not Settings.objects.filter(player=anna).exists()


def test_looking_at_the_settings_makes_nobody_a_guest_but_saving_does() -> None:
    client = Client()
    client.get("/settings")
    assert User.objects.count() == 0
    client.post("/settings", {**CHOICES, "four_colours": "on"})
    player = User.objects.get()
    assert player.is_guest
    assert player.settings.four_colours
    assert client.get("/profile").context["player"] == player


def test_settings_are_sent_as_nobody_opens_them() -> None:
    client = Client()
    page = assert_ours(client.get("/settings"))
    marked = [box for box in page.all("input") if "checked" in box]
    sent = {str(box["name"]): str(box.get("value", "on")) for box in marked}
    assert sent == {"motion": "system", "point_values": "on", "company": "on"}
    [whose] = page.all("input", name="whose")
    answer = client.post("/settings", {**sent, "whose": whose["value"]}, follow=True)
    assert "Saved." in answer.content.decode()
    kept = User.objects.get().settings
    assert (kept.motion, kept.point_values, kept.four_colours) == ("system", True, False)


def test_settings_of_an_account_that_is_logged_out_elsewhere_are_not_saved_as_a_guests(
    anna: User, client: Client
) -> None:
    [whose] = assert_ours(client.get("/settings")).all("input", name="whose")
    assert whose["value"] == "Anna"
    anna.sessions.all().delete()
    answer = client.post("/settings", {**OF_ANNA, "private": "on"}, follow=True)
    assert answer.redirect_chain == [("/accounts/login/?next=/settings", 302)]
    said = assert_ours(answer).text
    assert "Nothing was saved: you are logged out on this device." in said
    assert "Saved." not in said
    assert [*User.objects.all()] == [anna]
    assert not Settings.objects.exists()


@pytest.mark.parametrize("whose", ["", "Anna"])
def test_settings_that_somebody_else_opened_are_not_saved(anna: User, whose: str) -> None:
    client = browser(account("boris"))
    sent = {**CHOICES, "whose": whose, "private": "on"}
    answer = client.post("/settings", sent, follow=True)
    assert "Nothing was saved: you are boris on this device now." in assert_ours(answer).text
    assert not Settings.objects.exists()


def test_settings_that_nobody_opened_are_saved_for_the_guest_who_has_begun_since() -> None:
    client, player = guest()
    client.post("/settings", {**CHOICES, "left_handed": "on"})
    assert Settings.objects.get().player == player


@pytest.mark.usefixtures("counters")
def test_guests_are_not_made_without_bound_by_saving(settings: Any) -> None:
    settings.RATE_LIMITS = {"guests": "2/minute"}
    answers = [Client(REMOTE_ADDR="192.0.2.77").post("/settings", CHOICES) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert_ours(answers[2])
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert User.objects.count() == 2


def test_settings_are_not_saved_for_another_site(anna: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna)
    answer = client.post("/settings", {**CHOICES, "private": "on"})
    assert answer.status_code == 403
    assert_ours(answer)
    assert not Settings.objects.exists()


def test_account_is_managed_from_the_settings_and_a_guest_registers(client: Client) -> None:
    for_account, for_guest = text_of(client, "/settings"), text_of(guest()[0], "/settings")
    for path in ("email/", "password/change/", "2fa/", "sessions/"):
        assert f'"/accounts/{path}"' in for_account
        assert f'"/accounts/{path}"' not in for_guest
    assert for_guest.count('"/accounts/signup/"') == 2  # in the menu, too


# Export and deletion


def test_own_data_are_a_file(anna: User, client: Client) -> None:
    game = At(anna).loses()
    answer = client.get("/settings/export")
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith('attachment; filename="pyramid-')
    data = json.loads(b"".join(answer.streaming_content))
    assert [kept["id"] for kept in data["games"]] == [str(game.pk)]


@pytest.mark.usefixtures("counters")
def test_own_data_are_not_taken_out_without_bound(
    anna: User, client: Client, settings: Any
) -> None:
    settings.RATE_LIMITS = {"export": "1/hour"}
    assert client.get("/settings/export").status_code == 200
    answer = client.get("/settings/export")
    assert answer.status_code == 429
    assert_ours(answer)


@pytest.mark.parametrize("path", ["/settings/export", "/settings/delete"])
def test_nobody_has_nothing_to_take_out_or_delete(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Location"]) == (302, "/settings")


def test_deletion_says_what_goes_and_what_stays(client: Client) -> None:
    text = text_of(client, "/settings/delete")
    for said in ("What goes", "your games and their logs", "What stays", "without your name"):
        assert said in text


def test_account_is_deleted_with_its_password(anna: User, client: Client) -> None:
    At(anna).loses()
    answer = client.post("/settings/delete", {"password": PASSWORD}, follow=True)
    assert "All that was yours is deleted." in assert_ours(answer).text
    assert not User.objects.exists()
    assert not Game.objects.exists()
    assert not answer.context["user"].is_authenticated


@pytest.mark.parametrize("sent", [{}, {"password": "wrong"}, {"sure": "on"}])
def test_account_is_not_deleted_without_it(
    anna: User, client: Client, sent: dict[str, str]
) -> None:
    page = assert_ours(client.post("/settings/delete", sent))
    [password] = page.all("input", type="password")
    assert password["aria-invalid"] == "true"
    assert User.objects.get() == anna


def test_guest_is_deleted_when_the_box_is_ticked() -> None:
    client, player = guest()
    assert_ours(client.post("/settings/delete", {}))
    assert User.objects.get() == player
    client.post("/settings/delete", {"sure": "on"})
    assert not User.objects.exists()


# The menu of every page


@pytest.mark.parametrize("path", ["/", "/settings", "/api/v1/problems/"])
def test_menu_offers_what_fits_the_visitor(client: Client, path: str) -> None:
    menus = [menu_of(visitor, path) for visitor in (Client(), guest()[0], client)]
    for menu in menus:
        for link in ("/profile", "/history", "/settings"):
            assert f'href="{link}"' in menu
    for menu in menus[:2]:
        assert "/accounts/signup/" in menu
        assert "/accounts/login/" in menu
        assert "/accounts/logout/" not in menu
    assert "/accounts/logout/" in menus[2]
    assert "/accounts/login/" not in menus[2]
    assert "Anna" in menus[2]


def menu_of(client: Client, path: str) -> str:
    return client.get(path).content.decode().split("<details", 1)[1].split("</details>")[0]
