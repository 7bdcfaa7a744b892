"""Time of a guard's decisions, flat over the calls, and its memory.

With ``--peer`` the same calls are given to AgentLTL, if it is installed, in the same run.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc

from eai.guard import Guard

RULES = [
    {"name": "read first", "formula": "forall f. (!write(f) W read(f))"},
    {"name": "no secrets", "formula": 'G !read("/etc/*")'},
    {"name": "build before deploy", "formula": "!deploy W build"},
    {"name": "no force", "formula": "G !force_push"},
]
PEER_RULES = {
    "read first": ("read", "write"),
    "build before deploy": ("build", "deploy"),
    "secrets": ("approve", "secret"),
    "force": ("approve", "force_push"),
}


def calls(number: int) -> list[tuple[str, dict[str, str]]]:
    """Return calls that keep all rules."""
    names = ("read", "write")
    return [(names[i % 2], {"path": f"file{i // 2 % 500}"}) for i in range(number)]


def guard_us(number: int) -> float:
    """Return microseconds for a rule and call, check and observation together."""
    guard = Guard(RULES)
    made = calls(number)
    begin = time.process_time()
    for name, arguments in made:
        guard.check(name, arguments)
        guard.observe(name, arguments)
    return (time.process_time() - begin) * 1e6 / number / len(RULES)


def peer_us(number: int) -> float:
    """Return the same for AgentLTL."""
    from agentltl import Before, Constraint, Enforcer  # type: ignore[import-not-found]

    rules = [Constraint(name, Before(*pair), weight=1.0) for name, pair in PEER_RULES.items()]
    enforcer = Enforcer(rules)
    made = calls(number)
    begin = time.process_time()
    for name, arguments in made:
        enforcer.check(name, arguments)
        enforcer.record_completed(name, arguments)
    return (time.process_time() - begin) * 1e6 / number / len(rules)


def memory_kb(number: int) -> list[float]:
    """Return the memory that is held after a tenth of the calls, and after all."""
    guard = Guard(RULES)
    sizes = []
    tracemalloc.start()
    for i in range(number):
        name, arguments = ("read", "write")[i % 2], {"path": f"file{i // 2 % 500}"}
        guard.check(name, arguments)
        guard.observe(name, arguments)
        if i + 1 in (number // 10, number):
            sizes.append(tracemalloc.get_traced_memory()[0] / 1000)
    tracemalloc.stop()
    return sizes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--memory", type=int, default=0, help="number of calls")
    options = parser.parse_args()
    for number in (10, 100, 1_000, 10_000):
        line = f"{number:7,} calls: {guard_us(number):6.1f} us a rule and call"
        if options.peer and number <= 1_000:
            line += f"; AgentLTL {peer_us(number):8.1f}"
        print(line)
    if options.memory:
        first, last = memory_kb(options.memory)
        print(f"held after a tenth and all of {options.memory:,} calls: {first:.0f}, {last:.0f} kB")


if __name__ == "__main__":
    main()
