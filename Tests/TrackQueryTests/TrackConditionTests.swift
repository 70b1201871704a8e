import Testing
import TrackQuery
import Tracks

@Suite struct TrackConditionTests {
    private let berlin: DayCalendar

    init() throws {
        berlin = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    private static let ride = {
        var facts = TrackFacts()
        facts.activity = "ride"
        facts.person = "Ada"
        facts.device = "Watch 3"
        facts.name = "Round the lake"
        facts.source = "2024/lake.gpx"
        facts.tags = ["race", "Long Haul"]
        facts.metres = 42_195
        facts.seconds = 7200
        // 2024-02-28T23:30Z: in Berlin it is already 29 February.
        facts.start = 1_709_163_000_000
        return facts
    }()

    private func admits(_ text: String, _ facts: TrackFacts = ride) throws -> Bool {
        try TrackCondition(parsing: text).admits(facts, in: berlin)
    }

    @Test(
        "A condition matches the tracks that it describes",
        arguments: [
            ("activity = ride", true), ("activity=RIDE", true), ("activity != ride", false), ("activity ~ id", true),
            ("activity in (run, ride)", true), ("activity not in (run, ride)", false), ("not activity = run", true),
            ("person = ada and activity = run", false), ("person = ada or activity = run", true),
            ("device = 'watch 3'", true), ("name ~ \"THE L\"", true), ("name = \"round the lake\"", true),
            ("tag = race", true), ("tag = \"long haul\"", true), ("tag != race", false), ("tag = slow", false),
            ("tag ~ haul", true), ("tag = \"\"", false), ("source ~ 2024/", true),
            ("metres > 42194.5 and metres < 42196", true), ("metres >= 42196", false), ("seconds = 7200", true),
            ("seconds in (1, 7200)", true), ("start = 2024-02-29", true), ("start < 2024-02-29", false),
            ("start >= 2024-02-29 and start <= 2024-02-29", true), ("start in (2024-02-28, 2024-03-01)", false),
        ])
    func says(_ text: String, _ expected: Bool) throws {
        #expect(try admits(text) == expected)
    }

    @Test("The empty text matches missing values, and a track without times has no start day")
    func nothing() throws {
        let bare = TrackFacts()
        for text in ["person = \"\"", "activity = ''", "tag = \"\"", "start != 2024-01-01", "metres = 0"] {
            #expect(try admits(text, bare), "\(text)")
        }
        for text in ["tag != \"\"", "start < 2024-01-01", "start > 2024-01-01", "activity != ''"] {
            #expect(try !admits(text, bare), "\(text)")
        }
    }

    @Test("Operators have the documented precedence for all truth values of three operands")
    func precedence() throws {
        for bits in 0..<8 {
            let values = (0..<3).map { bits >> $0 & 1 == 1 }
            let parts = values.map { $0 ? "activity = ride" : "activity = run" }
            let (a, b, c) = (values[0], values[1], values[2])
            #expect(try admits("\(parts[0]) or \(parts[1]) and \(parts[2])") == (a || (b && c)))
            #expect(try admits("\(parts[0]) and \(parts[1]) or \(parts[2])") == ((a && b) || c))
            #expect(try admits("(\(parts[0]) or \(parts[1])) and \(parts[2])") == ((a || b) && c))
            #expect(try admits("not \(parts[0]) and \(parts[1])") == (!a && b))
            #expect(try admits("NOT (\(parts[0]) OR \(parts[1]))") == !(a || b))
            #expect(try admits("not not \(parts[0])") == a)
        }
    }

    @Test(
        "Errors are one line with a column",
        arguments: [
            ("", 1, "the condition is empty"), ("   ", 1, "the condition is empty"),
            ("persn = ada", 1, "no field 'persn'"), ("activity = ride and persn = ada", 21, "no field 'persn'"),
            ("activity", 9, "ends too early"), ("activity =", 11, "ends too early"),
            ("activity ride", 10, "'ride' is unexpected"), ("activity = ride ride", 17, "unexpected after"),
            ("(activity = ride", 17, "ends too early"), ("activity = ride)", 16, "unexpected after"),
            ("name = 'x", 8, "not closed"), ("name = x; y = 2", 9, "';' is not allowed here"),
            ("metres ~ 5", 8, "does not support the operator '~'"), ("name < x", 6, "'<'"),
            ("metres = far", 10, "not a number"), ("metres = nan", 10, "not a number"),
            ("start = 2023-02-29", 9, "not a day"),
            ("start = 23-02-01", 9, "not a day"), ("activity = and", 12, "in quotes"),
            ("activity in ride", 13, "'ride' is unexpected"), ("activity in (ride run)", 19, "'run' is unexpected"),
            ("activity in ()", 14, "')' is unexpected"), ("activity not = ride", 14, "'=' is unexpected"),
            ("= ride", 1, "'=' is unexpected"), ("not", 4, "ends too early"),
        ])
    func faults(_ text: String, _ column: Int, _ part: String) throws {
        let error = #expect(throws: ConditionError.self) { try TrackCondition(parsing: text) }
        #expect(error?.column == column)
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("; ") == true)
        #expect(error?.description.contains("\n") == false)
    }

    @Test("Deep nesting is rejected")
    func depth() {
        for text in [String(repeating: "(", count: 3000), String(repeating: "not ", count: 999) + "tag = x"] {
            #expect(throws: ConditionError.self) { try TrackCondition(parsing: text) }
        }
        #expect(throws: ConditionError.self) {
            try TrackCondition(parsing: "name = " + String(repeating: "x", count: TrackCondition.maxCharacters))
        }
    }

    @Test("Values may be words of any script and contain escaped quotes")
    func scripts() throws {
        var facts = Self.ride
        facts.name = "Überm \"See\" \\ 湖"
        #expect(try admits("name ~ überm and name ~ 湖", facts))
        #expect(try admits(#"name ~ "\"see\" \\""#, facts))
        #expect(try TrackCondition(parsing: "  tag = x \n").text == "tag = x")
    }
}
