"""Which threads keep their connection to the database, and which of those are used again."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction

from pyramid_site.connections import giving_back, keeping

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

Work = Callable[[], Any]
Do = Callable[[Work], Any]


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    """One that lasts for the test."""
    with ThreadPoolExecutor(1) as thread:
        yield thread
        thread.submit(connections.close_all).result()


@pytest.fixture
def keep(thread: ThreadPoolExecutor) -> Do:
    return lambda work: thread.submit(keeping, work).result()


def backend() -> int:
    """Which connection it is, as the database counts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        number: int = cursor.fetchone()[0]
        return number


def end(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [number])


def test_a_connection_is_kept_for_the_next_work(keep: Do) -> None:
    assert keep(backend) == keep(backend)


def test_one_that_is_given_back_is_not(thread: ThreadPoolExecutor) -> None:
    """Without a pool, as in tests, it is closed."""
    first, second = (thread.submit(giving_back, backend).result() for _ in range(2))
    assert first != second


def test_one_that_was_cut_off_between_two_is_not_used_again(keep: Do) -> None:
    first = keep(backend)
    end(first)
    assert keep(backend) != first


def test_one_that_is_cut_off_meanwhile_fails_that_work_and_no_other(keep: Do) -> None:
    def work() -> None:
        with transaction.atomic():
            end_from_outside(backend())
            backend()

    with pytest.raises(DatabaseError):
        keep(work)
    assert keep(lambda: (backend(), connection.in_atomic_block)[1]) is False


def test_work_that_raises_leaves_no_transaction_open(keep: Do) -> None:
    def work() -> None:
        with transaction.atomic():
            backend()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        keep(work)

    def state() -> Any:
        backend()
        return connection.in_atomic_block, connection.get_autocommit()

    assert keep(state) == (False, True)


def end_from_outside(number: int) -> None:
    with ThreadPoolExecutor(1) as other:
        other.submit(giving_back, lambda: end(number)).result()
