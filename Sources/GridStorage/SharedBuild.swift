import Database
import Digest
import HeatGrid
import Text
import TileLog
import Tracks

/// The tracks of a build, which processes that wait for it rasterise, too. The process that builds offers them as jobs; what
/// others have rasterised comes back as rows of fragments.
///
/// Others read the tracks as they are when they come to them. Those that have changed since the build began are rasterised
/// again by this process; later changes are in a later revision, as in a build without help.
struct SharedBuild: Sendable {
    let jobs: any JobTable
    /// The numbers of tracks by job.
    let parts: [[Int64]]
    /// Of `GridSchema.fingerprint`: others need the same rules.
    let condition: Int64

    /// Tracks that are in one job, whatever their sizes: so many are counted with one query.
    private static let groupTracks = 16

    /// The parts of a build that is worth it; nil for one of fewer points than two jobs have.
    init?(
        _ numbers: [Int64], _ source: any GridSource, jobPoints: Int, condition: Int64, _ jobs: any JobTable
    ) throws {
        guard try source.points(ofTracks: numbers) >= 2 * jobPoints else { return nil }
        var parts: [[Int64]] = []
        var points = jobPoints
        for start in stride(from: 0, to: numbers.count, by: Self.groupTracks) {
            if points >= jobPoints {
                parts.append([])
                points = 0
            }
            let group = Array(numbers[start..<min(start + Self.groupTracks, numbers.count)])
            parts[parts.count - 1] += group
            points += try source.points(ofTracks: group)
        }
        self.parts = parts
        self.jobs = jobs
        self.condition = condition
    }

    func offer() throws -> any JobOffer {
        try jobs.offer(parts.map { Self.encoded($0) }, condition: condition)
    }

    private static func encoded(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers { Varint.append(UInt64(number), to: &bytes) }
        return bytes
    }

    static func numbers(_ bytes: [UInt8]) -> [Int64] {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var numbers: [Int64] = []
        while cursor.offset < bytes.count { numbers.append(Int64(bitPattern: cursor.next(in: bytes.span))) }
        return numbers
    }

    /// The kinds of results.
    enum Kind {
        static let cells: Int64 = 0
        static let lines: Int64 = 1
        static let tracks: Int64 = 2
    }

    /// Rasterises a job of another process; false if there was none.
    static func help(
        _ jobs: any JobTable, condition: Int64, _ build: () throws -> GridBuild
    ) throws -> Bool {
        guard let job = try jobs.take(condition: condition) else { return false }
        var rasterised = try build().rasterise(numbers(job.content))
        var tracks = Dictionary(uniqueKeysWithValues: rasterised.tracks.map { ($0.track.number, $0) })
        var cells = try rasterised.cells.takeRun()
        var lines = try rasterised.lines.takeRun()
        var rows: [JobResult] = []
        try rasterised.rows.takeEach { number, trackRows in
            guard let track = tracks.removeValue(forKey: number) else { return }
            rows.append(JobResult(kind: Kind.tracks, key: number, bytes: encoded(track, trackRows)))
        }
        _ = try jobs.finish(job) {
            if let tile = cells.nextTile {
                return JobResult(kind: Kind.cells, key: Int64(tile), bytes: try cells.takeLog())
            }
            if let tile = lines.nextTile {
                return JobResult(kind: Kind.lines, key: Int64(tile), bytes: try lines.takeLog())
            }
            return rows.popLast()
        }
        return true
    }

    /// What is stored of a track besides its fragments, without the properties that are read from the primary store.
    private static func encoded(_ track: RasterisedTrack, _ rows: TrackRows) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(track.digest, to: &bytes)
        Varint.append(UInt64(track.months.count), to: &bytes)
        for month in track.months.sorted() { Varint.append(UInt64(month), to: &bytes) }
        Varint.append(track.days == nil ? 0 : 1, to: &bytes)
        if let days = track.days {
            for day in [days.lowerBound, days.upperBound] { Varint.append(UInt64(UInt32(bitPattern: day)), to: &bytes) }
        }
        return bytes + rows.encoded
    }

    static func decoded(_ bytes: [UInt8], _ track: GridTrack) -> (RasterisedTrack, TrackRows) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        let digest = cursor.next(in: bytes.span)
        let months = Set((0..<cursor.nextCount(in: bytes.span)).map { _ in UInt16(truncatingIfNeeded: cursor.next(in: bytes.span)) })
        var days: ClosedRange<Int32>?
        if cursor.next(in: bytes.span) == 1 {
            let ends = (0..<2).map { _ in Int32(bitPattern: UInt32(truncatingIfNeeded: cursor.next(in: bytes.span))) }
            days = ends[0]...ends[1]
        }
        return (
            RasterisedTrack(track: track, months: months, days: days, digest: digest),
            TrackRows(decoding: Array(bytes[cursor.offset...]))
        )
    }
}

/// How processes of a library help each other to build its grid.
package struct BuildHelp: Sendable {
    let jobs: any JobTable
    /// Points in one job.
    let jobPoints: Int

    /// Some seconds' work, and some tens of megabytes.
    package static let defaultJobPoints = 1_000_000

    /// A build to offer; nil if it is not worth it.
    func build(_ numbers: [Int64], _ source: any GridSource, condition: UInt64) throws -> SharedBuild? {
        try SharedBuild(
            numbers, source, jobPoints: jobPoints, condition: Int64(bitPattern: condition), jobs)
    }

    /// Rasterises a job of another process; false if there is none.
    func rasterise(
        _ source: any GridSource, _ calendar: DayCalendar, _ rule: SumRule, memoryBytes: Int,
        storage: any LibraryStorage
    ) throws -> Bool {
        let outlierRule = try source.outlierRule()
        let condition = Int64(bitPattern: GridSchema.fingerprint(calendar, rule, outlierRule).first64)
        return try SharedBuild.help(jobs, condition: condition) {
            // The numbers of activities.
            _ = try source.prepare()
            return GridBuild(
                source: source, calendar: calendar, outlierRule: outlierRule, memoryBytes: memoryBytes,
                storage: storage, report: { _ in })
        }
    }
}
