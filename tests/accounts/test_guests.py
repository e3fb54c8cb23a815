"""A guest plays at once: one call, no form; the token is the session."""

from datetime import timedelta

import pytest
from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.test import Client
from django.utils import timezone

from accounts.models import Session, User
from tests.caller import API, Caller, assert_problem

pytestmark = pytest.mark.django_db

GUESTS = f"{API}guests/"
START = {"rules": "classic", "number": 7}


def browser() -> Client:
    return Client(enforce_csrf_checks=True)


def test_one_call_makes_a_guest_with_a_token() -> None:
    answer = Client().post(GUESTS)
    assert answer.status_code == 201
    body = answer.json()
    assert body.keys() == {"token", "player"}
    assert body["player"].keys() >= {"name", "is_guest"}
    assert body["player"]["is_guest"] is True
    assert body["player"]["name"]


def test_a_guest_is_a_user_without_a_password() -> None:
    name = Client().post(GUESTS).json()["player"]["name"]
    user = User.objects.get(username=name)
    assert user.is_guest
    assert not user.has_usable_password()


def test_each_guest_is_another_player() -> None:
    first, second = Client().post(GUESTS).json(), Client().post(GUESTS).json()
    assert first["token"] != second["token"]
    assert first["player"]["name"] != second["player"]["name"]


def test_the_token_is_a_bearer_token() -> None:
    token = Client().post(GUESTS).json()["token"]
    assert Caller(token).get("games/").status_code == 200
    assert Caller().get("games/").status_code == 401


def test_the_word_bearer_is_taken_in_any_case() -> None:
    token = Client().post(GUESTS).json()["token"]
    client = Client(headers={"Authorization": f"bEARER {token}"})
    assert client.get(f"{API}games/").status_code == 200


def test_the_token_is_the_session_token_that_allauth_looks_up() -> None:
    body = Client().post(GUESTS).json()
    session = SessionTokenStrategy().lookup_session(body["token"])
    assert session is not None
    guest = User.objects.get(username=body["player"]["name"])
    assert session["_auth_user_id"] == str(guest.pk)


def test_the_session_knows_its_player_in_a_column() -> None:
    body = Client().post(GUESTS).json()
    session = Session.objects.get(session_key=body["token"])
    assert session.user is not None
    assert session.user.username == body["player"]["name"]


def test_a_second_call_with_the_token_answers_its_own_player() -> None:
    body = Client().post(GUESTS).json()
    again = Caller(body["token"]).post("guests/")
    assert again.status_code == 200
    assert again.json() == body
    assert User.objects.count() == 1


def test_a_second_call_with_the_cookie_answers_its_own_player() -> None:
    client = Client()
    body = client.post(GUESTS).json()
    again = client.post(GUESTS)
    assert (again.status_code, again.json()) == (200, body)
    assert User.objects.count() == 1


def test_a_browser_is_logged_in_by_its_cookie() -> None:
    client = Client()
    token = client.post(GUESTS).json()["token"]
    assert client.cookies["sessionid"].value == token
    assert client.get(f"{API}games/").status_code == 200


def test_the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites() -> None:
    client = Client()
    client.post(GUESTS)
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_a_cookie_needs_the_csrf_token_to_change_anything() -> None:
    client = browser()
    client.post(GUESTS)
    refused = client.post(f"{API}games/", START, content_type="application/json")
    assert refused.status_code == 403
    assert refused["Content-Type"] == "application/problem+json"
    assert client.get(f"{API}games/").json()["results"] == []


def test_a_cookie_with_the_csrf_token_of_the_page_plays() -> None:
    client = browser()
    client.post(GUESTS)
    client.get("/")
    csrf = client.cookies["csrftoken"].value
    answer = client.post(
        f"{API}games/", START, content_type="application/json", headers={"X-CSRFToken": csrf}
    )
    assert answer.status_code == 201


def test_a_bearer_token_needs_no_csrf_token() -> None:
    token = Client().post(GUESTS).json()["token"]
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {token}"})
    answer = client.post(f"{API}games/", START, content_type="application/json")
    assert answer.status_code == 201


def test_a_bearer_token_counts_before_a_cookie() -> None:
    cookie, token = Client(), Client().post(GUESTS).json()["token"]
    cookie.post(GUESTS)
    game = Caller(token).deal("classic", 7)
    answer = cookie.get(f"{API}{game.address}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer " + "a" * 32,
        "Bearer " + "a" * 5000,
        "Bearer two words",
        "Bearer ../../etc/passwd",
        "Bearer ünïcode",
        "Bearer \x00",
        "Bearer ' OR 1=1 --",
    ],
)
@pytest.mark.parametrize("address", ["games/", "rules/"])
def test_a_token_of_nobody_is_refused_everywhere(header: str, address: str) -> None:
    answer = Client(headers={"Authorization": header}).get(f"{API}{address}")
    assert_problem(answer, 401, "authentication_failed")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_call_without_a_token_is_asked_for_one() -> None:
    answer = Client().get(f"{API}games/")
    assert_problem(answer, 401, "not_authenticated")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_another_scheme_is_no_token() -> None:
    answer = Client(headers={"Authorization": "Basic Zm9vOmJhcg=="}).get(f"{API}games/")
    assert_problem(answer, 401, "not_authenticated")


def test_an_expired_token_is_refused() -> None:
    token = Client().post(GUESTS).json()["token"]
    Session.objects.filter(session_key=token).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    assert_problem(Caller(token).get("games/"), 401, "authentication_failed")


def test_the_token_of_a_session_that_was_ended_is_refused() -> None:
    token = Client().post(GUESTS).json()["token"]
    Session.objects.get(session_key=token).delete()
    assert_problem(Caller(token).get("games/"), 401, "authentication_failed")


def test_the_token_of_a_player_who_was_closed_out_is_refused() -> None:
    body = Client().post(GUESTS).json()
    User.objects.filter(username=body["player"]["name"]).update(is_active=False)
    assert_problem(Caller(body["token"]).get("games/"), 401, "authentication_failed")


def test_a_token_ends_with_the_password_that_it_was_made_under() -> None:
    body = Client().post(GUESTS).json()
    user = User.objects.get(username=body["player"]["name"])
    user.set_password("another one")
    user.save()
    assert_problem(Caller(body["token"]).get("games/"), 401, "authentication_failed")


def test_a_guest_lasts_for_a_year() -> None:
    """It has nothing but its token to come back with."""
    token = Client().post(GUESTS).json()["token"]
    left = Session.objects.get(session_key=token).expire_date - timezone.now()
    assert left > timedelta(days=364)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_site_cannot_make_a_browser_another_guest(
    db: None, headers: dict[str, str]
) -> None:
    answer = Client(headers=headers).post("/api/v1/guests/", content_type="text/plain")
    assert answer.status_code == 403
    assert answer.json()["code"] == "csrf_failed"
    assert not answer.cookies


def test_the_page_itself_may_start_a_guest(db: None) -> None:
    headers = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert Client(headers=headers).post("/api/v1/guests/").status_code == 201
