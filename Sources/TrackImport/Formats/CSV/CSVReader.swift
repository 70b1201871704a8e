import Dispatch
import FoundationEssentials
import Text
import Tracks

/// Reads CSV: each combination of person, device, track and activity is a recording, in row order.
///
/// Blocks of rows are parsed on several cores and delivered in order. All recordings stay open until the end of the
/// file, because rows of different recordings may alternate.
///
/// track, trip, session → recording · segment → segment · row → point · other columns → fields.
final class CSVReader {
    private let reading: FileReading
    private let header: CSVHeader
    private let blocks: CSVBlockReader
    private let workers: Int
    private let source: any ByteSource

    private var table: InterleavedTracks
    private var line: Int
    private let slots: [FieldSlot]

    /// Creates a reader; nil if the header has no coordinates.
    ///
    /// If the head does not determine the order of dates, the rest of the file is scanned first and kept in a temporary
    /// file.
    init?(_ reading: FileReading, _ source: PeekedSource) throws {
        guard let header = CSVHeader(head: source.head), var plan = CSVPlan(header, head: source.head) else {
            return nil
        }
        self.source = try plan.findDateOrder(in: source, reading)
        reading.receipt.columns = plan.taken
        let blocks = CSVBlockReader(plan, times: reading.times(.library))
        self.reading = reading
        self.header = header
        self.blocks = blocks
        workers = reading.options.workers
        line = header.lines + 1
        var builder = ChunkBuilder()
        slots = blocks.fieldNames.map { builder.slot(for: $0) }
        table = InterleavedTracks(reading, builder: builder)
    }

    /// Reads the whole file, including the header.
    func read() throws {
        try ImportFailure.keepingEarlierPoints {
            try readRows(source)
        } end: {
            try table.end()
        }
    }

    private func readRows(_ source: any ByteSource) throws {
        var splitter = CSVSplitter(source, headerLength: header.length, separator: header.separator)
        var pending: [ParsedBlock] = []
        let queue = DispatchQueue(label: "tileserve.import.csv", qos: .utility, attributes: .concurrent)
        do {
            while let rowBlock = try splitter.rowBlock({ try reading.next(from: &$0) }) {
                pending.append(parsed(rowBlock, on: queue))
                // One more than there are workers, so that no worker waits while a block is delivered.
                if pending.count > workers { try deliver(pending.removeFirst()) }
            }
        } catch {
            if ImportFailure(error).keepsEarlierPoints { for rowBlock in pending { try deliver(rowBlock) } }
            throw error
        }
        for rowBlock in pending { try deliver(rowBlock) }
    }

    private enum ParsedBlock {
        case longRow
        case rows(Future<CSVRows>)
    }

    private func parsed(_ rowBlock: CSVSplitter.RowBlock, on queue: DispatchQueue) -> ParsedBlock {
        switch rowBlock {
        case .longRow: return .longRow
        case .rows(let block, let isLast):
            guard workers > 1 else { return .rows(Future(blocks.rows(of: block, isLast: isLast))) }
            return .rows(Future(on: queue) { [blocks] in blocks.rows(of: block, isLast: isLast) })
        }
    }

    // MARK: Delivery

    private func deliver(_ rowBlock: ParsedBlock) throws {
        guard case .rows(let parsed) = rowBlock else {
            reading.refuse(.longRow(limit: CSVSplitter.rowLimit), line: line)
            line += 1
            return
        }
        var rows = parsed.get()
        reading.receipt.refused.add(rows.refused, lines: line)
        reading.receipt.unreadTimes.add(rows.unreadTimes, lines: line)
        line += rows.lines
        let trackNumbers = try rows.keys.map { try table.number(of: $0) }
        for (index, run) in rows.runs.enumerated() {
            let end = index + 1 < rows.runs.count ? rows.runs[index + 1].start : rows.times.count
            resolveRepeatedTimes(&rows, run, end: end, of: trackNumbers[run.key])
            try deliver(rows, run, end: end, to: trackNumbers[run.key])
        }
    }

    /// Replaces times that clocks showed twice by those that the order of the rows of a recording shows.
    private func resolveRepeatedTimes(_ rows: inout CSVRows, _ run: CSVRows.Run, end: Int, of number: Int) {
        guard !rows.shifts.isEmpty else { return }
        var repeated = table.tracks[number].repeatedTimes
        if table.tracks[number].segment != run.segment { repeated.beginSegment() }
        for row in run.start..<end where rows.times[row] != PointColumns.untimed {
            rows.times[row] = repeated.instant(rows.times[row], shift: rows.shifts[row] ?? 0)
        }
        table.tracks[number].repeatedTimes = repeated
    }

    private func deliver(_ rows: CSVRows, _ run: CSVRows.Run, end: Int, to number: Int) throws {
        if table.tracks[number].name == nil { table.tracks[number].name = run.name }
        if table.tracks[number].segment != run.segment {
            table.tracks[number].segment = run.segment
            table[builder: number].beginSegment()
        }
        var start = run.start
        while start < end {
            let room = table.room(for: number)
            let stop = min(end, start + room)
            add(rows, start..<stop, to: &table[builder: number])
            try table.added(stop - start, to: number)
            start = stop
        }
    }

    private func add(_ rows: CSVRows, _ range: Range<Int>, to builder: inout ChunkBuilder) {
        let offset = builder.count - range.lowerBound
        for row in range {
            builder.addPoint(
                longitude: rows.longitudes[row], latitude: rows.latitudes[row],
                time: Instant(milliseconds: rows.times[row]))
        }
        // Field by field, because a row may have values in only a few of thousands of columns.
        for (slot, field) in zip(slots, rows.fields) {
            field.numbers.forEach(from: range.lowerBound, to: range.upperBound) { row, number in
                builder.set(slot, to: number, at: row + offset)
            }
            guard !field.texts.isEmpty else { continue }
            for (row, text) in field.texts[Self.textIndices(of: range, in: field.texts)] {
                builder.set(slot, toText: text, at: row + offset)
            }
        }
    }

    /// The indices of the texts of some rows.
    private static func textIndices(of rows: Range<Int>, in texts: [(row: Int, text: String)]) -> Range<Int> {
        func first(notBefore row: Int) -> Int {
            var (low, high) = (0, texts.count)
            while low < high {
                let middle = (low + high) / 2
                if texts[middle].row < row { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return first(notBefore: rows.lowerBound)..<first(notBefore: rows.upperBound)
    }
}

extension Findings {
    /// Adds the findings of a part of the file that begins at line `lines`.
    mutating func add(_ other: Findings, lines: Int) {
        count += other.count
        for finding in other.first where first.count < Self.firstLimit {
            first.append(Finding(line: finding.line + lines, what: finding.what))
        }
    }
}
