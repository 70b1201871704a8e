import Testing
import Text
import TileMath
import Tracks

@testable import TileServeCLI

@Suite("Parsing of options and operands")
struct ParsingTests {
    private let library = LibraryOption.option
    private let box = Option("bbox", "W,S,E,N", "a box")
    private let json = Option("json", "JSON")
    private var options: [Option] { [library, box, json, Option("color", "NAME", "a color")] }

    private func given(_ words: [String], _ operands: Operands = .some("PATH")) throws(UsageError)
        -> CommandLineArguments
    {
        try CommandLineArguments(words, options: options, operands: operands)
    }

    @Test("A value follows a space or an equals sign; options may be before, between and after operands")
    func places() throws {
        let orders = [
            ["--library", "x", "--json", "a", "b"], ["a", "--library=x", "b", "--json"],
            ["a", "b", "--json", "--library", "x"],
        ]
        for words in orders {
            let given = try given(words)
            #expect(given.operands == ["a", "b"], "\(words)")
            #expect(try given.text(library) == "x", "\(words)")
            #expect(given.has(json), "\(words)")
        }
    }

    @Test("After '--' everything is an operand, and '-' is always an operand")
    func dashes() throws {
        #expect(try given(["-", "--", "--json", "--", "-x"]).operands == ["-", "--json", "--", "-x"])
    }

    @Test("A value may begin with one dash, contain an equals sign, or be given several times")
    func values() throws {
        let given = try given(["--bbox", "-5,50,2,59", "--bbox=170,-50,-170,-30", "--library=a=b", "p"])
        let boxes = try given.allValues(box, .box) { BoundingBox(text: $0) }
        #expect(boxes.map(\.west) == [-5, 170])
        #expect(boxes.map(\.crossesAntimeridian) == [false, true])
        #expect(try given.text(library) == "a=b")
    }

    @Test(
        "An error is reported in one sentence that says what to do",
        arguments: [
            (["--colour", "red", "p"], "unknown option '--colour'; did you mean '--color'?"),
            (["--xyzzy", "p"], "unknown option '--xyzzy'; see 'tileserve try --help'"),
            (["-l", "p"], "unknown option '-l'; see 'tileserve try --help'"),
            (["p", "--library"], "'--library' needs a value; write '--library DIR'"),
            (["p", "--library", "--json"], "'--library' needs a value; write '--library DIR'"),
            (["p", "--json=yes"], "'--json' takes no value; remove '=yes'"),
            (["--json"], "no PATH given; see 'tileserve try --help'"),
        ])
    func mistakes(_ words: [String], _ sentence: String) {
        let fault = #expect(throws: UsageError.self) { try given(words) }
        #expect(fault?.sentence(command: "tileserve try") == sentence)
    }

    @Test("Operands are refused by commands without operands")
    func tooMuch() {
        let fault = #expect(throws: UsageError.self) { try given(["p"], .none) }
        #expect(fault == .unexpectedOperand("p"))
    }
}

@Suite("Parsing of quantities")
struct QuantityTests {
    @Test(
        "Sizes",
        arguments: [
            ("1", 1), ("256MB", 256_000_000), ("256mb", 256_000_000), ("4k", 4000), ("1GiB", 1 << 30), ("0", nil),
            ("", nil),
            ("MB", nil), ("1.5GB", nil), ("-1", nil), ("1 MB", nil), ("99999999999GB", nil), ("٣", nil),
        ] as [(String, Int?)])
    func sizes(_ text: String, _ bytes: Int?) {
        #expect(Quantity.size(text) == bytes)
    }

    @Test(
        "Durations",
        arguments: [
            ("30m", 1_800_000), ("1h30m", 5_400_000), ("500ms", 500), ("1m1ms", 60_001), ("2d", 172_800_000),
            ("0s", nil),
            ("30", nil), ("m", nil), ("30m1h", nil), ("1m1m", nil), ("-5s", nil), ("9999999999999999d", nil), ("", nil),
        ] as [(String, Int64?)])
    func durations(_ text: String, _ milliseconds: Int64?) {
        #expect(Quantity.milliseconds(text) == milliseconds)
    }

    @Test(
        "Zoom levels",
        arguments: [
            ("0-14", 0...14), ("7", 7...7), ("0-22", 0...22), ("14-0", nil), ("0-23", nil), ("-3", nil), ("3-", nil),
            ("1-2-3", nil), ("+1-2", nil), ("", nil),
        ] as [(String, ClosedRange<Int>?)])
    func zoomLevels(_ text: String, _ numbers: ClosedRange<Int>?) {
        let levels = Quantity.zoomLevels(text)
        #expect(levels.map { $0.lowerBound.number...$0.upperBound.number } == numbers)
    }

    @Test(
        "Boxes have valid coordinates, south below north",
        arguments: ["1,2,3", "1,2,3,4,5", "0,10,1,5", "0,0,181,1", "a,b,c,d", "0,nan,1,1"])
    func noBoxes(_ text: String) {
        #expect(BoundingBox(text: text) == nil)
    }

    @Test(
        "Dates and instants",
        arguments: [
            ("2025-03-30T08:00:00Z", 1_743_321_600_000), ("2025-03-30T10:00:00+02:00", 1_743_321_600_000),
            ("2025-03-30t08:00:00.25z", 1_743_321_600_250), ("2025-03-30T08:00:00.1239Z", 1_743_321_600_123),
            ("1969-12-31T23:59:59Z", -1000),
        ])
    func instants(_ text: String, _ milliseconds: Int64) {
        #expect(DateText(text) == .instant(milliseconds))
    }

    @Test(
        "Invalid dates",
        arguments: [
            "", "2025", "2025-02-30", "2025-3-1", "2025-03-30T08:00:00", "2025-03-30T24:00:00Z",
            "2025-03-30T08:00:00.Z",
            "2025-03-30T08:00:00+2:00", "2025-03-30x", "2025-03-30T08:00:00ZZ", "²025-03-30",
        ])
    func noDates(_ text: String) {
        #expect(DateText(text) == nil)
    }

    @Test("A gap is a duration or none; a zone must be in the time zone database")
    func others() {
        #expect(Quantity.gap("none") == GapRule.none)
        #expect(Quantity.gap("30m") == .pause(milliseconds: 1_800_000))
        #expect(Quantity.gap("some") == nil)
        #expect(Quantity.zone("Europe/Zurich") == "Europe/Zurich")
        #expect(Quantity.zone("Middle/Earth") == nil)
    }
}
