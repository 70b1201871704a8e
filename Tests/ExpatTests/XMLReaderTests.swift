import Expat
import TestSupport
import Testing

/// The events of a document as text: `<name`, `@name=value`, `text`, `>name`.
private func events(_ document: [UInt8], block: Int = .max, known: [String] = []) throws -> (
    events: [String], failure: XMLError?
) {
    let reader = try XMLReader(known: known)
    var found: [String] = []
    var failure: XMLError?
    var lastWasText = false
    func take(_ part: XMLEvents) {
        for event in part.events {
            let content = String(decoding: part.bytes[event.range], as: UTF8.self)
            switch event.kind {
            case .start: found.append("<\(reader.qualifiedName(event.number))")
            case .attribute: found.append("@\(reader.qualifiedName(event.number))=\(content)")
            case .end: found.append(">\(reader.qualifiedName(event.number))")
            // A text may be split at the end of a block.
            case .text where lastWasText: found[found.count - 1] += content
            case .text: found.append(content)
            }
            lastWasText = event.kind == .text
        }
        failure = failure ?? part.failure
    }
    let size = min(block, max(1, document.count))
    for start in stride(from: 0, to: document.count, by: size) {
        take(reader.read(Array(document[start..<min(start + size, document.count)])))
    }
    take(reader.finish())
    return (found, failure)
}

private func events(_ document: String, block: Int = .max) throws -> (events: [String], failure: XMLError?) {
    try events(Array(document.utf8), block: block)
}

@Suite struct XMLReaderTests {
    private static let document = """
        <?xml version="1.0"?>
        <gpx:gpx version="1.1" creator="a &lt; b">
        <name>K&#246;ln &amp; <![CDATA[<Bonn>]]></name><!-- nothing --><empty/>
        </gpx:gpx>
        """

    @Test(arguments: [1, 2, 3, 7, 64, .max]) func `A document has the same events however it is cut`(block: Int) throws
    {
        let (found, failure) = try events(Self.document, block: block)
        #expect(failure == nil)
        #expect(
            found == [
                "<gpx:gpx", "@version=1.1", "@creator=a < b", "\n", "<name", "Köln & <Bonn>", ">name", "<empty",
                ">empty", "\n", ">gpx:gpx",
            ])
    }

    @Test func `Known names are found by their local part, in the order of the list`() throws {
        let reader = try XMLReader(known: ["trkpt", "ele"])
        let part = reader.read(Array("<a:trkpt><ele/><b:ele/><c/></a:trkpt>".utf8))
        let starts = part.events.filter { $0.kind == .start }
        #expect(starts.map(\.known) == [0, 1, 1, nil])
        #expect(starts.map { reader.localName($0.number) } == ["trkpt", "ele", "ele", "c"])
        #expect(starts.map { reader.qualifiedName($0.number) } == ["a:trkpt", "ele", "b:ele", "c"])
        #expect(Set(starts.map(\.number)).count == 4)
    }

    @Test func `An event knows its line, also in a later block`() throws {
        let reader = try XMLReader(known: [])
        let first = reader.read(Array("<a>\n\n<b/>\n".utf8))
        let second = reader.read(Array("\n<c/></a>".utf8))
        #expect(first.events.filter { $0.kind == .start }.map { first.line(of: $0) } == [1, 3])
        #expect(second.events.filter { $0.kind == .start }.map { second.line(of: $0) } == [5])
    }

    @Test(arguments: [
        ("<a>\n<b></a>", 2), ("<a>\n\n&nbsp;</a>", 3), ("<a", 1), ("<a></a><b/>", 1), ("text", 1), ("", 1),
        ("<a b='1' b='2'/>", 1),
    ])
    func `An error of the document names its line`(document: String, line: Int) throws {
        let failure = try events(document).failure
        guard case .malformed(let reason, line, let column)? = failure else {
            Issue.record("\(document): \(String(describing: failure))")
            return
        }
        #expect(!reason.isEmpty && column > 0)
    }

    @Test func `Events before an error are reported, and none after it`() throws {
        let reader = try XMLReader(known: [])
        let part = reader.read(Array("<a><b/><c></d>".utf8))
        #expect(part.events.count { $0.kind == .start } == 3 && part.failure != nil)
        let rest = reader.read(Array("<e/>".utf8))
        #expect(rest.events.isEmpty && rest.failure == nil)
        #expect(reader.finish().failure == nil)
    }

    @Test func `Nesting is limited`() throws {
        let depth = XMLReader.depthLimit
        let allowed = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        #expect(try events(allowed).failure == nil)
        #expect(
            try events(String(repeating: "<a>\n", count: depth + 1)).failure == .tooDeep(limit: depth, line: depth + 1))
    }

    @Test func `The number of different names is limited`() throws {
        let limit = 4096
        let names = (1..<limit).map { "<n\($0)/>" }.joined()
        #expect(try events("<a>\(names)</a>").failure == nil)
        #expect(try events("<a>\(names)\n<one/></a>").failure == .tooManyNames(limit: limit, line: 2))
        let long = String(repeating: "n", count: 1025)
        #expect(try events("<\(long)/>").failure == .longName(limit: 1024, line: 1))
    }

    @Test func `A document type with declarations is refused, without them accepted`() throws {
        #expect(try events("<!DOCTYPE gpx SYSTEM \"gpx.dtd\"><gpx/>").failure == nil)
        let bomb = "\n<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>"
        #expect(try events(bomb).failure == .declarations(line: 2))
    }

    @Test func `UTF-16, ISO-8859-1 and Windows-1252 are read`() throws {
        let text = "<a>Köln</a>"
        let units = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let utf16: [UInt8] = [0xFF, 0xFE] + units
        #expect(try events(utf16).events == ["<a", "Köln", ">a"])
        let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>K".utf8) + [0xF6] + Array("ln</a>".utf8)
        #expect(try events(latin).events == ["<a", "Köln", ">a"])
        let windows =
            Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>".utf8) + [0x80, 0x9F] + Array("</a>".utf8)
        #expect(try events(windows).events == ["<a", "€Ÿ", ">a"])
        let undefined = Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>".utf8) + [0x81] + Array("</a>".utf8)
        #expect(try events(undefined).failure != nil)
    }

    @Test func `A reader that assumes UTF-8 ignores the declared encoding`() throws {
        let reader = try XMLReader(known: [])
        reader.assumeUTF8()
        let part = reader.read(Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>ö</a>".utf8))
        #expect(part.failure == nil && String(decoding: part.bytes, as: UTF8.self) == "ö")
    }

    @Test func `Random bytes give an error, and never a trap`() throws {
        var random = SeededRandom(seed: 3)
        for length in 0..<300 {
            let junk = Array("<a>".utf8) + (0..<length).map { _ in UInt8.random(in: 0...127, using: &random) }
            #expect(try events(junk, block: 1 + length % 9).failure != nil)
        }
    }
}

@Suite struct XMLRepairerTests {
    private func repaired(_ bytes: [UInt8], block: Int = .max, isUTF8: Bool = true) -> (text: String, Set<XMLRepair>) {
        var repairer = XMLRepairer(isUTF8: isUTF8)
        var result: [UInt8] = []
        let size = min(block, max(1, bytes.count))
        for start in stride(from: 0, to: bytes.count, by: size) {
            result += repairer.repair(Array(bytes[start..<min(start + size, bytes.count)]), isLast: false)
        }
        result += repairer.repair([], isLast: true)
        return (String(decoding: result, as: UTF8.self), repairer.repairs)
    }

    @Test(arguments: [1, 2, 3, 5, .max]) func `Valid documents are returned unchanged, however they are cut`(block: Int)
    {
        for text in [
            "<a>plain</a>", "<a>ö € 🚲</a>", "<a>&amp;&lt;&#xF6;&#10;&quot;</a>", "<![CDATA[ a & b ]]>",
            "<!-- a & b -->",
            "<a b='1'/>", "",
        ] {
            let (result, repairs) = repaired(Array(text.utf8), block: block)
            #expect(result == text && repairs.isEmpty, "\(text)")
        }
    }

    @Test(arguments: [1, 2, 3, 5, .max]) func `A bare ampersand becomes a reference, except in character data`(
        block: Int
    ) {
        for (text, expected) in [
            ("<a>Fish & Chips</a>", "<a>Fish &amp; Chips</a>"), ("<a>&nbsp;</a>", "<a>&amp;nbsp;</a>"),
            ("<a>R&D;</a>", "<a>R&amp;D;</a>"), ("<a>&#0;</a>", "<a>&amp;#0;</a>"), ("<a>&", "<a>&amp;"),
            ("<![CDATA[&]]>&</a>", "<![CDATA[&]]>&amp;</a>"),
        ] {
            let (result, repairs) = repaired(Array(text.utf8), block: block)
            #expect(result == expected && repairs == [.bareAmpersands], "\(text)")
        }
    }

    @Test(arguments: [1, 2, 3, .max]) func `Bytes that are not UTF-8 are read as Windows-1252`(block: Int) {
        for (bytes, expected) in [
            ([0xF6], "ö"), ([0x80], "€"), ([0xE2, 0x82], "â‚"), ([0xC3, 0x28], "Ã("), ([0xED, 0xA0, 0x80], "í\u{A0}€"),
            ([0xC3, 0xB6], "ö"), ([0xFF], "ÿ"),
        ] as [([UInt8], String)] {
            let (result, repairs) = repaired(Array("<a>".utf8) + bytes + Array("</a>".utf8), block: block)
            #expect(result == "<a>\(expected)</a>", "\(bytes)")
            #expect(repairs == (bytes == [0xC3, 0xB6] ? [] : [.invalidUTF8]))
        }
    }

    @Test func `A document in a single-byte encoding keeps its bytes`() {
        var repairer = XMLRepairer(isUTF8: false)
        let bytes = Array("<a>".utf8) + [0xF6, 0x80] + Array("</a>".utf8)
        #expect(repairer.repair(bytes, isLast: false) + repairer.repair([], isLast: true) == bytes)
        #expect(repairer.repairs.isEmpty)
    }
}
