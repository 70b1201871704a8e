import Foundation
import Testing
import Text

@testable import OpenAPI
@testable import RequestHandling

/// Patterns of schemas against the code that reads what they describe.
@Suite struct SchemaPatternTests {
    private func regex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
        try Regex(pattern).matchingSemantics(.unicodeScalar)
    }

    @Test(arguments: [0...0, 0...9, 1...12, 5...23, 200...4096, 50...1299, 99...1000, 123...456, 100...99_999])
    func `the pattern of a range matches its numbers and no others`(range: ClosedRange<Int>) throws {
        let pattern = try regex("^(\(NumberPattern.integers(range)))$")
        for number in 0...min(110_000, range.upperBound * 2 + 20) {
            #expect("\(number)".contains(pattern) == range.contains(number), "\(number)")
        }
        #expect(!"".contains(pattern) && !"x".contains(pattern))
    }

    /// The patterns of a schema, of which one has to match.
    private func patterns(_ schema: APISchema) throws -> [Regex<AnyRegexOutput>] {
        switch schema {
        case .named(_, let schema): try patterns(schema)
        case .either(let schemas): try schemas.flatMap(patterns)
        case .text(let pattern?, _, _): [try regex(pattern)]
        default: []
        }
    }

    @Test func `the pattern of a date matches what is read as one`() throws {
        let patterns = try patterns(.date)
        #expect(patterns.count == 3)
        var texts = [
            "", "2024", "202405", "20240531", "-2024", "5", "12345", "8640000000000000", "8640000000000001",
            "-8640000000000000", "-8640000000000001", "9999999999999999", "2024-05-31T08:00:00", "2024-05-31T08:00:00Z",
            "2024-05-31 08:00:60z", "2024-05-31T08:00:61Z", "2024-05-31T24:00:00Z", "2024-05-31T23:59:59.999+02:00",
            "2024-05-31T23:59:59.+02:00", "2024-05-31T08:00:00 02:00", "2024-05-31T08:00:00+24:00", "2024-5-31",
            "2024-05-31T", "2024-05-31T08:00Z", " 2024-05-31", "2024-05-31\n", "+5", "1e3", "٢٠٢٤-٠٥-٣١",
        ]
        for year in ["0000", "1900", "2000", "2023", "2024", "2100", "9999"] {
            for month in 0...13 {
                for day in [0, 1, 28, 29, 30, 31, 32] {
                    texts.append("\(year)-" + String(format: "%02d-%02d", month, day))
                }
            }
        }
        for text in texts {
            #expect(patterns.contains { text.contains($0) } == (DateText(text) != nil), "\(text)")
        }
    }

    @Test(arguments: [
        "30m", "1h30m", "1d2h3m4s5ms", "0s", "0h0m", "0h5m", "5m1h", "5", "m", "", "none", "1m1m", "1.5h", "-5m", "5M",
    ])
    func `the pattern of a duration matches what is read as one`(text: String) throws {
        let patterns = try patterns(.duration(orWord: "none"))
        let isRead = text == "none" || DurationText.milliseconds(text) != nil
        #expect(patterns.contains { text.contains($0) } == isRead)
    }
}
