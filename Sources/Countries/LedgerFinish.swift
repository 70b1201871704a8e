import Statistics
import Tracks

extension LedgerBuilder {
    /// A region for less than this between two parts of another one is that other one: places lie scattered.
    private static let regionMilliseconds: Int64 = 5 * 60_000

    /// The rows of the track, in its order. The builder must not be used afterwards.
    public mutating func finish() -> [LedgerRow] {
        settleAtEnd()
        let kinds = classes()
        let regions = regions(kinds)
        var rows: [LedgerRow] = []
        var last: (piece: LedgerPiece, millimetres: Double)?
        for index in pieces.indices {
            let piece = pieces[index]
            let (kind, country) = (kinds[index], kinds[index] == .unknown ? nil : piece.area.country)
            let day = piece.day == Self.untimed ? nil : piece.day
            if let row = rows.last, row.kind == kind, row.country == country, row.region == regions[index],
                row.day == day, let before = last, !piece.begins || Self.isNear(before.piece, piece)
            {
                Self.add(piece, to: &rows[rows.count - 1])
                last = (piece, before.millimetres + piece.metres * 1000)
            } else {
                rows.append(Self.row(piece, kind, country, regions[index], day))
                last = (piece, piece.metres * 1000)
            }
            if let sum = last?.millimetres { rows[rows.count - 1].millimetres = Int64(sum.rounded()) }
        }
        return rows
    }

    /// Whether a silence does not divide a row.
    private static func isNear(_ before: LedgerPiece, _ after: LedgerPiece) -> Bool {
        Geodesy.sphereMetres(
            before.last.longitude, before.last.latitude, after.first.longitude, after.first.latitude)
            <= OutlierDetector.farMetres
    }

    private static func row(
        _ piece: LedgerPiece, _ kind: LedgerClass, _ country: Int?, _ region: Int?, _ day: Int32?
    ) -> LedgerRow {
        LedgerRow(
            kind: kind, country: country, region: region, day: day,
            time: piece.enter == PointChunk.untimed ? nil : piece.enter...max(piece.enter, piece.leave),
            millimetres: 0, points: piece.points, topSpeed: Int((piece.topSpeed * 100).rounded()), first: piece.first,
            last: piece.last, box: piece.box, stayMilliseconds: piece.stayMilliseconds)
    }

    private static func add(_ piece: LedgerPiece, to row: inout LedgerRow) {
        if piece.enter != PointChunk.untimed {
            let time = row.time ?? piece.enter...piece.enter
            row.time = min(time.lowerBound, piece.enter)...max(time.upperBound, piece.leave)
        }
        row.points += piece.points
        row.topSpeed = max(row.topSpeed, Int((piece.topSpeed * 100).rounded()))
        row.last = piece.last
        row.box.formUnion(piece.box)
        row.stayMilliseconds = max(row.stayMilliseconds, piece.stayMilliseconds)
    }

    // MARK: Classes

    /// The class of each piece. A flight is a line of fast pieces with enough time at the speed of an aircraft.
    private func classes() -> [LedgerClass] {
        var kinds = pieces.map { piece -> LedgerClass in
            if piece.isJump { return .unknown }
            return switch piece.area {
            case .country: .ground
            case .coastal: .coastal
            case .sea: .sea
            }
        }
        var index = 0
        while index < pieces.count {
            guard pieces[index].isFast else {
                index += 1
                continue
            }
            let first = index
            var milliseconds: Int64 = 0
            repeat {
                milliseconds += pieces[index].flightMilliseconds
                index += 1
            } while index < pieces.count && pieces[index].isFast && !pieces[index].begins
            guard milliseconds >= TileVisitsBuilder.flightMilliseconds else { continue }
            for flight in first..<index { kinds[flight] = .flight }
        }
        return kinds
    }

    /// The region of each piece; nil where there is none.
    private func regions(_ kinds: [LedgerClass]) -> [Int?] {
        var regions = pieces.indices.map { index -> Int? in
            guard kinds[index] == .ground, let country = pieces[index].area.country else { return nil }
            return map.region(of: pieces[index].cell, in: country)
        }
        // Runs of pieces with the same region.
        var runs: [Range<Int>] = []
        for index in pieces.indices {
            if let run = runs.last, kinds[run.lowerBound] == kinds[index], regions[run.lowerBound] == regions[index],
                pieces[run.lowerBound].area == pieces[index].area
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
                pieces[before].area == pieces[run.lowerBound].area, pieces[after].area == pieces[before].area,
                regions[before] == regions[after], regions[before] != regions[run.lowerBound],
                pieces[run.upperBound - 1].leave &- pieces[run.lowerBound].enter < Self.regionMilliseconds,
                pieces[run.lowerBound].enter != PointChunk.untimed
            else { continue }
            for index in run { regions[index] = regions[before] }
        }
        return regions
    }
}
