import Foundation
import HTTPCore
import Testing
import TileService
import WebPage

/// Checks that the modules of the page fit together, which a browser would detect only when they run.
@Suite struct PageTests {
    private struct Module {
        /// The file name.
        let name: String
        let text: String

        /// Exported names.
        var exports: Set<String> {
            Set(
                text.matches(of: /export (?:async )?(?:function|const) (?<name>\w+)/).map { String($0.output.name) })
        }

        /// Imported names, by module.
        var imports: [(from: String, names: [String])] {
            text.matches(of: /import \{(?<names>[^}]*)\} from '\.\/(?<from>[\w.\-]+)'/).map { match in
                let names = match.output.names.split(whereSeparator: { $0 == "," || $0.isWhitespace })
                return (String(match.output.from), names.map(String.init))
            }
        }

        /// Modules imported as a whole, by local name.
        var namespaces: [(from: String, name: String)] {
            text.matches(of: /import \* as (?<name>\w+) from '\.\/(?<from>[\w.\-]+)'/).map {
                (String($0.output.from), String($0.output.name))
            }
        }
    }

    private let town: Town
    private let page: String
    private let modules: [String: Module]

    init() throws {
        town = try Town()
        page = town.get("/").text
        var modules: [String: Module] = [:]
        var wanted = ["page.js"]
        while let name = wanted.popLast() {
            guard modules[name] == nil, let file = WebPage.files.first(where: { $0.name == name }) else { continue }
            let module = Module(name: name, text: String(decoding: file.bytes, as: UTF8.self))
            modules[name] = module
            wanted += module.imports.map(\.from) + module.namespaces.map(\.from)
        }
        self.modules = modules
    }

    @Test func `Every import of a module is exported by the other`() {
        #expect(modules.count > 10)
        // In the source of the page, which serve --site shows, so that a browser requests all of them at once.
        let source = WebPage.files.first { $0.name == "index.html" }.map { String(decoding: $0.bytes, as: UTF8.self) }
        let preloaded = source?.matches(of: /rel="modulepreload" href="assets\/(?<name>[\w.\-]+)"/).map(\.output.name)
        #expect(preloaded?.map(String.init).sorted() == modules.keys.filter { $0 != "page.js" }.sorted())
        for module in modules.values {
            for (from, names) in module.imports {
                let missing = Set(names).subtracting(modules[from]?.exports ?? [])
                #expect(missing.isEmpty, "\(module.name) from \(from)")
            }
            for (from, name) in module.namespaces {
                // In text for users, a name can end a sentence.
                let used = module.text.ranges(of: "\(name).").map { range in
                    String(module.text[range.upperBound...].prefix(while: { $0.isLetter || $0.isNumber }))
                }.filter { !$0.isEmpty && $0 != "js" }
                let missing = Set(used).subtracting(modules[from]?.exports ?? [])
                #expect(missing.isEmpty, "\(module.name) from \(from)")
            }
        }
    }

    @Test func `Every element that a module uses exists once`() {
        let ids = page.matches(of: /\ id="(?<id>[\w-]+)"/).map { String($0.output.id) }
        #expect(ids.count == Set(ids).count && ids.contains("player"))
        for module in modules.values {
            let asked = module.text.matches(of: /\b(?:byId|on)\('(?<id>[\w-]+)'/).map { String($0.output.id) }
            // Modules also listen to maps and layers.
            let others: Set = [
                "moveend", "click", "move viewreset resize", "zoomstart", "zoomend", "dragstart", "tileunload",
                "dblclick",
            ]
            let missing = Set(asked).subtracting(ids).subtracting(others)
            #expect(missing.isEmpty, "\(module.name)")
        }
    }

    @Test func `Every control has a name`() {
        for match in page.matches(of: /<(?:select|input)[^>]*>/) {
            let control = match.output
            let before = page[..<match.range.lowerBound]
            let isInLabel = before.ranges(of: "<label").count > before.ranges(of: "</label>").count
            #expect(control.contains("aria-label=") || isInLabel, "\(control)")
        }
    }

    @Test func `the page knows the text of the colour for tracks without a value`() throws {
        struct Legend: Decodable {
            struct Entry: Decodable { var text: String }
            var entries: [Entry]
        }
        let legend = try JSONDecoder().decode(Legend.self, from: Data(town.get("/legend/tracks-speed.json").bytes))
        let text = try #require(legend.entries.last?.text)
        let module = try #require(modules.values.first { $0.name == "legend.js" })
        #expect(module.text.contains("const UNKNOWN = '\(text)';"))
    }

    @Test func `URLs are built in one place`() {
        for module in modules.values where module.name != "server.js" {
            for call in ["fetch(", "EventSource("] {
                let uses = module.text.ranges(of: call).map { module.text[$0.upperBound...].prefix(8) }
                #expect(uses.allSatisfy { $0.hasPrefix("current(") || $0.hasPrefix("address(") }, "\(module.name)")
            }
        }
    }
}
