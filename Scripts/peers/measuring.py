"""Runs and measures programs; shared by Scripts/bench and the programs in this folder."""

import concurrent.futures
import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

PEERS = pathlib.Path(__file__).resolve().parent


class Unmeasured(Exception):
    """The reason why a row could not be measured."""


def run(*command, output=None):
    """Runs a program to its end; returns seconds, peak memory in MiB, and its standard output."""
    return run_counting(*command, output=output)[:3]


def run_counting(*command, output=None):
    """As `run`, with the seconds of CPU."""
    words = [str(word) for word in command]
    begun = time.perf_counter()
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=output or subprocess.PIPE) as child:
        # Both pipes are read at the same time, because the program waits while either is full.
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            errors = pool.submit(child.stderr.read) if child.stderr else None
            printed = child.stdout.read().decode()
            errors_text = errors.result().decode() if errors else ""
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        last = (errors_text.strip().splitlines() or ["no output"])[-1]
        raise Unmeasured(f"{pathlib.Path(words[0]).name} {words[1] if len(words) > 1 else ''}: "
                         f"exit {child.returncode}: {last[:160]}")
    return seconds, usage.ru_maxrss / 1024, printed, usage.ru_utime + usage.ru_stime


def run_json(*command):
    """Runs a program whose last output line is JSON."""
    _, _, output = run(*command)
    return last_json(output)


def last_json(output):
    lines = output.strip().splitlines()
    if not lines:
        raise Unmeasured("no JSON was printed")
    try:
        return json.loads(lines[-1])
    except ValueError as error:
        raise Unmeasured(f"no JSON: {lines[-1][:80]}") from error


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port, child, seconds=20):
    """Returns when the port accepts connections."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError as error:
            if child.poll() is not None:
                raise Unmeasured(f"the server ended with {child.returncode}") from error
            if time.monotonic() > end:
                raise Unmeasured("the server does not listen") from error
            time.sleep(0.002)


class Server:
    """A server while it runs: `with Server(command, port, log) as …`."""

    def __init__(self, command, port, log):
        self.command = [str(word) for word in command]
        self.port = port
        self.log = log

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            wait_for(self.port, self.child)
        except Unmeasured:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.child.terminate()
        try:
            self.child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def get(self, path):
        return self.send(path, None)

    def post(self, path, value):
        """The answer to JSON that is sent."""
        return self.send(path, json.dumps(value).encode())

    def send(self, path, body):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", body, timeout=30) as answer:
                return answer.read()
        except (urllib.error.URLError, OSError) as error:
            raise Unmeasured(f"{path}: {error}") from error


def load_command(port, paths, seconds, connections=32):
    """Runs wrk with one thread over all paths of a list."""
    return ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(PEERS / "serve.lua"),
            f"http://127.0.0.1:{port}", "--", str(paths)]


def load(port, paths, seconds, connections=32):
    return run_json(*load_command(port, paths, seconds, connections))


def load_cached(port, paths, seconds):
    """As load, when the server has had time to cache all paths: a pass of them is as long as it must be."""
    count = len(pathlib.Path(paths).read_text().splitlines())
    for _ in range(60):
        result = load(port, paths, seconds)
        if result["requests_per_s"] * seconds >= count:
            return load(port, paths, seconds)
    raise Unmeasured(f"{count} tiles cannot be cached in {60 * seconds} s")
