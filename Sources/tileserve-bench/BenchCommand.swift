import Foundation

/// The command line of `tileserve-bench`: commands for benchmarks, not for users.
enum BenchCommand {
    private static let usage = """
        usage: tileserve-bench sample --output FILE|DIR [--format csv|gpx|library] [--points N | --tracks N] [--seed S] [--years N] [--within KM]
               tileserve-bench tiles --library DIR --list FILE [--style S] [PARAMETERS]
               tileserve-bench picture --library DIR --center LON,LAT --zoom Z --output FILE.png [--style S]
                                       [--size 480x300] [--background #f3f1ec] [PARAMETERS]
               tileserve-bench record --url http://HOST:PORT [--connections N] [--batch N] [--seconds N] [--key TOKEN]

        sample   writes synthetic tracks: a CSV file, or GPX in one file (NAME.gpx) or one per track (a folder),
                 or a library, without parsing files
        tiles    draws tiles (lines `z x y` of the file) on one thread, uncached, and prints their times as JSON
        picture  draws a part of the map on a plain background
        record   sends points to a running server as many devices would, and prints how many were acknowledged as durable

        PARAMETERS are the query parameters of tile URLs: --layer, --from, --to, --minus,
        --span, --ramp, --theme, --track, --marks

        """

    /// Runs a command line without the program's name and returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        do {
            switch words.first {
            case "sample":
                try SampleCommand(Arguments(Array(words.dropFirst()))).run()
            case "tiles":
                try TilesCommand(Arguments(Array(words.dropFirst()))).run()
            case "picture":
                try PictureCommand(Arguments(Array(words.dropFirst()))).run()
            case "record":
                try RecordCommand(Arguments(Array(words.dropFirst()))).run()
            case "--help", "help":
                FileHandle.standardOutput.write(Data(usage.utf8))
            case let verb:
                FileHandle.standardError.write(Data((verb.map { "\($0): unknown command\n" } ?? "").utf8))
                FileHandle.standardError.write(Data(usage.utf8))
                return ExitCode.usage
            }
            return ExitCode.success
        } catch let usageError as Arguments.UsageError {
            FileHandle.standardError.write(Data("tileserve-bench: \(usageError.text); see --help\n".utf8))
            return ExitCode.usage
        } catch {
            FileHandle.standardError.write(Data("tileserve-bench: \(error)\n".utf8))
            return ExitCode.disk
        }
    }

    private enum ExitCode {
        static let success: Int32 = 0
        static let usage: Int32 = 64
        static let disk: Int32 = 74
    }
}
