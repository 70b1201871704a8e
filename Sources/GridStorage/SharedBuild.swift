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

    /// What is stored of a track besides its fragments, without the properties that are read from the primary store.
    static func encoded(_ track: RasterisedTrack, _ rows: TrackRows) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(track.digest, to: &bytes)
        Varint.append(UInt64(track.months.count), to: &bytes)
        for month in track.months.sorted() { Varint.append(UInt64(month), to: &bytes) }
        Varint.append(track.days == nil ? 0 : 1, to: &bytes)
        if let days = track.days {
            for day in [days.lowerBound, days.upperBound] {
                Varint.append(UInt64(UInt32(bitPattern: day)), to: &bytes)
            }
        }
        return bytes + rows.encoded
    }

    static func decoded(_ bytes: [UInt8], _ track: GridTrack) -> (RasterisedTrack, TrackRows) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        let digest = cursor.next(in: bytes.span)
        let months = Set(
            (0..<cursor.nextCount(in: bytes.span)).map { _ in UInt16(truncatingIfNeeded: cursor.next(in: bytes.span)) })
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
