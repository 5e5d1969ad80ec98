# SPDX-License-Identifier: GPL-2.0-only
"""The jobs of a graph on this machine: all kernels, then cells that are exact, several at once, then the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

from lsmlab.measure.pipeline import jobs, processes
from lsmlab.measure.pipeline.jobs import EXACT, KERNEL, TIMED, Json, Kind, Outcome

# A function that is called as each job ends, with its rule, its name and its outcome.
Heard = Callable[[str, str, Outcome], object]


class Pool:
    """Does the jobs of `plan`, that of a graph, in threads, since all they do is to wait for programs."""

    def __init__(self, plan: Json, kind: Kind, heard: Heard) -> None:
        self.plan, self.kind, self.heard = plan, kind, heard
        self.built: dict[str, Outcome] = {}

    def run(self) -> None:
        self._do(KERNEL, self.plan[KERNEL], self.plan["builds"])
        self._do(EXACT, self.plan[EXACT], len(os.sched_getaffinity(0)))
        self._do(TIMED, self.plan[TIMED], 1)

    def _job(self, rule: str, name: str) -> Outcome:
        job = self.plan[rule][name]
        if rule == KERNEL:
            return jobs.build(job)
        return jobs.measure(self.kind, job, {"directory": job["directory"]} if job["directory"] else self.built[job["kernel"]])

    def _do(self, rule: str, names: Iterable[str], workers: int) -> None:
        pool = ThreadPoolExecutor(workers)
        started = {pool.submit(self._job, rule, name): name for name in names}
        try:
            for done in as_completed(started):
                if rule == KERNEL:
                    self.built[started[done]] = done.result()
                self.heard(rule, started[done], done.result())
        finally:
            # After an error or an interruption, jobs are running.
            pool.shutdown(wait=False, cancel_futures=True)
            with processes.stopping():
                pool.shutdown(wait=True)
