import Foundation
import Testing
import TileArchive
import Tracks

@testable import TileServeCLI

@Suite("Commands check their options")
struct CommandOptionTests {
    static let environment = ["HOME": "/home/ada"]

    private func made<Made: Command>(
        _ type: Made.Type, _ words: String..., environment: [String: String] = environment
    ) throws(UsageError) -> Made {
        let given = try CommandLineArguments(words, options: Made.screen.options, operands: Made.operands)
        return try Made(given, environment: environment)
    }

    @Test("The library comes from the option, else the environment, else the home folder")
    func library() throws {
        var environment = Self.environment
        #expect(try made(StatsCommand.self, environment: environment).folder == "/home/ada/.local/share/tileserve")
        environment["XDG_DATA_HOME"] = "data"
        #expect(try made(StatsCommand.self, environment: environment).folder == "/home/ada/.local/share/tileserve")
        environment["XDG_DATA_HOME"] = "/data"
        #expect(try made(StatsCommand.self, environment: environment).folder == "/data/tileserve")
        environment["TILESERVE_LIBRARY"] = ""
        #expect(try made(StatsCommand.self, environment: environment).folder == "/data/tileserve")
        environment["TILESERVE_LIBRARY"] = "/tracks"
        #expect(try made(StatsCommand.self, environment: environment).folder == "/tracks")
        #expect(try made(StatsCommand.self, "--library", "here", environment: environment).folder == "here")
        #expect(throws: UsageError.noHome) { try made(StatsCommand.self, environment: [:]) }
    }

    @Test(
        "Beyond loopback, reading needs --public-read or a token",
        arguments: ["0.0.0.0", "::", "192.168.1.7", "maps.local"])
    func consent(_ host: String) throws {
        let line = try CommandLineHarness()
        let library = line.library
        func command(_ words: String...) throws -> ServeCommand {
            let words = ["--library", library, "--host", host] + words
            return try ServeCommand(
                try CommandLineArguments(words, options: ServeCommand.screen.options, operands: .none), environment: [:]
            )
        }
        #expect(throws: UsageError.publicWithoutConsent(host: host)) { try command().checkAccess(host: host) }
        let refused = line.run("serve", "--host", host)
        #expect(refused.code == .usage && refused.err.contains("other machines could connect to '\(host)'"))
        try command("--public-read").checkAccess(host: host)
        #expect(line.run("tokens", "add", "--role", "viewer").code == .done)
        try command().checkAccess(host: host)
    }

    @Test(
        "Loopback needs neither a token nor --public-read", arguments: ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
    func loopback(_ host: String) throws {
        try made(ServeCommand.self, "--host", host).checkAccess(host: host)
    }

    @Test("Origins are sites, or '*' for all")
    func origins() throws {
        let serve = try made(
            ServeCommand.self, "--allow-origin", "https://a.example", "--allow-origin=http://b.example:81")
        #expect(serve.allowedOrigins.count == 2)
        #expect(!serve.allowsAnyOrigin)
        #expect(try made(ServeCommand.self, "--allow-origin", "*").allowsAnyOrigin)
        #expect(throws: UsageError.self) { try made(ServeCommand.self, "--allow-origin", "a.example") }
    }

    @Test("Prerendering needs zoom levels, and writes archives by their endings")
    func prerender() throws {
        #expect(throws: UsageError.self) { try made(PrerenderCommand.self) }
        let endings = [
            ("x.mbtiles", ArchiveKind.mbtiles), ("x.PMTiles", .pmtiles), ("x.sqlitedb", .sqlitedb), ("x", nil),
        ]
        for (output, kind) in endings {
            #expect(try made(PrerenderCommand.self, "--zoom", "0-3", "--output", output).archive == kind)
        }
        for extra in [
            ["--output", ""], ["--output", "x.mbtiles", "--tiles-url", "https://a.example/t"],
            ["--set-meta", "name=a"], ["--output", "x", "--set-meta", "name=a"],
            ["--output", "x.sqlitedb", "--set-meta", "name=a"], ["--output", "x.mbtiles", "--set-meta", "name"],
            ["--output", "x.mbtiles", "--set-meta", "format=jpg"],
            ["--output", "x.mbtiles", "--set-meta", "type=hidden"], ["--output", "x.mbtiles", "--set-meta", "=a"],
            ["--output", "x.mbtiles", "--set-meta", "center=8,95,3"],
            ["--output", "x.mbtiles", "--set-meta", "json=[]"],
        ] {
            #expect(throws: UsageError.self, "\(extra)") {
                try PrerenderCommand(
                    CommandLineArguments(
                        ["--zoom", "0-3"] + extra, options: PrerenderCommand.screen.options, operands: .none),
                    environment: ["TILESERVE_LIBRARY": "x"])
            }
        }
        let described = try made(
            PrerenderCommand.self, "--zoom", "0-3", "--output", "x.pmtiles", "--set-meta", "name=a=b", "--set-meta",
            "attribution=")
        #expect(described.texts.map(\.name) == ["name", "attribution"] && described.texts.map(\.value) == ["a=b", ""])
        #expect(throws: UsageError.self) { try made(PrerenderCommand.self, "--zoom", "0-3", "--scale", "3") }
        let command = try made(PrerenderCommand.self, "--zoom", "0-3", "--bbox", "170,-50,-170,-30", "--workers=2")
        #expect(command.boxes.count == 1)
        #expect(command.workers == 2)
        #expect(command.style == "heat")
    }

    @Test("Import parses its options")
    func importing() throws {
        let command = try made(
            ImportCommand.self, "--activity", "Ride", "--zone=Europe/Zurich", "--gap", "none", "a", "--dry-run", "-")
        #expect(command.activity == "ride")
        #expect(command.zone?.identifier == "Europe/Zurich")
        #expect(command.gap == .none)
        #expect(command.isDryRun && !command.isJSON)
        #expect(command.paths == ["a", "-"])
    }

    @Test(
        "Unknown commands are reported with a suggestion",
        arguments: [
            (["imprt"], "unknown command 'imprt'; did you mean 'import'?"),
            (["frobnicate"], "unknown command 'frobnicate'; see 'tileserve --help'"),
            (["tracks", "lst"], "unknown command 'lst'; did you mean 'list'?"),
            (["tracks"], "no command given; see 'tileserve tracks --help'"),
            ([], "no command given; see 'tileserve --help'"),
            (
                ["--library"],
                "'--library' is before the command; options follow the command, as in 'tileserve import --library …'"
            ),
        ])
    func unknown(_ words: [String], _ sentence: String) {
        let fault = #expect(throws: UsageError.self) { _ = try Commands.find(words) }
        #expect(fault?.sentence(command: "tileserve") == sentence)
    }
}

@Suite("Help")
struct HelpTests {
    @Test(
        "Every help text fits 80 columns and 60 lines, and its examples are valid",
        arguments: 0..<Commands.all.count)
    func screens(_ index: Int) throws {
        let command = Commands.all[index]
        let lines = command.screen.text(name: command.name).split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines where !line.hasPrefix("  tileserve ") && !line.hasPrefix("  zcat ") {
            #expect(line.count <= HelpScreen.columns, "\(line)")
        }
        #expect(lines.count <= 60)
        #expect(!command.screen.examples.isEmpty)
        for example in command.screen.examples {
            let words = example.line.split(separator: " ").map(String.init).drop { $0 != "tileserve" }
            let own = words.dropFirst().prefix { $0 != "|" }
            let (found, rest) = try Commands.find(Array(own))
            #expect(found.name == command.name)
            let given = try CommandLineArguments(rest, options: found.screen.options, operands: found.operands)
            _ = try found.init(given, environment: CommandOptionTests.environment)
        }
    }

    @Test(
        "A group is also known by its aliases, and lists its commands",
        arguments: [("token", "tokens"), ("track", "tracks"), ("pins", "pins"), ("stays", "stays")])
    func groups(_ word: String, _ group: String) throws {
        let line = try CommandLineHarness()
        for words in [[word, "--help"], ["help", word]] {
            let help = line.run(words)
            #expect(help.code == .done && help.err == "")
            #expect(help.out.hasPrefix("Usage: tileserve \(group) COMMAND"))
            for command in Commands.all where command.name.hasPrefix(group + " ") {
                #expect(help.out.contains("  " + command.name))
            }
        }
        #expect(try Commands.find(["stays"]).command.name == "stays list")
        #expect(try Commands.find(["stays", "--json"]).rest == ["--json"])
        #expect(try Commands.find(["stays", "list"]).command.name == "stays list")
    }

    @Test("The screen of a command")
    func whole() {
        #expect(
            RebuildCommand.screen.text(name: "rebuild") == """
                Usage: tileserve rebuild [OPTION]…

                Rebuilds the grid, from which tiles are drawn, from the tracks. This is not
                needed after an import, which updates the grid. It is needed to change the
                library's time zone, which defines where days begin and end.

                Options:
                  --library DIR           the library's folder, or a URI of PostgreSQL (default:
                                          $TILESERVE_LIBRARY; see 'tileserve --help')
                  --zone TZ               sets the library's time zone, which defines its days
                  --help                  shows this help

                Examples:
                  tileserve rebuild
                      rebuilds the grid
                  tileserve rebuild --zone Europe/Zurich
                      sets the time zone: days begin at midnight in Zurich

                """)
    }

    @Test(
        "A window that ends before it begins is refused, by each command that takes one",
        arguments: [
            ["stats", "--by", "day"], ["countries"], ["explorer"], ["stays"], ["stays", "places"], ["replay"],
            ["tracks", "list"], ["tracks", "export", "--format", "gpx"], ["pins", "list"],
            ["pins", "remove"], ["poster", "--bbox", "13,52,14,53", "--output", "poster.png"],
        ])
    func emptyWindows(_ command: [String]) throws {
        let line = try CommandLineHarness()
        let path = try line.file(
            "a.gpx",
            """
            <gpx version="1.1"><trk><trkseg>
            <trkpt lat="52.5" lon="13.4"><time>2025-06-02T10:00:00Z</time></trkpt>
            <trkpt lat="52.5" lon="13.5"><time>2025-06-02T10:10:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """)
        _ = line.run("import", path)
        let refused = line.run(command + ["--from", "2025-06-03", "--to", "2025-06-01"])
        #expect(refused.code == .usage && refused.err.contains("'--from' must be before '--to'"))
        // The same instant: nothing is between.
        let instant = "2025-06-02T10:00:00Z"
        #expect(line.run(command + ["--from", instant, "--to", instant]).code == .usage)
    }
}
