import TestSupport
import Testing
import Text

struct CSVTextTests {
    private func cell(_ text: String) -> String {
        var bytes: [UInt8] = []
        CSVText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A cell is quoted if a reader could take it for something else",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("two words", "\"two words\""), ("a\nb", "\"a\nb\""),
            ("say \"x\"", "\"say \"\"x\"\"\""), ("\"", "\"\"\"\""), ("#1", "\"#1\""), ("\"\u{301}", "\"\"\"\u{301}\""),
            ("a\0b", "\"a\u{FFFD}b\""),
        ])
    func quoting(_ text: String, _ expected: String) {
        #expect(cell(text) == expected)
    }

    @Test(arguments: 0..<200) func `A cell is read as it was written`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts: [Unicode.Scalar] = ["\"", "\"", "\u{301}", "\u{200D}", ",", "a", "é", " ", "\n", "\r", "😀"]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int(random.below(12)) { scalars.append(parts[Int(random.below(UInt64(parts.count)))]) }
        let text = String(scalars)
        let written = Array(cell(text).utf8)
        // The reader finds the quotation marks around a cell.
        let isQuoted = written.first == UInt8(ascii: "\"")
        let inner = isQuoted ? Array(written.dropFirst().dropLast()) : written
        let read = CSVText.unquoted(String(decoding: inner, as: UTF8.self))
        #expect(Array(read.utf8) == Array(text.utf8))
    }
}
