import Testing
import Text

@Suite struct DisplayTextTests {
    @Test func `Counts have commas between the thousands, and the noun in singular or plural`() {
        #expect(DisplayText.count(0, "point") == "0 points" && DisplayText.count(1, "point") == "1 point")
        #expect(DisplayText.count(1_234_567, "entry", "entries") == "1,234,567 entries")
        #expect(DisplayText.count(.min) == "-9,223,372,036,854,775,808")
        #expect(["1", "999", "1000", "1234567"].map { DisplayText.grouped($0) } == ["1", "999", "1,000", "1,234,567"])
    }

    @Test func `Lists end with a conjunction`() {
        #expect(DisplayText.list([], "or") == "" && DisplayText.list(["a"], "or") == "a")
        #expect(DisplayText.list(["a", "b", "c"], "or") == "a, b or c")
    }

    @Test(
        arguments: [
            ("1h30m", 5_400_000), ("500ms", 500), ("2d", 172_800_000), ("30m1h", nil), ("0s", nil), ("", nil),
            ("5", nil),
            ("9223372036854775807d", nil),
        ] as [(String, Int64?)])
    func `Durations have units, the largest first`(text: String, milliseconds: Int64?) {
        #expect(DurationText.milliseconds(text) == milliseconds)
    }

    @Test func `A text of a file is one line, and is cut`() {
        #expect(DisplayText.singleLine("a\nb\u{1B}[1m\u{2028}c\u{2029}é") == "a b [1m c é")
        #expect(DisplayText.clipped("abcd", to: 4) == "abcd" && DisplayText.clipped("abcde", to: 4) == "abc…")
    }
}
