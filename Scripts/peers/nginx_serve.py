#!/usr/bin/env python3
"""nginx serving a folder of ready tiles: sendfile, an access log to a file, no open_file_cache.

    nginx_serve.py --root DIR --paths LIST [--seconds 5]

Measures with wrk (one thread, 32 connections) over all paths of the list (`/14/8600/5500.png`) and prints its line of JSON.
"""

import argparse
import os
import pathlib
import socket
import subprocess
import tempfile
import time

CONFIGURATION = """
daemon off;
{user}
worker_processes auto;
pid {work}/nginx.pid;
error_log {work}/error.log;
events {{ worker_connections 1024; }}
http {{
    types {{ image/png png; }}
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    access_log {work}/access.log;
    client_body_temp_path {work}/body;
    proxy_temp_path {work}/proxy;
    fastcgi_temp_path {work}/fastcgi;
    uwsgi_temp_path {work}/uwsgi;
    scgi_temp_path {work}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {root};
    }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port, seconds=10):
    """Returns when somebody listens."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--paths", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=5)
    given = parser.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory() as work:
        configuration = pathlib.Path(work) / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""
        configuration.write_text(CONFIGURATION.format(
            user=user, work=work, port=port, root=given.root.resolve()))
        server = subprocess.Popen(["/usr/sbin/nginx", "-e", f"{work}/error.log", "-c", str(configuration)])
        try:
            wait_for(port)
            script = pathlib.Path(__file__).resolve().parent / "serve.lua"
            said = subprocess.run(
                ["wrk", "-t1", "-c32", f"-d{given.seconds}s", "-s", str(script), f"http://127.0.0.1:{port}",
                 "--", str(given.paths)],
                check=True, stdout=subprocess.PIPE, text=True).stdout
        finally:
            server.terminate()
            server.wait()
    print(said.strip().splitlines()[-1])


if __name__ == "__main__":
    main()
