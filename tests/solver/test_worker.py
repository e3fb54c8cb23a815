"""The process beside the server: a real one, which is killed, filled and kept waiting here."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from game.rules.deals import numbered_deck
from game.rules.position import Position
from game.rules.rulesets import DEFAULT
from solver.search import decide
from solver.worker import Busy, Failed, Worker
from tests.serving import ROOT
from tests.solver import questions

MEGABYTE = 1 << 20


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Any) -> None:
    give_up = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def in_thread(worker: Worker, *question: Any) -> "Future[Any]":
    answer: Future[Any] = Future()

    def ask() -> None:
        try:
            answer.set_result(worker.ask(*question))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    return answer


def test_it_answers_what_the_function_answers(worker: Worker) -> None:
    position = Position.deal(numbered_deck(1), DEFAULT)
    assert worker.ask(decide, position) == decide(position)
    assert worker.ask(questions.double, number=4) == 8


def test_it_starts_with_the_first_question_and_stays(worker: Worker) -> None:
    assert worker.pid is None
    first = worker.ask(os.getpid)
    assert first == worker.pid != os.getpid()
    assert worker.ask(os.getpid) == first


def test_it_gives_way_to_the_server(worker: Worker) -> None:
    assert worker.ask(questions.niceness) == min(19, os.nice(0) + 10)


def test_ctrl_c_is_for_the_server(worker: Worker) -> None:
    pid = worker.ask(os.getpid)
    os.kill(pid, signal.SIGINT)
    assert worker.ask(os.getpid) == pid


def test_a_question_that_raises_says_so_and_the_next_is_answered(worker: Worker) -> None:
    pid = worker.ask(os.getpid)
    with pytest.raises(Failed, match="ValueError: no such thing"):
        worker.ask(questions.refuse, "no such thing")
    assert worker.ask(os.getpid) == pid


@pytest.mark.parametrize("question", [questions.die, questions.unanswerable])
def test_when_it_dies_over_a_question_the_next_starts_another(
    worker: Worker, question: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    first = worker.ask(os.getpid)
    with pytest.raises(Busy):
        worker.ask(question)
    assert worker.ask(os.getpid) != first
    assert not lives(first)


def test_when_it_was_killed_while_idle_the_next_question_is_answered(worker: Worker) -> None:
    first = worker.ask(os.getpid)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not worker._child.process.is_alive())
    assert worker.ask(questions.double, 4) == 8


def test_those_who_wait_are_answered_by_the_next_process(worker: Worker) -> None:
    first = worker.ask(os.getpid)
    slow = in_thread(worker, questions.slow, 60)
    wait_until(worker._turn.locked)
    waiting = [in_thread(worker, os.getpid) for _ in range(3)]
    os.kill(first, signal.SIGKILL)
    with pytest.raises(Busy):
        slow.result(20)
    pids = {answer.result(20) for answer in waiting}
    assert len(pids) == 1
    assert pids != {first}


def test_eight_may_wait_and_no_more(worker: Worker) -> None:
    worker.ask(os.getpid)
    with ThreadPoolExecutor(20) as threads:
        answers = [threads.submit(worker.ask, questions.slow, 0.2) for _ in range(20)]
    refused = [answer for answer in answers if isinstance(answer.exception(), Busy)]
    assert len(refused) == 20 - 9
    assert worker.ask(questions.double, 4) == 8  # and the places are free again


def test_a_turn_is_not_waited_for_for_ever() -> None:
    worker = Worker(turn_s=0.1)
    slow = in_thread(worker, questions.slow, 1)
    wait_until(worker._turn.locked)
    with pytest.raises(Busy):
        worker.ask(questions.double, 4)
    slow.result(20)
    worker.stop()


def test_what_is_not_urgent_does_not_wait_long(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert worker.ask_soon(questions.double, 4) == 8
    monkeypatch.setattr("solver.worker.SOON_S", 0.1)
    slow = in_thread(worker, questions.slow, 1)
    wait_until(worker._turn.locked)
    with pytest.raises(Busy):
        worker.ask_soon(questions.double, 4)
    slow.result(20)
    assert worker.ask_soon(questions.double, 4) == 8


def test_of_what_is_not_urgent_only_one_waits(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.ask(os.getpid)
    monkeypatch.setattr("solver.worker.SOON_S", 20)
    slow = in_thread(worker, questions.slow, 1)
    wait_until(worker._turn.locked)
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(worker.ask_soon, questions.double, 4) for _ in range(4)]
    refused = [answer for answer in answers if isinstance(answer.exception(), Busy)]
    assert len(refused) == 3
    slow.result(20)


def test_an_answer_is_not_waited_for_for_ever() -> None:
    worker = Worker(answer_s=0.5)
    with pytest.raises(Busy):
        worker.ask(questions.slow, 60)
    assert worker.pid is None
    worker.answer_s = 20
    assert worker.ask(questions.double, 4) == 8
    worker.stop()


def test_many_threads_each_get_their_own_answer(worker: Worker) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: worker.ask(questions.double, number), range(99)))
    assert answers == [2 * number for number in range(99)]


def test_it_may_take_so_much_memory_and_no_more() -> None:
    worker = Worker(memory=100 * MEGABYTE)
    assert worker.ask(questions.fill, 50 * MEGABYTE) == 50 * MEGABYTE
    with pytest.raises(Busy):
        worker.ask(questions.fill, 200 * MEGABYTE)
    assert worker.ask(questions.fill, 50 * MEGABYTE) == 50 * MEGABYTE
    worker.stop()


def test_the_cap_is_above_what_the_process_begins_with(worker: Worker) -> None:
    assert 1 << 30 < worker.ask(questions.room) < 2 << 30


SERVER = """
import time
from solver.worker import worker
from tests.solver import questions
print(worker.ask(questions.slow, 0), flush=True)
{then}
"""


def server(then: str) -> "subprocess.Popen[str]":
    """A process that has asked its worker, and prints the worker's pid."""
    return subprocess.Popen(
        [sys.executable, "-c", SERVER.format(then=then)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("then", ["time.sleep(60)", "worker.ask(questions.slow, 1)"])
def test_it_ends_when_the_server_is_killed(then: str) -> None:
    with server(then) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    wait_until(lambda: not lives(pid))


def test_it_ends_with_the_server() -> None:
    with server("") as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
    assert process.returncode == 0
    wait_until(lambda: not lives(pid))
