"""A private PostgreSQL for measurements, reached by a local socket; shared by the rows of Scripts/bench."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

from measuring import Unmeasured

PROGRAMS = "/usr/lib/postgresql/15/bin"


class PrivateDatabase:
    """A server with the settings of a new installation, while it runs: `with PrivateDatabase() as …`."""

    def __enter__(self):
        if not os.access(f"{PROGRAMS}/postgres", os.X_OK):
            raise Unmeasured("PostgreSQL 15 is not installed; run Scripts/setup test")
        # The path of a socket has at most 107 bytes, and the user postgres has to reach it.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tileserve-postgresql-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.data.mkdir(mode=0o700)
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            for path in (self.folder, self.data):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        try:
            self.program("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-locale")
            self.program("pg_ctl", "-D", self.data, "-l", self.data / "log", "-w", "-o",
                         f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'", "start")
            self.program("createdb", "-h", self.folder, "-U", "postgres", "maps")
        except Unmeasured:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run([*self.as_owner, f"{PROGRAMS}/pg_ctl", "-D", self.data, "-m", "immediate", "stop"], cwd="/",
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.folder)

    @property
    def as_owner(self):
        """Its programs refuse to run as root."""
        return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []

    def program(self, name, *words):
        # To a file: the server keeps what pg_ctl was given.
        with open(self.folder / "output", "w+") as output:
            done = subprocess.run([*self.as_owner, f"{PROGRAMS}/{name}", *map(str, words)], cwd="/",
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False)
            output.seek(0)
            if done.returncode:
                raise Unmeasured(f"{name}: {output.read().strip()[-200:]}")

    def sql(self, statement):
        self.program("psql", "-h", self.folder, "-U", "postgres", "-d", "maps", "-q", "-c", statement)

    @property
    def uri(self):
        return f"postgresql://postgres@/maps?host={self.folder}"

    def cpu_seconds(self):
        """The seconds of CPU that its processes have used, with those that have ended."""
        server = int((self.data / "postmaster.pid").read_text().split()[0])
        ticks = 0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(stat.parent.name) == server:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == server:
                ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")
