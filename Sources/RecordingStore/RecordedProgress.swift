internal import Database
internal import PrimaryStore

/// Which steps of moving a log are done. Steps are numbered from 1.
///
/// A step that fails, and those of the same device after it, may be left out while later steps are done.
struct RecordedProgress: Equatable {
    /// Ascending, with a gap between each two.
    private var done: [ClosedRange<Int>] = []

    /// The beginning of a name in `meta`, before that of the log. The value is the last step up to which all are done.
    private static let prefix = "recorded:"
    /// The same for the ranges of steps that are done after a step that is not.
    private static let laterPrefix = "recorded_later:"
    /// No log has as many steps.
    private static let steps = 1...Int(Int32.max)

    /// Creates the progress of a log of which no step is done.
    init() {}

    /// Reads the stored progress of a log.
    init(ofLog log: String, _ session: any Session) throws {
        if let last = try Meta.integer(Self.prefix + log, session), last > 0 { insert(1...Int(clamping: last)) }
        for range in try Meta.text(Self.laterPrefix + log, session)?.split(separator: " ") ?? [] {
            let ends = range.split(separator: "-").compactMap { Int($0) }
            if ends.count == 2, ends[0] <= ends[1] { insert(ends[0]...ends[1]) }
        }
    }

    /// Whether a step is done.
    func contains(_ step: Int) -> Bool { done.contains { $0.contains(step) } }

    /// The progress after another step.
    func with(_ step: Int) -> RecordedProgress {
        var progress = self
        progress.insert(step...step)
        return progress
    }

    private mutating func insert(_ steps: ClosedRange<Int>) {
        let all = (done + [steps.clamped(to: Self.steps)]).sorted { $0.lowerBound < $1.lowerBound }
        done = all.reduce(into: []) { ranges, range in
            if let last = ranges.last, range.lowerBound <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// Stores the progress of a log.
    func store(ofLog log: String, _ session: any Session) throws {
        let first = done.first.flatMap { $0.lowerBound == 1 ? $0.upperBound : nil } ?? 0
        try Meta.set(Self.prefix + log, to: .integer(first), session)
        let later = done.filter { $0.lowerBound > 1 }.map { "\($0.lowerBound)-\($0.upperBound)" }
        if later.isEmpty {
            try session.run("DELETE FROM meta WHERE name = $1", [.text(Self.laterPrefix + log)])
        } else {
            try Meta.set(Self.laterPrefix + log, to: .text(later.joined(separator: " ")), session)
        }
    }

    /// Deletes the stored progress of a log.
    static func delete(ofLog log: String, _ session: any Session) throws {
        for prefix in [prefix, laterPrefix] {
            try session.run("DELETE FROM meta WHERE name = $1", [.text(prefix + log)])
        }
    }

    /// The logs with stored progress.
    static func logs(_ session: any Session) throws -> [String] {
        try session.rows(
            "SELECT name FROM meta WHERE substr(name, 1, length($1)) = $1", [.text(prefix)]
        ) { String($0.text(0).dropFirst(prefix.count)) }
    }
}
