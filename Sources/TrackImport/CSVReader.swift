import Dispatch
import FoundationEssentials
import Tracks

/// Reads CSV: each combination of person, device, track and activity is a recording, in the order of its rows.
///
/// Blocks of rows are read into columns on several cores and delivered in order. All recordings stay open until the file
/// ends, since rows of different ones may come mixed.
///
/// track, trip, session → recording · segment → segment · row → point · other columns → fields.
final class CSVReader {
    private let reading: FileReading
    private let header: CSVHeader
    private let blocks: CSVBlockReader
    private let workers: Int

    private var table: TrackTable
    private var line: Int
    private let slots: [FieldSlot]

    /// nil where the header names no places.
    init?(_ reading: FileReading, header: CSVHeader) {
        guard let blocks = CSVBlockReader(header, times: reading.times(.library)) else { return nil }
        self.reading = reading
        self.header = header
        self.blocks = blocks
        workers = reading.options.workers
        line = header.lines + 1
        var builder = ChunkBuilder()
        slots = blocks.fieldNames.map { builder.slot(for: $0) }
        table = TrackTable(reading, builder: builder)
    }

    /// Reads all of `source`, header included.
    func read(_ source: any ByteSource) throws {
        do {
            try readRows(source)
        } catch {
            if ImportFailure(error).keepsWholePoints { try table.end() }
            throw error
        }
        try table.end()
    }

    private func readRows(_ source: any ByteSource) throws {
        var splitter = CSVSplitter(source, headerLength: header.length, separator: header.separator)
        var underWay: [ParsedPiece] = []
        let queue = DispatchQueue(label: "tileserve.import.csv", qos: .utility, attributes: .concurrent)
        do {
            while let piece = try splitter.piece({ try reading.next(from: &$0) }) {
                underWay.append(parsed(piece, on: queue))
                // One more than there are workers, so that none waits while a block is delivered.
                if underWay.count > workers { try deliver(underWay.removeFirst()) }
            }
        } catch {
            if ImportFailure(error).keepsWholePoints { for piece in underWay { try deliver(piece) } }
            throw error
        }
        for piece in underWay { try deliver(piece) }
    }

    private enum ParsedPiece {
        case longRow
        case rows(Awaited<CSVRows>)
    }

    private func parsed(_ piece: CSVSplitter.Piece, on queue: DispatchQueue) -> ParsedPiece {
        switch piece {
        case .longRow: return .longRow
        case .rows(let block, let isLast):
            guard workers > 1 else { return .rows(Awaited(blocks.rows(of: block, isLast: isLast))) }
            return .rows(Awaited(on: queue) { [blocks] in blocks.rows(of: block, isLast: isLast) })
        }
    }

    // MARK: Delivering

    private func deliver(_ piece: ParsedPiece) throws {
        guard case .rows(let parsed) = piece else {
            reading.refuse(.longRow(limit: CSVSplitter.rowLimit), line: line)
            line += 1
            return
        }
        let rows = parsed.get()
        reading.receipt.refused.add(rows.refused, lines: line)
        reading.receipt.unreadTimes.add(rows.unreadTimes, lines: line)
        line += rows.lines
        let trackNumbers = try rows.keys.map { try table.number(of: $0) }
        for (index, run) in rows.runs.enumerated() {
            let end = index + 1 < rows.runs.count ? rows.runs[index + 1].start : rows.times.count
            try deliver(rows, run, end: end, to: trackNumbers[run.key])
        }
    }

    private func deliver(_ rows: CSVRows, _ run: CSVRows.Run, end: Int, to number: Int) throws {
        if table.tracks[number].name == nil { table.tracks[number].name = run.name }
        if table.tracks[number].segment != run.segment {
            table.tracks[number].segment = run.segment
            table.tracks[number].builder.beginSegment()
        }
        var start = run.start
        while start < end {
            let room = PointChunk.capacity - table.tracks[number].builder.count
            let stop = min(end, start + room)
            add(rows, start..<stop, to: &table.tracks[number].builder)
            try table.added(stop - start, to: number)
            start = stop
        }
    }

    private func add(_ rows: CSVRows, _ range: Range<Int>, to builder: inout ChunkBuilder) {
        for row in range {
            let time = rows.times[row]
            builder.addPoint(
                longitude: rows.longitudes[row], latitude: rows.latitudes[row], time: time == Instant.none ? nil : time)
            for index in slots.indices {
                let field = rows.fields[index]
                if row < field.numbers.count, field.numbers[row] != FieldColumn.absent {
                    builder.set(slots[index], to: FixedDecimal(mantissa: field.numbers[row], places: field.places[row]))
                } else if !field.texts.isEmpty, let text = field.texts[row] {
                    builder.set(slots[index], toText: text)
                }
            }
        }
    }
}

extension Findings {
    /// Adds what was found in a part of the file whose lines begin at `lines`.
    mutating func add(_ other: Findings, lines: Int) {
        count += other.count
        for finding in other.first where first.count < Self.firstLimit {
            first.append(Finding(line: finding.line + lines, what: finding.what))
        }
    }
}
