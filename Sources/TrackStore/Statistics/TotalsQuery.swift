import GridStorage
package import PrimaryStore
package import Statistics
package import Text
import TrackQuery
import Tracks

/// Which tracks a statistic is about.
package struct TrackSelection: Sendable, Hashable {
    /// A layer, or another word for an activity that has one.
    package var layer = LayerDefinition.everything
    /// The name of a person; empty for the owner of the library, nil for all persons.
    package var person: String?
    /// An activity, or another word for it.
    package var activity: String?

    /// Creates a selection of all tracks.
    package init() {}
}

/// Which days of which tracks are added up.
package struct TotalsQuery: Sendable {
    /// The periods.
    package var length = PeriodLength.month
    /// The first day. An instant means its day.
    package var from: DateText?
    /// The last day, included. An instant means the day of the last millisecond before it.
    package var to: DateText?
    package var tracks = TrackSelection()

    /// Creates a query for all days of all tracks, by month.
    package init() {}

    /// The first and the last day in a calendar.
    func days(in calendar: DayCalendar) -> (from: Int32?, to: Int32?) {
        let first: Int32? =
            switch from {
            case .day(let day): day.daysSince1970
            case .instant(let instant): calendar.day(of: instant)
            case nil: nil
            }
        let last: Int32? =
            switch to {
            case .day(let day): day.daysSince1970
            case .instant(let instant): calendar.day(of: instant == .min ? instant : instant - 1)
            case nil: nil
            }
        return (first, last)
    }
}

extension Library {
    /// The totals of tracks by period, from the derived table of the grid: a few milliseconds for some thousand tracks.
    /// `now` is in milliseconds since 1970.
    ///
    /// Throws `SelectionError` if layer or person does not exist.
    package func totals(_ query: TotalsQuery, now: Int64) throws -> TotalsReport {
        let calendar = try calendar()
        let days = query.days(in: calendar)
        var builder = TotalsReportBuilder(by: query.length, from: days.from, to: days.to)
        for track in try countedTracks(query.tracks, calendar) { builder.add(track.totals) }
        return builder.report(today: calendar.day(of: now))
    }

    /// The review of a year; the window of the query is ignored. `track` is the longest track.
    ///
    /// Throws as `totals` does.
    package func review(
        ofYear year: Int, _ query: TotalsQuery, now: Int64
    ) throws -> (review: YearReview, track: Track?) {
        let calendar = try calendar()
        let firstDay = CivilDay.days(year, 1, 1).map { Int32(clamping: $0) } ?? 0
        var builder = YearReviewBuilder(year: year, firstDay: firstDay)
        for track in try countedTracks(query.tracks, calendar) {
            builder.add(track.totals, number: track.number)
        }
        let review = builder.review(today: calendar.day(of: now))
        return (review, try review.longestTrack.flatMap { try database.track(number: $0.number) })
    }

    /// Calls `body` with the totals of selected tracks, whatever other tracks were recorded at the same time.
    func forEachTotals(
        _ selection: TrackSelection, _ calendar: DayCalendar,
        _ body: (_ number: Int64, TrackTotals) throws -> Void
    ) throws {
        let isSelected = try selector(selection, calendar)
        try grid.read { reader in
            try reader.forEachTotals { number, totals in
                if isSelected(number, totals) { try body(number, totals) }
            }
        }
    }

    /// Tells which tracks are selected, by their totals.
    func selector(
        _ selection: TrackSelection, _ calendar: DayCalendar
    ) throws -> (_ number: Int64, TrackTotals) -> Bool {
        guard let filter = try filter(layer: selection.layer) else {
            throw SelectionError.noSuchLayer(selection.layer)
        }
        var person: Int64?
        if let name = selection.person {
            person = try database.read { try $0.personNumber(orOwner: name) }
            guard person != nil else { throw SelectionError.noSuchPerson(name) }
        }
        let activities = [filter.activity, selection.activity.map { ActivityFilter($0) }].compactMap { $0 }
        let members = try filter.condition.map { condition in
            var members: Set<Int64> = []
            try database.read { snapshot in
                try snapshot.forEachFacts { number, facts in
                    if condition.admits(facts, in: calendar) { members.insert(number) }
                }
            }
            return members
        }
        return { number, totals in
            (person == nil || totals.person == person) && (members?.contains(number) ?? true)
                && activities.allSatisfy { $0.admits(totals.activity.isEmpty ? nil : totals.activity) }
        }
    }
}

extension Library {
    /// The totals of tracks, by track number. Tracks that the grid does not have yet are missing, and all of them if it
    /// cannot be read: lists of tracks do not depend on it.
    package func totals(ofTracks numbers: [Int64]) -> [Int64: TrackTotals] {
        let totals = try? grid.read { reader in
            var totals: [Int64: TrackTotals] = [:]
            for number in numbers { totals[number] = try reader.totals(ofTrack: number) }
            return totals
        }
        return totals ?? [:]
    }
}
