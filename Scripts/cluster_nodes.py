"""A private PostgreSQL with a standby, several `tileserve serve` nodes and nginx before them, on this machine.

Used by Scripts/cluster and Scripts/kill-cluster.
"""

import json
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = "/usr/lib/postgresql/15/bin"
NODES = 3
START_SECONDS = 60

NGINX = """
# Three nodes of one library. A node that is away, or that answers 503 because its lease has run out, is passed over. None is
# left out afterwards (max_fails=0): while nothing can be recorded, each of them still has tiles.
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
{user}
worker_processes 2;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    upstream nodes {{
{servers}
        keepalive 32;
    }}
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 0;
        location / {{
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_connect_timeout 1s;
            # Points that arrive twice are stored once.
            proxy_next_upstream error timeout http_502 http_503 non_idempotent;
            # Events are sent as they come.
            proxy_buffering off;
        }}
    }}
}}
"""


class Failed(Exception):
    """What could not be started or stopped."""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_until(holds, seconds, what):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Failed(f"{what} within {seconds} s")
        time.sleep(0.05)


def is_alive(pid):
    try:
        os.kill(pid, 0)
        # A process that has ended but was not waited for.
        return not pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (OSError, IndexError):
        return False


class Cluster:
    """What runs in a folder; its ports and processes are in `cluster.json` there."""

    def __init__(self, folder, program):
        self.folder = pathlib.Path(folder)
        self.program = str(program)
        self.file = self.folder / "cluster.json"
        self.nodes = {}
        self.state = json.loads(self.file.read_text()) if self.file.exists() else {}

    def save(self):
        self.file.write_text(json.dumps(self.state, indent=1))

    # PostgreSQL. Its programs refuse to run as root.

    def postgres(self, program, *words, check=True, output=subprocess.PIPE):
        as_owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        environment = dict(os.environ, PGPASSFILE=str(self.folder / "passfile-postgres"), LC_ALL="C")
        done = subprocess.run(
            [*as_owner, f"{PROGRAMS}/{program}", *map(str, words)], env=environment, cwd=self.folder, text=True,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        if check and done.returncode:
            raise Failed(f"{program}: {(done.stdout or 'failed, see its log').strip()[-2000:]}")
        return done.stdout or ""

    def owned(self, path):
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(path, owner.pw_uid, owner.pw_gid)

    def data(self, index):
        return self.folder / f"data{index}"

    def start_database(self, index):
        self.postgres("pg_ctl", "-D", self.data(index), "-l", f"{self.data(index)}.log", "-w", "-t", START_SECONDS,
                      "-o", f"-p {self.state['databases'][index]}", "start", output=subprocess.DEVNULL)

    def create_primary(self, password):
        self.data(0).mkdir(mode=0o700)
        self.owned(self.data(0))
        passwords = self.folder / "password"
        passwords.write_text(password)
        self.owned(passwords)
        self.postgres("initdb", "-D", self.data(0), "-U", "postgres", "--auth=scram-sha-256", "--data-checksums",
                      "--encoding=UTF8", "--no-locale", f"--pwfile={passwords}")
        with open(self.data(0) / "postgresql.conf", "a") as settings:
            settings.write(
                f"listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_level = replica\n"
                f"max_wal_senders = 10\nwal_keep_size = '512MB'\nhot_standby = on\nmax_connections = 200\n"
                # A standby that has lost its primary is found sooner.
                f"wal_receiver_timeout = '5s'\nwal_sender_timeout = '5s'\n")
        with open(self.data(0) / "pg_hba.conf", "a") as rules:
            rules.write("host replication postgres 127.0.0.1/32 scram-sha-256\n")

    def psql(self, index, sql, database="postgres"):
        return self.postgres("psql", "-h", "127.0.0.1", "-p", self.state["databases"][index], "-U", "postgres", "-d",
                             database, "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-c", sql).strip()

    def create_standby(self, index):
        """Makes a database a synchronous standby of the other one."""
        primary = 1 - index
        shutil.rmtree(self.data(index), ignore_errors=True)
        self.data(index).mkdir(mode=0o700)
        self.owned(self.data(index))
        self.postgres("pg_basebackup", "-D", self.data(index), "-h", "127.0.0.1", "-p",
                      self.state["databases"][primary], "-U", "postgres", "-R", "-X", "stream", "-c", "fast")
        # Its settings are a copy: as a primary it must not wait for a standby that does not exist yet.
        with open(self.data(index) / "postgresql.auto.conf", "a") as settings:
            settings.write("synchronous_standby_names = ''\n")
        self.start_database(index)
        self.psql(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.psql(primary, "SELECT pg_reload_conf()")
        wait_until(lambda: self.psql(primary, "SELECT sync_state FROM pg_stat_replication") == "sync", START_SECONDS,
                   "the standby is not in step")

    def database_pid(self, index):
        try:
            return int((self.data(index) / "postmaster.pid").read_text().split()[0])
        except (OSError, IndexError, ValueError):
            return None

    def fail_over(self):
        """Kills the primary, promotes the standby, and makes the killed one its standby; returns the seconds until the
        promoted one accepts changes."""
        primary = self.state["primary"]
        standby = 1 - primary
        begun = time.monotonic()
        os.kill(self.database_pid(primary), signal.SIGKILL)
        self.postgres("pg_ctl", "-D", self.data(standby), "-w", "-t", START_SECONDS, "promote")
        seconds = time.monotonic() - begun
        self.state["primary"] = standby
        self.save()
        self.create_standby(primary)
        return seconds

    # Nodes.

    @property
    def library(self):
        ports = self.state["databases"]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        return f"postgresql://maps@{hosts}/maps?target_session_attrs=read-write&connect_timeout=3&schema=maps"

    def environment(self, index):
        # Each node has a folder of its own, as if it were on a machine of its own.
        return dict(os.environ, PGPASSFILE=str(self.folder / "passfile"), XDG_STATE_HOME=str(self.folder / f"state{index}"))

    def start_node(self, index, *options):
        port = self.state["nodes"][index]["port"]
        with open(self.folder / f"node{index}.log", "ab") as log:
            node = subprocess.Popen(
                [self.program, "serve", "--library", self.library, "--port", str(port),
                 *(options or self.state.get("options", []))],
                env=self.environment(index), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.state["nodes"][index]["pid"] = node.pid
        self.save()
        # Whoever kills it has to wait for its end.
        self.nodes[index] = node

    def run(self, *words, **options):
        """Runs a command on the library, on a machine of its own."""
        return subprocess.run([self.program, *words, "--library", self.library], env=self.environment("-command"),
                              text=True, **options)

    def health(self, port):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
                return json.loads(answer.read())
        except (OSError, urllib.error.URLError, ValueError):
            return None

    def wait_for(self, port, what):
        wait_until(lambda: (self.health(port) or {}).get("status") == "ok", START_SECONDS, f"{what} does not answer")

    # All.

    def up(self, options=()):
        if self.state:
            raise Failed(f"{self.folder}: a cluster is here already; stop it with `Scripts/cluster down`")
        for needed in [f"{PROGRAMS}/postgres", self.program]:
            if not os.access(needed, os.X_OK):
                raise Failed(f"{needed} not found; run Scripts/setup test, and swift build")
        if not shutil.which("nginx"):
            raise Failed("nginx not found; run Scripts/setup bench")
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.folder.stat().st_uid != os.getuid():
            raise Failed(f"{self.folder}: belongs to another user")
        if any(self.folder.iterdir()):
            raise Failed(f"{self.folder}: is not empty")
        # The user postgres has to reach its data.
        self.folder.chmod(0o755)
        self.state = {"databases": [free_port(), free_port()], "primary": 0, "options": list(options),
                      "nodes": [{"port": free_port()} for _ in range(NODES)], "port": free_port()}
        self.save()
        for index in range(2):
            log = pathlib.Path(f"{self.data(index)}.log")
            log.touch(0o600)
            self.owned(log)
        password = secrets.token_urlsafe()
        for user, role in [("passfile", "maps"), ("passfile-postgres", "postgres")]:
            path = self.folder / user
            path.touch(0o600)
            path.write_text(f"127.0.0.1:*:*:{role}:{password}\n")
        self.owned(self.folder / "passfile-postgres")
        self.create_primary(password)
        self.start_database(0)
        # The role owns nothing but its schemas, and may create none.
        self.psql(0, f"CREATE ROLE maps LOGIN PASSWORD '{password}'")
        self.psql(0, "CREATE DATABASE maps")
        for schema in ["maps", "maps_grid", "maps_inbox", "maps_inbox_grid"]:
            self.psql(0, f"CREATE SCHEMA {schema} AUTHORIZATION maps", database="maps")
        self.create_standby(1)
        for index in range(NODES):
            self.start_node(index)
        for index in range(NODES):
            self.wait_for(self.state["nodes"][index]["port"], f"node {index}")
        self.start_proxy()

    def start_proxy(self):
        settings = self.folder / "nginx.conf"
        servers = "\n".join(f"        server 127.0.0.1:{node['port']} max_fails=0;"
                            for node in self.state["nodes"])
        settings.write_text(NGINX.format(folder=self.folder, port=self.state["port"], servers=servers,
                                         user="user root;" if os.getuid() == 0 else ""))
        with open(self.folder / "nginx.log", "ab") as log:
            proxy = subprocess.Popen(["nginx", "-c", str(settings), "-g", "daemon off;"], stdin=subprocess.DEVNULL,
                                     stdout=log, stderr=log, start_new_session=True)
        self.state["proxy"] = proxy.pid
        self.save()
        self.wait_for(self.state["port"], "nginx")

    def down(self):
        if not self.state:
            raise Failed(f"{self.folder}: there is no cluster here")
        processes = [node.get("pid") for node in self.state["nodes"]] + [self.state.get("proxy")]
        for pid in filter(None, processes):
            if is_alive(pid):
                os.kill(pid, signal.SIGTERM)
                os.kill(pid, signal.SIGCONT)
        for pid in filter(None, processes):
            try:
                wait_until(lambda pid=pid: not is_alive(pid), 10, f"process {pid} does not end")
            except Failed:
                os.kill(pid, signal.SIGKILL)
        for index in [1 - self.state["primary"], self.state["primary"]]:
            if self.database_pid(index):
                self.postgres("pg_ctl", "-D", self.data(index), "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.folder)
