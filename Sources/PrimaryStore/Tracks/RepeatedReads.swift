import Database
internal import Tracks

/// What the recordings of one transaction ask the database for again and again. Nobody else writes meanwhile, so it stays
/// right until the transaction changes it itself.
struct RepeatedReads {
    private var rule: OutlierRule?
    private var persons: [String?: Int64] = [:]
    private var spanClasses: [Int64: [Int64]] = [:]

    mutating func outlierRule(_ session: any Session) throws -> OutlierRule {
        if let rule { return rule }
        let read = try OutlierRuleStore.rule(session)
        rule = read
        return read
    }

    /// The number of a person, from `read` at the first time.
    mutating func person(_ name: String?, _ read: (String?) throws -> Int64) throws -> Int64 {
        if let known = persons[name] { return known }
        let number = try read(name)
        persons[name] = number
        return number
    }

    /// The classes of duration of the tracks of a person, ascending; some may have no track any more.
    mutating func spanClasses(of person: Int64, _ session: any Session) throws -> [Int64] {
        if let known = spanClasses[person] { return known }
        let read = try SimilarTracks.spanClasses(of: person, session)
        spanClasses[person] = read
        return read
    }

    /// A track of the person has got this class of duration.
    mutating func add(spanClass: Int64?, of person: Int64) {
        guard let spanClass, let known = spanClasses[person], !known.contains(spanClass) else { return }
        spanClasses[person] = (known + [spanClass]).sorted()
    }

    /// Durations of tracks have changed.
    mutating func forgetSpanClasses() { spanClasses = [:] }
}
