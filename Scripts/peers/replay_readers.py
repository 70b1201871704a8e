#!/usr/bin/python3
"""Replay readers on one machine: the delay of their frames, the cost of a reader, and the maximum speed of one reader.

    replay_readers.py paced --port P --pid PID [--readers 1000] [--seconds 20] [--speed 10] [--fps 10]
    replay_readers.py max --port P [--seconds 10]

Prints one line of JSON. The delay of a frame is its arrival minus its due time in its stream; the start of the stream is
estimated from its earliest frame.
"""

import argparse
import json
import re
import resource
import select
import socket
import time
import urllib.request

DT = re.compile(rb'"dt":(\d+)')


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        return json.loads(answer.read())


def tracks(port, seconds, count):
    """The ids of at most the given number of tracks that last at least the given seconds."""
    found, after = [], ""
    while len(found) < count:
        page = get(port, f"/v1/tracks?limit=1000{after}")
        found += [track["id"] for track in page["tracks"] if track["seconds"] >= seconds]
        if not page.get("next"):
            break
        after = f"&after={page['next']}"
    return found


def resident(pid):
    """Resident memory of a process in KiB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def connect(port, path, connection="keep-alive"):
    reader = socket.create_connection(("127.0.0.1", port))
    reader.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n\r\n".encode())
    return reader


def quantile(values, share):
    return sorted(values)[max(0, min(len(values) - 1, int(len(values) * share)))]


def paced(given):
    ids = tracks(given.port, (given.seconds + 10) * given.speed, given.readers)
    if not ids:
        raise SystemExit("no track is long enough")
    before = resident(given.pid)
    poll = select.epoll()
    readers, arrivals = {}, {}
    for number in range(given.readers):
        path = f"/v1/tracks/{ids[number % len(ids)]}/replay?speed={given.speed}&fps={given.fps}&gap=hold"
        reader = connect(given.port, path)
        reader.setblocking(False)
        readers[reader.fileno()] = reader
        arrivals[reader.fileno()] = []
        poll.register(reader.fileno(), select.EPOLLIN)
    end = time.monotonic() + given.seconds
    memory = before
    while (now := time.monotonic()) < end:
        for descriptor, _ in poll.poll(min(1.0, end - now)):
            bytes_read = readers[descriptor].recv(65536)
            moment = time.monotonic()
            if not bytes_read:
                poll.unregister(descriptor)
                continue
            arrivals[descriptor] += [(moment, int(dt)) for dt in DT.findall(bytes_read)]
        memory = max(memory, resident(given.pid)) if now > end - 1 else memory
    late = []
    silent = 0
    for frames in arrivals.values():
        offsets = [moment - dt / 1000 / given.speed for moment, dt in frames]
        if not offsets:
            silent += 1
            continue
        first = min(offsets)
        # Delays are not measured while a thousand readers connect.
        late += [(offset - first) * 1000 for offset, (moment, _) in zip(offsets, frames) if moment > end - given.seconds + 3]
    return {
        "readers": given.readers, "silent": silent, "frames_per_s": round(len(late) / (given.seconds - 3)),
        "late_p50_ms": round(quantile(late, 0.5), 2), "late_p99_ms": round(quantile(late, 0.99), 2),
        "late_max_ms": round(max(late), 2), "kib_a_reader": round((memory - before) / given.readers, 1)}


def fastest(given):
    # Closed at the end of the replay: a library that plays in less than the given seconds must not count as slow.
    reader = connect(given.port, "/v1/replay?speed=max", "close")
    begun = time.monotonic()
    frames, size, rest = 0, 0, b""
    while time.monotonic() < begun + given.seconds:
        block = reader.recv(1 << 18)
        if not block:
            break
        size += len(block)
        block = rest + block
        frames += block.count(b"\nevent: frame\n")
        rest = block[-13:]
    seconds = time.monotonic() - begun
    return {"frames_per_s": round(frames / seconds), "megabytes_per_s": round(size / seconds / 1e6, 1)}


def main():
    parser = argparse.ArgumentParser(description="Readers of replays.")
    parser.add_argument("kind", choices=["paced", "max"])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pid", type=int)
    parser.add_argument("--readers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--speed", type=int, default=10)
    parser.add_argument("--fps", type=int, default=10)
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(paced(given) if given.kind == "paced" else fastest(given)))


if __name__ == "__main__":
    main()
