from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from app.workers import Worker, Workers

pytestmark = pytest.mark.unit


def test_work_is_done_in_order_on_a_thread_of_that_name():
    worker = Worker("store")
    done: list[int] = []
    futures = [worker.submit(done.append, number) for number in range(100)]
    name = worker.submit(lambda: threading.current_thread().name)
    assert name.result() == "store"
    assert all(future.done() for future in futures)
    assert done == list(range(100))
    assert worker.close()


def test_an_exception_travels_in_the_future_and_the_next_job_runs():
    worker = Worker("jobs")
    broken = worker.submit(int, "not a number")
    with pytest.raises(ValueError, match="not a number"):
        broken.result()
    assert worker.submit(int, "7").result() == 7
    worker.close()


def test_a_job_cancelled_before_it_began_does_not_run():
    worker = Worker("jobs")
    gate, ran = threading.Event(), threading.Event()
    worker.submit(gate.wait)
    second = worker.submit(ran.set)
    assert second.cancel()
    gate.set()
    assert worker.close()
    assert not ran.is_set()


def test_closing_finishes_what_was_handed_in_and_takes_nothing_more():
    worker = Worker("store")
    done: list[int] = []
    for number in range(50):
        worker.submit(done.append, number)
    assert worker.close()
    assert len(done) == 50
    with pytest.raises(RuntimeError, match="store is closed"):
        worker.submit(print)
    assert worker.close(), "closing again is harmless"


@pytest.mark.expects_warning
def test_a_job_that_does_not_end_is_told_of_and_not_waited_for(caplog):
    worker = Worker("jobs")
    gate = threading.Event()
    worker.submit(gate.wait)
    assert not worker.close(deadline_s=0.05)
    assert "jobs has not ended" in caplog.text
    gate.set()
    assert worker.close()


def test_both_workers_close_and_a_last_job_may_still_save():
    workers = Workers()
    saved = threading.Event()
    workers.jobs.submit(lambda: workers.store.submit(saved.set))
    assert workers.close()
    assert saved.is_set()


PROGRAM = """
import sys, time
import app.workers
app.workers.EXIT_DEADLINE_S = float(sys.argv[1])
worker = app.workers.Worker("store")
for number in range(20):
    worker.submit(time.sleep, 0.01)
worker.submit(lambda: print("saved", flush=True))
worker.submit(time.sleep, float(sys.argv[2]))
"""


def run_and_end(deadline_s: float, last_job_s: float) -> str:
    command = [sys.executable, "-c", PROGRAM, str(deadline_s), str(last_job_s)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout


def test_the_end_of_the_program_loses_no_queued_save():
    assert run_and_end(deadline_s=20, last_job_s=0) == "saved\n"


def test_the_end_of_the_program_does_not_wait_for_ever():
    assert run_and_end(deadline_s=0.5, last_job_s=3600) == "saved\n"
