import GridStorage
package import Journeys
package import PrimaryStore
import Statistics
import TrackQuery
import Tracks

/// Which recorded metres of a person count for a journey.
package struct MetresQuery: Sendable, Hashable {
    private let person: Int64
    private let condition: String?
    private let factors: [Factor]
    /// In milliseconds since 1970; nil for all.
    private let since: Int64?

    private struct Factor: Hashable {
        let condition: String
        let factor: Double
    }

    /// What a member of a journey contributes; nil if it is driven by focus.
    package init?(_ journey: StoredJourney, member: StoredJourney.Member) {
        guard case .metres(let condition, let factors) = journey.drive else { return nil }
        person = member.number
        self.condition = condition?.text
        self.factors = factors.map { Factor(condition: $0.condition.text, factor: $0.factor) }
        since = journey.since
    }

    /// The factor of each track that counts, by its number.
    fileprivate func factors(_ snapshot: TrackSnapshot, _ calendar: DayCalendar) throws -> [Int64: Double] {
        let condition = try condition.map { try TrackCondition(parsing: $0) }
        let known = try factors.map { (condition: try TrackCondition(parsing: $0.condition), factor: $0.factor) }
        var factors: [Int64: Double] = [:]
        try snapshot.forEachFacts { number, facts in
            guard condition?.admits(facts, in: calendar) ?? true else { return }
            factors[number] = known.first { $0.condition.admits(facts, in: calendar) }?.factor ?? 1
        }
        return factors
    }

    fileprivate func counts(_ totals: TrackTotals) -> Bool {
        totals.person == person && totals.span.map { $0.upperBound > since ?? .min } ?? false
    }

    /// The part of a section that is not before the journey.
    fileprivate func credit(_ section: MinuteClaims.Section, factor: Double) -> MetresLedger.Credit? {
        let begin = max(section.instants.lowerBound, since ?? .min)
        guard begin < section.instants.upperBound else { return nil }
        let part = section.part(begin..<section.instants.upperBound)
        guard part.amounts.millimetres > 0 else { return nil }
        return MetresLedger.Credit(part.instants, millimetres: part.amounts.millimetres, factor: factor)
    }
}

extension Library {
    /// The metres that count, as credits in time: each minute of the person once, with the factor of the track that
    /// claims it. What has no time does not count.
    package func metresLedger(_ query: MetresQuery) throws -> MetresLedger {
        let calendar = try calendar()
        let factors = try database.read { try query.factors($0, calendar) }
        var credits: [MetresLedger.Credit] = []
        try grid.read { reader in
            try reader.forEachClaim({ factors[$0] != nil && query.counts($1) }) { number, section in
                if let credit = query.credit(section, factor: factors[number] ?? 1) { credits.append(credit) }
            }
        }
        return MetresLedger(credits)
    }
}
