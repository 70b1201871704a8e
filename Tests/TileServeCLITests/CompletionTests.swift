import Files
import Foundation
import Testing

@testable import TileServeCLI

/// `tileserve completions`: scripts for shells, and the page for man.
struct CompletionTests {
    private let line: CommandLineHarness

    init() throws {
        line = try CommandLineHarness()
    }

    private func script(_ format: String) throws -> String {
        let printed = line.run("completions", format)
        #expect(printed.code == .done && printed.err == "", "\(printed)")
        return try line.file("completion.\(format)", printed.out)
    }

    private func text(_ format: String) throws -> String { line.run("completions", format).out }

    /// Runs a program; nil if it is not installed.
    private func run(_ words: [String]) throws -> (code: Int32, out: String, err: String)? {
        let path = ["/usr/bin/", "/bin/"].map { $0 + words[0] }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        guard let path else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = Array(words.dropFirst())
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": line.folder.path, "LC_ALL": "C.UTF-8", "MANWIDTH": "100",
        ]
        process.currentDirectoryURL = URL(fileURLWithPath: line.folder.path)
        let (out, err) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (out, err)
        try process.run()
        let said = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let messages = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said, messages)
    }

    @Test(arguments: ["bash", "zsh", "fish", "man"])
    func `every command and option is there`(_ format: String) throws {
        let text = try text(format).replacing("\\-", with: "-")
        for command in Commands.all {
            // fish names options without dashes.
            #expect(text.contains(command.name), "\(command.name)")
            for option in command.screen.options {
                let flag = format == "fish" ? "-l \(option.name)" : option.flag
                #expect(text.contains(flag), "\(command.name) \(option.flag)")
            }
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `the shell accepts its script`(_ shell: String) throws {
        guard let checked = try run([shell, "-n", try script(shell)]) else { return }
        #expect(checked.code == 0 && checked.out == "" && checked.err == "", "\(checked)")
    }

    @Test func `man shows the page without warnings`() throws {
        guard let shown = try run(["man", "--warnings", "-l", try script("man")]) else { return }
        #expect(shown.code == 0 && shown.err == "", "\(shown.err)")
        for words in ["tileserve import [OPTION]", "--library DIR", "EXIT STATUS", "tileserve tracks export"] {
            #expect(shown.out.contains(words), "\(words)")
        }
    }

    @Test func `anything else is refused`() throws {
        #expect(line.run("completions").code == .usage)
        let refused = line.run("completions", "tcsh")
        #expect(refused.code == .usage && refused.err.contains("use bash, zsh, fish or man"), "\(refused)")
        #expect(line.run("completions", "bash", "zsh").code == .usage)
    }

    // MARK: bash

    /// What bash offers at the end of a command line, whose last word may be empty.
    private func offered(_ words: String...) throws -> [String]? {
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let command = """
            compopt() { :; }
            source \(try script("bash"))
            COMP_WORDS=(tileserve \(quoted)); COMP_CWORD=\(words.count)
            _tileserve
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        guard let result = try run(["bash", "-c", command]) else { return nil }
        #expect(result.err == "", "\(result.err)")
        return result.out.split(separator: "\n").map(String.init).sorted()
    }

    @Test func `bash completes commands, options, values and files`() throws {
        _ = try line.file("ride one.gpx", "")
        try Folder.make(line.folder.path + "/rides")
        guard let commands = try offered("im") else { return }
        #expect(commands == ["import", "imports"])
        #expect(try offered("tracks", "ex") == ["export"])
        let known = Commands.all.map { $0.name }.filter { $0.hasPrefix("tracks ") }.map { String($0.dropFirst(7)) }
        #expect(try offered("tracks", "") == (known + ["--help"]).sorted())
        #expect(try offered("serve", "--pub") == ["--public-edition", "--public-read", "--public-url"])
        #expect(try offered("tracks", "export", "--form") == ["--format"])
        #expect(try offered("tracks", "export", "--format", "g") == ["geojson", "geojson-points", "gpslog", "gpx"])
        #expect(try offered("tracks", "export", "--format", "=", "gp") == ["gpslog", "gpx"])
        #expect(try offered("prerender", "--theme", "") == ["dark", "light"])
        #expect(try offered("import", "ri") == ["ride one.gpx", "rides"])
        #expect(try offered("serve", "--library", "ri") == ["rides"])
        #expect(try offered("tracks", "show", "") == [])
        #expect(try offered("completions", "") == ["bash", "fish", "man", "zsh"])
        #expect(try offered("help", "arch") == ["archives"])
        #expect(try offered("help", "tracks", "ex") == ["export"])
    }

    // MARK: fish and zsh

    @Test func `fish completes commands, options and values`() throws {
        let path = try script("fish")
        func offered(_ typed: String) throws -> [String]? {
            try run(["fish", "--no-config", "-c", "source \(path); complete -C '\(typed)'"]).map { result in
                #expect(result.err == "", "\(result.err)")
                return result.out.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.sorted()
            }
        }
        guard let commands = try offered("tileserve im") else { return }
        #expect(commands == ["import", "imports"])
        #expect(try offered("tileserve tracks ex") == ["export"])
        #expect(try offered("tileserve serve --pub") == ["--public-edition", "--public-read", "--public-url"])
        #expect(try offered("tileserve tracks export --format g") == ["geojson", "geojson-points", "gpslog", "gpx"])
        #expect(try offered("tileserve routes import --lib") == ["--library"])
    }

    @Test func `zsh loads the script as a completion`() throws {
        let path = try script("zsh")
        let command = "autoload -Uz compinit; compinit -u -D; source \(path); print -- $_comps[tileserve]"
        guard let loaded = try run(["zsh", "-f", "-c", command]) else { return }
        #expect(loaded.code == 0 && loaded.err == "" && loaded.out == "_tileserve\n", "\(loaded)")
    }
}
