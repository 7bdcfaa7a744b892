"""Whether ``eai mcp`` answers the official client, and outlives what no client sends.

    python benchmarks/agreement/mcp_server.py [--messages N]

Needs the extra ``mcp``. Every tool is called through the client's session and, where the SDK has it
(version 2), through its newer interface; then N random messages (cut, nested, huge) are sent, after
which the server has to answer. Prints the answers' sizes and the server's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
import threading

DOMAIN = """(define (domain d) (:predicates (p ?x) (q ?x))
  (:action do :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (not (p ?x)))))"""
PROBLEM = "(define (problem one) (:domain d) (:objects a) (:init (p a)) (:goal (q a)))"
BOTH: dict[str, object] = {"domain": DOMAIN, "problem": PROBLEM}
CALLS: list[tuple[str, dict[str, object]]] = [
    ("check_pddl", BOTH),
    ("validate_plan", {**BOTH, "plan": "(do a)"}),
    ("repair_plan", {**BOTH, "plan": "(do a) (do a)"}),
    ("plan", {**BOTH, "time_limit": 5}),
    ("applicable_actions", BOTH),
    ("check_formula", {**BOTH, "plan": "(do a)", "formula": "F q(a)"}),
    ("validate_plan", {**BOTH, "domain": "(define", "plan": "(do a)"}),
]
SERVER = [sys.executable, "-m", "eai", "mcp"]


async def session() -> None:
    """Call every tool through the client's session."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=SERVER[0], args=SERVER[1:])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        await client.initialize()
        print("tools:", *(tool.name for tool in (await client.list_tools()).tools))
        for name, arguments in CALLS:
            found = (await client.call_tool(name, arguments)).model_dump(by_alias=True)
            text = found["content"][0]["text"].replace("\n", " | ")
            print(
                f"  {name}: error {found['isError']}, {text[:90]}, {found['structuredContent']}"[
                    :200
                ]
            )


async def newer() -> None:
    """Call every tool through the newer interface, if there is one."""
    try:
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client
    except ImportError:
        print("no newer interface in this version of the SDK")
        return
    server = StdioServerParameters(command=SERVER[0], args=SERVER[1:])
    async with Client(stdio_client(server)) as client:
        tools = await client.list_tools()
        done = [await client.call_tool(name, arguments) for name, arguments in CALLS]
        print(f"newer interface: {len(tools.tools)} tools, {len(done)} calls")


def noise(count: int) -> None:
    """Send random messages, then ask for the tools."""
    draw = random.Random(0)  # noqa: S311
    first: dict[str, object] = {"protocolVersion": "2025-06-18", "capabilities": {}}
    first["clientInfo"] = {"name": "noise", "version": "1"}
    lines = [json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first})]
    lines.append(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    for number in range(count):
        name, arguments = draw.choice(CALLS)
        call = {"jsonrpc": "2.0", "id": number + 10, "method": "tools/call"}
        text = json.dumps({**call, "params": {"name": name, "arguments": arguments}})
        kind = draw.randrange(5)
        if kind == 0:
            text = text[: draw.randrange(len(text))]
        elif kind == 1:
            text = "[" * draw.randrange(5_000)
        elif kind == 2:
            huge = {**BOTH, "plan": "(do a) " * draw.randrange(1_000)}
            text = json.dumps({**call, "params": {"name": "validate_plan", "arguments": huge}})
        elif kind == 3:
            unknown = {"name": draw.choice(["rm", "", name]), "arguments": {"domain": number}}
            text = json.dumps({**call, "params": unknown})
        lines.append(text)
    lines.append(json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/list"}))
    with subprocess.Popen(
        SERVER,
        text=True,
        bufsize=1,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        if server.stdin is None or server.stdout is None:
            sys.exit("the server has no pipes")
        writer = threading.Thread(target=server.stdin.writelines, args=([f"{x}\n" for x in lines],))
        writer.start()
        alive = any('"id":5,' in line.replace(" ", "") for line in server.stdout)
        writer.join()
        server.stdin.close()
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"after {count} messages: {'alive' if alive else 'GONE'}")
    print(f"most memory of a child: {memory:.0f} MB")


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--messages", type=int, default=1_000)
    given = parser.parse_args()
    asyncio.run(session())
    asyncio.run(newer())
    noise(given.messages)


if __name__ == "__main__":
    main()
