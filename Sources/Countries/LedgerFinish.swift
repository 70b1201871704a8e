public import Statistics
import Tracks

extension LedgerBuilder {
    /// A region for less than this between two rows of another region counts as that other one: the nearest places
    /// alternate along a border.
    private static let regionMilliseconds: Int64 = 5 * 60_000

    /// The rows of the track, in its order, and its minutes, whose lengths are those of the rows. The builder must not be
    /// used afterwards.
    public mutating func finish() -> (rows: [LedgerRow], minutes: [TrackMinute]) {
        finishAreas()
        endStay(isEndOfTrack: true)
        applyStays()
        let kinds = classes()
        let regions = regions(kinds)
        var rows: [LedgerRow] = []
        var rowOfDraft: [Int] = []
        var last: LedgerRowDraft?
        for index in drafts.indices {
            let draft = drafts[index]
            let (kind, country) = (kinds[index], kinds[index] == .unknown ? nil : draft.area.country)
            let day = draft.day == Self.untimed ? nil : draft.day
            if let row = rows.last, row.kind == kind, row.country == country, row.region == regions[index],
                row.day == day, let before = last, !draft.begins || Self.isNear(before, draft)
            {
                Self.add(draft, to: &rows[rows.count - 1])
            } else {
                rows.append(Self.row(draft, kind, country, regions[index], day))
            }
            rowOfDraft.append(rows.count - 1)
            last = draft
        }
        // The ends of a row are those in the order of time: a flight begins where the person was before it.
        if isDescending {
            for index in rows.indices {
                (rows[index].first, rows[index].last) = (rows[index].last, rows[index].first)
            }
        }
        let minutes = minutes.finish { rowOfDraft.indices.contains($0) ? rowOfDraft[$0] : 0 }
        for minute in minutes where rows.indices.contains(minute.row) {
            rows[minute.row].millimetres += minute.amounts.millimetres
        }
        return (rows, minutes)
    }

    /// Whether the points on the lines of the track are in descending order of time. Segments may be in any order.
    private var isDescending: Bool {
        var steps = 0
        for (before, next) in zip(drafts, drafts.dropFirst()) where !next.begins {
            guard before.enter != PointColumns.untimed, next.enter != PointColumns.untimed else { continue }
            if next.leave > before.leave { steps += 1 } else if next.enter < before.enter { steps -= 1 }
        }
        return steps < 0
    }

    /// Whether a pause does not divide a row.
    private static func isNear(_ before: LedgerRowDraft, _ after: LedgerRowDraft) -> Bool {
        Geodesy.sphereMetres(
            before.last.longitude, before.last.latitude, after.first.longitude, after.first.latitude)
            <= OutlierDetector.farMetres
    }

    private static func row(
        _ draft: LedgerRowDraft, _ kind: LedgerClass, _ country: Int?, _ region: Int?, _ day: Int32?
    ) -> LedgerRow {
        var row = LedgerRow(kind, country: country, region: region, day: day, from: draft.first, to: draft.last)
        row.time = draft.enter == PointColumns.untimed ? nil : draft.enter...max(draft.enter, draft.leave)
        row.points = draft.points
        row.topSpeed = Int((draft.topSpeed * 100).rounded())
        row.box = draft.box
        row.stayMilliseconds = draft.stayMilliseconds
        return row
    }

    private static func add(_ draft: LedgerRowDraft, to row: inout LedgerRow) {
        if draft.enter != PointColumns.untimed {
            let time = row.time ?? draft.enter...draft.enter
            row.time = min(time.lowerBound, draft.enter)...max(time.upperBound, draft.leave)
        }
        row.points += draft.points
        row.topSpeed = max(row.topSpeed, Int((draft.topSpeed * 100).rounded()))
        row.last = draft.last
        row.box.formUnion(draft.box)
        row.stayMilliseconds = max(row.stayMilliseconds, draft.stayMilliseconds)
    }

    // MARK: Classes

    /// The class of each draft. A flight is a line of fast drafts with enough time at the speed of an aircraft.
    private func classes() -> [LedgerClass] {
        var kinds = drafts.map { draft -> LedgerClass in
            if draft.isJump { return .unknown }
            return switch draft.area {
            case .country: .ground
            case .coastal: .coastal
            case .sea: .sea
            }
        }
        // Also those on unknown routes.
        var isFlight = [Bool](repeating: false, count: drafts.count)
        var index = 0
        while index < drafts.count {
            guard drafts[index].isFast else {
                index += 1
                continue
            }
            let first = index
            var milliseconds: Int64 = 0
            repeat {
                milliseconds += drafts[index].flightMilliseconds
                index += 1
            } while index < drafts.count && drafts[index].isFast && !drafts[index].begins
            guard milliseconds >= TileVisitsBuilder.flightMilliseconds else { continue }
            for flight in first..<index { isFlight[flight] = true }
        }
        index = 0
        while index < drafts.count {
            let first = index
            repeat { index += 1 } while index < drafts.count && continuesSlowly(index)
            if isInAir(first..<index, isFlight) { for flight in first..<index { isFlight[flight] = true } }
        }
        for index in drafts.indices where isFlight[index] && !drafts[index].isJump { kinds[index] = .flight }
        return kinds
    }

    /// Whether a draft and the one before it are slow, and on one line.
    private func continuesSlowly(_ index: Int) -> Bool {
        let (before, draft) = (drafts[index - 1], drafts[index])
        return !before.isFast && !draft.isFast && !before.isJump && !draft.isJump && !draft.begins
    }

    /// Whether the slow drafts of a moment belong to the flights beside them: the first point of a line, or places that
    /// are repeated or late. An aircraft needs more time to reach its speed on the ground, and to lose it.
    private func isInAir(_ slow: Range<Int>, _ isFlight: [Bool]) -> Bool {
        let (first, last) = (drafts[slow.lowerBound], drafts[slow.upperBound - 1])
        guard !first.isFast, !first.isJump, first.enter != PointColumns.untimed, last.leave != PointColumns.untimed
        else {
            return false
        }
        let milliseconds = max(first.leave, last.leave) &- min(first.enter, last.enter)
        guard milliseconds >= 0, milliseconds < TileVisitsBuilder.flightMilliseconds else { return false }
        let (before, after) = (slow.lowerBound - 1, slow.upperBound)
        let isStart = first.begins || before < 0 || drafts[before].isJump && !isFlight[before]
        let isEnd = after == drafts.count || drafts[after].begins || drafts[after].isJump && !isFlight[after]
        guard !isStart || !isEnd else { return false }
        let isAfterFlight = isStart || isFlight[before] && drafts[before].endsInFlight
        let isBeforeFlight =
            isEnd || isFlight[after] && (drafts[after].beginsInFlight || isStart && milliseconds == 0)
        return isAfterFlight && isBeforeFlight
    }

    /// The region of each draft; nil where there is none.
    private func regions(_ kinds: [LedgerClass]) -> [Int?] {
        var regions = drafts.indices.map { index -> Int? in
            guard kinds[index] == .ground, let country = drafts[index].area.country else { return nil }
            return map.region(of: drafts[index].cell, in: country)
        }
        // Runs of drafts with the same region.
        var runs: [Range<Int>] = []
        for index in drafts.indices {
            if let run = runs.last, kinds[run.lowerBound] == kinds[index], regions[run.lowerBound] == regions[index],
                drafts[run.lowerBound].area == drafts[index].area
            {
                runs[runs.count - 1] = run.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        guard runs.count > 2 else { return regions }
        for number in 1..<runs.count - 1 {
            let (before, run, after) = (runs[number - 1].lowerBound, runs[number], runs[number + 1].lowerBound)
            guard kinds[run.lowerBound] == .ground, kinds[before] == .ground, kinds[after] == .ground,
                drafts[before].area == drafts[run.lowerBound].area, drafts[after].area == drafts[before].area,
                regions[before] == regions[after], regions[before] != regions[run.lowerBound],
                drafts[run.upperBound - 1].leave &- drafts[run.lowerBound].enter < Self.regionMilliseconds,
                drafts[run.lowerBound].enter != PointColumns.untimed
            else { continue }
            for index in run { regions[index] = regions[before] }
        }
        return regions
    }
}
