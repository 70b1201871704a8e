import Foundation
import Manual
import Markdown
import Testing

@testable import TileServeCLI

@Suite("The manual")
struct ManualTests {
    /// Pages for developers.
    private static let others = ["ARCHITECTURE.md", "ROUTES.md", "GEOGRAPHY.md", "PLACES.md"]
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    @Test("Every page in the folders of the targets is a topic, and embedded as it is")
    func pages() throws {
        var found = ["Styles/README.md"]
        let sources = Self.root.appending(path: "Sources")
        for case let file as String in try #require(FileManager.default.enumerator(atPath: sources.path()))
        where file.hasSuffix(".md") && !Self.others.contains(String(file.split(separator: "/").last ?? "")) {
            found.append("Sources/" + file)
        }
        #expect(Manual.pages.map(\.path).sorted() == found.sorted())
        #expect(Manual.pages.map(\.topic) == Manual.pages.map(\.topic).sorted())
        for page in Manual.pages {
            // The reader of pages takes lines that are only indented for prose, and fills them.
            #expect(!page.markdown.contains(/\n\n    [^ -]/), "\(page.path): code without a fence")
            let text = try String(contentsOf: Self.root.appending(path: page.path), encoding: .utf8)
            #expect(page.markdown == text, "\(page.path)")
        }
    }

    @Test(
        "A page has no markup outside of code, and its lines fit", arguments: Manual.pages.map(\.topic), [60, 80, 100])
    func rendering(_ topic: String, _ columns: Int) throws {
        let page = try #require(Manual.page(about: topic))
        let lines = ManualText.text(of: page, columns: columns).split(separator: "\n")
        #expect(lines.count > 5)
        for line in lines {
            // A word, such as a URL, is not divided.
            #expect(line.count <= columns || !line.drop { $0 == " " }.contains(" "), "\(line)")
        }
        let prose = MarkdownReader.blocks(of: page.markdown).filter { if case .code = $0 { false } else { true } }
        for line in ManualText.layout(of: page, columns: columns).lines(of: prose) {
            for markup in ["`", "](", "**", "![", "|--"] { #expect(!line.contains(markup), "\(line)") }
            let words = line.drop { $0 == " " }
            #expect(!words.hasPrefix("#") && !words.hasPrefix("|"), "\(line)")
        }
    }

    @Test("Links name the command that shows a page, a path, or a URL")
    func links() throws {
        let text = { (topic: String) in
            // Without line breaks.
            ManualText.text(of: try #require(Manual.page(about: topic)), columns: 80)
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(try text("import").contains("'tileserve help photos'"))
        #expect(try text("tiles").contains("legend of a style ('tileserve help styles')"))
        #expect(try text("tiles").contains("Sources/TileService/ROUTES.md lists all routes"))
        #expect(try text("recording").contains("OwnTracks (https://owntracks.org)"))
        #expect(try text("styles").contains("(Styles/pictures/heat.png)"))
    }

    @Test("'help' lists all commands and topics")
    func help() throws {
        let line = try CommandLineHarness()
        let help = line.run("help")
        #expect(help.code == .done && help.err == "")
        for command in Commands.all { #expect(help.out.contains("\n  \(command.name) ")) }
        for page in Manual.pages { #expect(help.out.contains("\n  \(page.topic) ")) }
        for row in help.out.split(separator: "\n") { #expect(row.count <= HelpScreen.columns, "\(row)") }
        #expect(line.run("--help").out == help.out)
    }

    @Test("'help TOPIC' shows the page")
    func topic() throws {
        let help = try CommandLineHarness().run("help", "tiles")
        #expect(help.code == .done && help.err == "")
        #expect(help.out.hasPrefix("TILES AND LAYERS\n"))
    }

    @Test(
        "'help COMMAND' shows the help of the command, and the page with its name",
        arguments: [("import", "IMPORT:"), ("stats", nil), ("pins", "PINS:"), ("photo", "PHOTOS:")])
    func command(_ word: String, _ page: String?) throws {
        let line = try CommandLineHarness()
        let help = line.run("help", word)
        #expect(help.code == .done && help.err == "")
        let own = try #require(ProgramHelp.text(for: [word]))
        #expect(own.hasPrefix("Usage: tileserve \(word)"))
        if let page {
            #expect(help.out.hasPrefix(own + "\n" + page))
        } else {
            #expect(help.out == own)
        }
        #expect(line.run("help", "tracks", "list").out == ProgramHelp.text(for: ["tracks", "list"]))
    }

    @Test("The help of each command names the topic about it")
    func topics() throws {
        let line = try CommandLineHarness()
        for words in Commands.all.map({ $0.name.split(separator: " ").map(String.init) })
            + Commands.groups.map({ [$0] })
        {
            let last = try #require(line.run(words + ["--help"]).out.split(separator: "\n").last)
            let named = Manual.pages.filter { last == "'tileserve help \($0.topic)' shows the page of the manual." }
            #expect(named.count == 1, "\(words)")
        }
    }

    @Test(
        "A word that is neither is reported with the nearest command or topic",
        arguments: [
            (["nonsense"], "unknown command or topic 'nonsense'; 'tileserve help' lists them"),
            (["tils"], "unknown command or topic 'tils'; did you mean 'tiles'?"),
            (["improt"], "unknown command or topic 'improt'; did you mean 'import'?"),
            (["acess"], "unknown command or topic 'acess'; did you mean 'access'?"),
            (["tracks", "lst"], "unknown command 'lst'; did you mean 'list'?"),
        ])
    func unknown(_ words: [String], _ sentence: String) throws {
        let refused = try CommandLineHarness().run(["help"] + words)
        #expect(refused.code == .usage && refused.out == "")
        #expect(refused.err == "tileserve: \(sentence)\n")
    }
}
