"""A bot that misbehaves in the way that it is told to; until then it draws or passes.

Only the standard library, so that it starts fast.
"""

import json
import os
import subprocess
import sys
import time


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


def rest(view: dict[str, object]) -> dict[str, object]:
    stars = view["stars"]
    assert isinstance(stars, list)
    broke = view["ruleset"] == "junior" and not stars[int(str(view["turn"]))]
    return {"kind": "draw" if view["pool_size"] and not broke else "pass", "seat": view["turn"]}


def misbehave(how: str, marker: str, view: dict[str, object]) -> None:
    seat = view["seat"]
    if how == "crash":
        raise RuntimeError("no idea what to do")
    if how == "paint":
        print("\x1b]0;mine\x07\x1b[31mred\u202e\x00", file=sys.stderr, flush=True)
        sys.exit(1)
    if how == "die":
        os.kill(os.getpid(), 9)
    if how == "leave":
        sys.exit(3)
    if how == "nonsense":
        print("no JSON at all", flush=True)
    if how == "list":
        say([1, 2, 3])
    if how == "field":
        say({"kind": "play", "seat": seat})
    if how == "tile":
        say({"kind": "play", "seat": seat, "table": ["x5 x6 x7"]})
    if how == "kind":
        say({"kind": "next-round"})
    if how == "long":
        sys.stdout.write("x" * 1_000_000 + "\n")
        sys.stdout.flush()
    if how == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    if how == "cheat":
        say({"kind": "play", "seat": seat, "table": ["r1 r2 r3"]})
    if how == "seat":
        say({"kind": "draw", "seat": 1 - int(str(seat))})
    if how == "pass":
        say({"kind": "pass", "seat": seat})
    if how == "hang":
        time.sleep(3600)
    if how == "mute":
        os.close(1)
        time.sleep(3600)
    if how == "family":  # leaves a child behind that holds every pipe open
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        with open(marker, "w") as file:
            print(child.pid, file=file)
        sys.exit(0)
    if how == "shout":
        sys.stderr.write("what a noise\n" * 100_000)
        say(rest(view))
    if how in ("draw", "stay"):
        say(rest(view))


def main(how: str, marker: str = "") -> None:
    turns = 0
    if how == "late":
        time.sleep(3600)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready", "protocol": 99 if how == "version" else 1})
            if how == "deaf":
                time.sleep(3600)
        elif message["type"] == "turn":
            turns += 1
            if turns > 2:
                misbehave(how, marker, message["view"])
            else:
                say(rest(message["view"]))
        elif how == "stay":
            time.sleep(3600)


if __name__ == "__main__":
    main(*sys.argv[1:])
