"""`python -m benchmarks.limits`: what counting a request against its limits adds to it. With REDIS_URL set, it is counted there.

One caller, one process; the counters' connection is open, as in a server at work. Its rows are undone at the end.
"""

from __future__ import annotations

import statistics
import sys
import time
import uuid
from collections.abc import Callable

import django

TIMES = 2_000
WARM_UP = 50


def main() -> None:
    from django.conf import settings
    from django.db import transaction

    from collections_app.limits.requests import count_request
    from collections_app.models import ApiKey, Tenant

    with transaction.atomic():
        tenant = Tenant.objects.create(slug=f"bench-{uuid.uuid4().hex[:8]}", name="Benchmark")
        key, _ = ApiKey.objects.issue(tenant=tenant, name="benchmark")
        principal = key.make_principal()
        for _ in range(WARM_UP):
            count_request(principal)
        taken = sorted(measure_ms(lambda: count_request(principal)) for _ in range(TIMES))
        transaction.set_rollback(True)
    where = "Redis" if settings.DOCSMCP.redis_url else "PostgreSQL"
    median, p95 = statistics.median(taken), taken[int(0.95 * TIMES)]
    print(
        f"{where}: {TIMES} requests, median {median:.3f} ms, 95th percentile {p95:.3f} ms, longest {taken[-1]:.3f} ms"
    )
    sys.exit(median >= 1)


def measure_ms(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return 1_000 * (time.perf_counter() - started)


if __name__ == "__main__":
    django.setup()
    from benchmarks.database import run_with_database

    run_with_database(main)
