import Files
import Testing

@testable import TileServeCLI

@Suite("Options at the limits of their ranges")
struct ExtremeOptionTests {
    @Test(
        "Any number, size, duration, date, box and range of zoom levels gives a value or a usage error",
        arguments: [
            "0-99999999999", "9223372036854775807-9223372036854775808", "-9223372036854775808", "9223372036854775807",
            "9223372036854775808GiB", "9223372036854775807GB", "18446744073709551616", "9223372036854775807d",
            "106751991167d7h", "1e308", "-1e999,0,1e999,90", "nan,nan,nan,nan", "inf", "180,-90,-180,90", "9999-12-31",
            "0000-01-01", "8640000000000001", "-8640000000000000", "22-0", "-", "", "0", "100000000", "٣",
        ])
    func extremes(value: String) throws {
        let harness = try CommandLineHarness()
        _ = harness.run("import", try harness.walk("a.gpx"))
        for option in [
            "cache-size", "import-size", "flush", "sampling", "connections", "streams", "drawing-queue", "max-age",
            "port",
            "host", "public-url", "allow-origin",
        ] {
            let given = try CommandLineArguments(
                ["--\(option)=\(value)"], options: ServeCommand.screen.options, operands: ServeCommand.operands)
            _ = try? ServeCommand(given, environment: ["HOME": "/home/ada"])
        }
        for words in [
            ["prerender", "--zoom"], ["prerender", "--bbox"], ["prerender", "--workers"], ["tracks", "list", "--from"],
            ["tracks", "list", "--to"], ["tracks", "list", "--after"], ["tracks", "list", "--bbox"],
            ["export", "--from"],
            ["cleaning", "--speed"], ["cleaning", "--accuracy"], ["cleaning", "--jump-speed"], ["replay", "--seek"],
            ["replay", "--from"], ["replay", "--tiles"], ["replay", "--fps"], ["stats", "--library"],
        ] {
            let output = words[0] == "prerender" ? ["--output", harness.folder.path + "/tiles", "--zoom", "0-1"] : []
            let given = words.dropLast() + output + ["\(words[words.count - 1])=\(value)"]
            let result = harness.run(given)
            #expect(result.code != .software, "\(given)")
        }
        for columns in ["-9223372036854775808", "0", "9223372036854775807", value] {
            #expect(try (20...1000).contains(Terminal.standard(environment: ["COLUMNS": columns]).columns))
        }
    }
}
