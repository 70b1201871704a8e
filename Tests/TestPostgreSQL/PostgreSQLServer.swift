import Files
import Foundation

/// A failure of the server or of a script that it was given.
public struct PostgreSQLFailure: Error, CustomStringConvertible {
    public let description: String
}

/// A private PostgreSQL 15 server of this process, in a folder of its own, that listens only on a socket there. A server
/// of the system, and those of other test runs, are neither used nor disturbed.
public final class PostgreSQLServer: Sendable {
    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Whether the programs of Debian's `postgresql-15` are installed.
    public static var isInstalled: Bool {
        ["initdb", "postgres", "pg_isready", "psql"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "\(programs)/\($0)")
        }
    }

    /// Starts the server, if this process has none; it ends with this process.
    public static func shared() throws -> PostgreSQLServer {
        try started.get()
    }

    private static let started = Result { try PostgreSQLServer() }

    /// Starts another server, with settings of its own such as `wal_level=minimal`.
    public static func separate(_ settings: [String]) throws -> PostgreSQLServer {
        try PostgreSQLServer(settings: settings)
    }

    /// Contains the data and the socket.
    let folder: String
    /// Closed by the system when this process ends, also when it crashes; then the script stops the server.
    private let lifeline: FileHandle

    /// Creates a cluster, starts its server, and stops it and removes its folder when the standard input is closed.
    ///
    /// The folder is below /tmp or /dev/shm, because the path of a socket must be shorter than 108 bytes, and the user `postgres`
    /// must be able to reach it: the programs refuse to run as root. Signals of a terminal do not end the script before
    /// it has removed the folder; if the script is killed, its server ends, too (`--pdeathsig`). Nothing has to survive
    /// a crash of the machine: `fsync` is off.
    private static let script = """
        programs=$1
        shift
        trap '' HUP INT TERM
        umask 077
        # In memory if there is room: most of the time of a new database goes into creating its files.
        parent=/tmp
        [ "$(df --output=avail -BM /dev/shm 2>/dev/null | tail -n 1 | tr -dc 0-9)" -ge 2000 ] 2>/dev/null && parent=/dev/shm
        folder=$(mktemp -d "$parent/tileserve-postgresql.XXXXXX") || exit 1
        trap 'rm -rf "$folder"' EXIT
        fail() { echo "failed: $(tail -n 5 "$folder/log" | tr '\\n' ' ')"; exit 1; }
        as='setpriv --pdeathsig INT'
        if [ "$(id -u)" -eq 0 ]; then
            as="$as --reuid postgres --regid postgres --init-groups"
            chown postgres "$folder"
        fi
        cd "$folder" || exit 1
        $as "$programs/initdb" --pgdata="$folder/data" --username=tileserve --auth=trust --encoding=UTF8 --locale=C \\
            --no-sync --no-instructions >log 2>&1 </dev/null || fail
        $as "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \\
            -c full_page_writes=off -c max_connections=500 "$@" >>log 2>&1 </dev/null &
        server=$!
        until "$programs/pg_isready" --quiet --host="$folder"; do
            kill -0 "$server" 2>/dev/null || fail
            sleep 0.02
        done
        echo "ready $folder"
        cat >/dev/null
        kill -INT "$server"
        wait "$server"
        """

    private init(settings: [String] = []) throws {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", Self.programs] + settings.flatMap { ["-c", $0] }
        process.environment = Self.environment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        lifeline = input.fileHandleForWriting
        var answer = Data()
        while !answer.contains(0x0A) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            answer += part
        }
        let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "ready" else {
            throw PostgreSQLFailure(
                description: "PostgreSQL was not started; \(words.joined(separator: " "))")
        }
        folder = String(words[1])
    }

    /// Nothing of the user's settings, such as `PGHOST`; messages are English.
    private static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]

    /// Creates an empty database.
    public func makeDatabase() throws -> PostgreSQLDatabase {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        _ = try psql("CREATE DATABASE \(name)", database: "postgres", stopsAtErrors: true)
        return PostgreSQLDatabase(name: name, server: self)
    }

    /// The URI of a database.
    public func location(database: String) -> String {
        "postgresql:///\(database)?host=\(folder)&user=tileserve"
    }

    /// Runs a script of `psql`, and returns its standard output: values without alignment and without names.
    func psql(_ script: String, database: String, stopsAtErrors: Bool) throws -> String {
        let files = try TemporaryFolder()
        let (input, errors) = (files.path + "/script", files.path + "/errors")
        try AtomicFile.write(Array(script.utf8), to: input, durability: .cached)
        try AtomicFile.write([], to: errors, durability: .cached)
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.programs + "/psql")
        process.arguments =
            ["--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--host", folder, "--username", "tileserve"]
            + ["--dbname", database, "--set", "ON_ERROR_STOP=\(stopsAtErrors ? 1 : 0)", "--file", input]
        process.environment = Self.environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw PostgreSQLFailure(description: String(decoding: try AtomicFile.read(errors) ?? [], as: UTF8.self))
        }
        return String(decoding: result, as: UTF8.self)
    }
}
