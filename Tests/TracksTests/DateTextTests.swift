import Testing
import Text
import Tracks

@Suite("A date as typed")
struct DateTextTests {
    @Test(
        "is milliseconds since 1970 where it is a whole number",
        arguments: [
            ("1743321600000", 1_743_321_600_000), ("0", 0), ("-5", -5), ("-2024", -2024),
            ("86400000000", 86_400_000_000),
            ("8640000000000000", 8_640_000_000_000_000),
        ])
    func milliseconds(text: String, expected: Int64) {
        #expect(DateText(text) == .instant(expected))
    }

    @Test("is the same instant in milliseconds and in RFC 3339")
    func same() {
        #expect(DateText("1743321600000") == DateText("2025-03-30T08:00:00Z"))
        #expect(DateText("951782400123") == DateText("2000-02-29T00:00:00.123Z"))
    }

    @Test(
        "is refused if it is not a number or may be a date without hyphens",
        arguments: ["2024", "202406", "20240630", "", "-", "1.5", "+5", "12 ", "99999999999999999", "1e9", "٣"])
    func nonsense(text: String) {
        #expect(DateText(text) == nil)
    }
}
