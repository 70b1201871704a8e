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
    private struct OpenTrack {
        var recording: OpenRecording
        var builder: ChunkBuilder
        var header: RecordingHeader
        var segment: String?
    }

    /// As many points wait in builders, in all, before every one gives a chunk: 64 full chunks.
    private static let waitingLimit = 64 * PointChunk.capacity

    private let reading: FileReading
    private let header: CSVHeader
    private let blocks: CSVBlockReader
    private let workers: Int

    private var tracks: [OpenTrack] = []
    private var numbers: [CSVKey: Int] = [:]
    private var waiting = 0
    private var line: Int
    private let emptyBuilder: ChunkBuilder
    private let slots: [FieldSlot]

    /// nil where the header names no places.
    init?(_ reading: FileReading, header: CSVHeader) {
        let zone = reading.options.zone ?? reading.options.libraryZone
        guard let blocks = CSVBlockReader(header, zone: zone) else { return nil }
        self.reading = reading
        self.header = header
        self.blocks = blocks
        workers = reading.options.workers
        line = header.lines + 1
        var builder = ChunkBuilder()
        slots = blocks.fieldNames.map { builder.slot(for: $0) }
        emptyBuilder = builder
    }

    /// Reads all of `source`, header included.
    func read(_ source: any ByteSource) throws {
        do {
            try readRows(source)
        } catch {
            if ImportFailure(error).keepsWholePoints { try endTracks() }
            throw error
        }
        try endTracks()
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
        let trackNumbers = try rows.keys.map { try track($0) }
        for (index, run) in rows.runs.enumerated() {
            let end = index + 1 < rows.runs.count ? rows.runs[index + 1].start : rows.times.count
            try deliver(rows, run, end: end, to: trackNumbers[run.key])
        }
        if waiting > Self.waitingLimit {
            for number in tracks.indices { try flush(number) }
        }
    }

    private func deliver(_ rows: CSVRows, _ run: CSVRows.Run, end: Int, to number: Int) throws {
        if tracks[number].header.name == nil { tracks[number].header.name = run.name }
        if tracks[number].segment != run.segment {
            tracks[number].segment = run.segment
            tracks[number].builder.beginSegment()
        }
        var start = run.start
        while start < end {
            let room = PointChunk.capacity - tracks[number].builder.count
            let stop = min(end, start + room)
            add(rows, start..<stop, to: &tracks[number].builder)
            waiting += stop - start
            start = stop
            if tracks[number].builder.isFull { try flush(number) }
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

    private func track(_ key: CSVKey) throws -> Int {
        if let number = numbers[key] { return number }
        let header = RecordingHeader(
            name: key.track, activity: key.activity, person: key.person, device: key.device, source: reading.source)
        let recording = try reading.begin()
        // The name, if the file has a column of its own for it, comes with the first run.
        tracks.append(OpenTrack(recording: recording, builder: emptyBuilder, header: header, segment: nil))
        if self.header.column(.trackName) != nil { tracks[tracks.count - 1].header.name = nil }
        numbers[key] = tracks.count - 1
        return tracks.count - 1
    }

    private func flush(_ number: Int) throws {
        waiting -= tracks[number].builder.count
        guard let chunk = tracks[number].builder.takeChunk() else { return }
        try reading.append(chunk, to: tracks[number].recording)
    }

    private func endTracks() throws {
        let keys = Dictionary(uniqueKeysWithValues: numbers.map { ($0.value, $0.key) })
        for number in tracks.indices {
            try flush(number)
            var header = tracks[number].header
            header.name = header.name ?? keys[number]?.track
            try reading.end(tracks[number].recording, header: header)
        }
        tracks = []
        numbers = [:]
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
