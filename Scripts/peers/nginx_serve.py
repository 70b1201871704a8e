"""nginx serving a folder of prerendered tiles: sendfile, an access log to a file, no open_file_cache.

    nginx_serve.py --root DIR --paths LIST [--seconds 5]

Measures with wrk (one thread, 32 connections) over all paths of the list (`/14/8600/5500.png`) and prints its line of JSON.
"""

import argparse
import json
import os
import pathlib
import tempfile

import measuring

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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--paths", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=5)
    given = parser.parse_args()
    port = measuring.free_port()
    with tempfile.TemporaryDirectory() as work:
        configuration = pathlib.Path(work) / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""
        configuration.write_text(CONFIGURATION.format(user=user, work=work, port=port, root=given.root.resolve()))
        command = ["/usr/sbin/nginx", "-e", f"{work}/error.log", "-c", configuration]
        with measuring.Server(command, port, f"{work}/output.log"):
            measuring.load(port, given.paths, 1)
            print(json.dumps(measuring.load(port, given.paths, given.seconds)))


if __name__ == "__main__":
    main()
