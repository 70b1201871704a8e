import Countries
import GridStorage
import Statistics
import Tracks

/// What counts of a track among the selected ones: each minute of a person counts once, see `MinuteClaims`.
struct CountedTrack {
    var number: Int64
    /// The totals, with what counts of its days.
    var totals: TrackTotals
    /// The length that counts of each row of its ledger; nil if all of it counts.
    var millimetres: [Int64]?
}

extension Library {
    /// What counts of each selected track. Minutes are read only for tracks that overlap others of the same person.
    ///
    /// Throws `SelectionError` if layer or person does not exist.
    func countedTracks(
        _ selection: TrackSelection, _ calendar: DayCalendar
    ) throws -> [CountedTrack] {
        let isSelected = try selector(selection, calendar)
        return try grid.read { reader in try reader.countedTracks(isSelected) }
    }
}

extension GridReader {
    func countedTracks(_ isSelected: (_ number: Int64, TrackTotals) -> Bool) throws -> [CountedTrack] {
        let persons = try selectedTracks(isSelected)
        var counted: [CountedTrack] = []
        for (_, tracks) in persons.sorted(by: { $0.key < $1.key }) {
            for group in MinuteClaims.groups(tracks) {
                guard group.count > 1 else {
                    for index in group {
                        counted.append(CountedTrack(number: tracks[index].number, totals: tracks[index].totals))
                    }
                    continue
                }
                let settled = MinuteClaims.settle(try group.map { try claimant(tracks[$0]) })
                for (index, settled) in zip(group, settled) {
                    var track = CountedTrack(
                        number: settled.number, totals: tracks[index].totals, millimetres: settled.millimetres)
                    track.totals.days = settled.days
                    counted.append(track)
                }
            }
        }
        return counted
    }

    /// What counts of each day of a calendar, of selected tracks.
    func countedDays(
        in calendar: DayCalendar, _ isSelected: (_ number: Int64, TrackTotals) -> Bool
    ) throws -> CountedDays {
        let persons = try selectedTracks(isSelected)
        var days = CountedDays(in: calendar)
        for (_, tracks) in persons {
            for group in MinuteClaims.groups(tracks) { days.add(try group.map { try claimant(tracks[$0]) }) }
        }
        return days
    }

    /// Calls `body` with each section of time that counts, of selected tracks, and the number of its track.
    func forEachClaim(
        _ isSelected: (_ number: Int64, TrackTotals) -> Bool,
        _ body: (_ number: Int64, MinuteClaims.Section) -> Void
    ) throws {
        for (_, tracks) in try selectedTracks(isSelected) {
            for group in MinuteClaims.groups(tracks) {
                _ = MinuteClaims.settle(try group.map { try claimant(tracks[$0]) }, body)
            }
        }
    }

    /// The selected tracks of each person.
    private func selectedTracks(
        _ isSelected: (_ number: Int64, TrackTotals) -> Bool
    ) throws -> [Int64: [(number: Int64, totals: TrackTotals)]] {
        var persons: [Int64: [(number: Int64, totals: TrackTotals)]] = [:]
        try forEachTotals { number, totals in
            if isSelected(number, totals) { persons[totals.person, default: []].append((number, totals)) }
        }
        return persons
    }

    private func claimant(_ track: (number: Int64, totals: TrackTotals)) throws -> MinuteClaims.Claimant {
        MinuteClaims.Claimant(
            number: track.number, totals: track.totals, minutes: try minutes(ofTrack: track.number),
            rowDays: try elements(of: LedgerRows.self, ofTrack: track.number).map(\.day))
    }
}
