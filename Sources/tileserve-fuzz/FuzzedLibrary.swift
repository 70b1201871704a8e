import Replay
import Text
import TileMath
import TrackExport
import Tracks

/// One track in memory, as a source for exports and replays.
struct FuzzedLibrary {
    private var track: ReplayTrack
    private var exported: ExportTrack
    private let chunks: [PointColumns]
    let seekIndex: SeekIndex? = SeekIndex(distance: 16)

    /// Limit of bytes written in a format, because texts of points can be long.
    private static let maxBytes = 4 << 20
    /// Limit of events read of each query.
    private static let eventLimit = 60

    init(_ chunks: [PointColumns], _ header: RecordingHeader, _ summary: TrackSummary, isStream: Bool) {
        self.chunks = chunks
        var digest = RecordingDigest()
        for chunk in chunks { digest.add(chunk) }
        track = ReplayTrack(number: 1, id: "t1", name: header.name, summary: summary, digest: digest.finish())
        track.gap = header.gap
        track.isStream = isStream
        exported = ExportTrack(number: 1, id: "t1", name: header.name, summary: summary)
        exported.activity = header.activity
        exported.person = header.person
        exported.device = header.device
        exported.attributes = header.attributes
    }

    /// Exports the track in every format.
    func export() {
        for format in ExportFormat.allCases {
            var export = Export(self, as: format)
            var bytes = 0
            while bytes < Self.maxBytes, let portion = try? export.next() { bytes += portion.count }
        }
    }

    // MARK: Replay

    private static let paces: [ReplayQuery.Pace] =
        [.max]
        + [(100, 60), (60_000, 10), (100_000_000, 1), (100_000_000, 60)].compactMap { speed, frames in
            FrameRate(speedThousandths: speed, framesPerSecond: frames).map { .steady($0) }
        }

    /// Replays the track at every pace, from the beginning and from the middle, sequentially and merged.
    func replay() {
        let ends: (Int64?, Int64?) = (track.start, track.end)
        let scopes: [ReplayQuery.Scope] = [
            .track(id: "t1"), .window(from: nil, to: nil, layer: ReplayQuery.everyTrack),
            .window(from: ends.0, to: ends.1, layer: ReplayQuery.everyTrack),
        ]
        for (index, pace) in Self.paces.enumerated() {
            for scope in scopes {
                let query = ReplayQuery(
                    scope, pace: pace, gaps: index % 2 == 0 ? .skip : .hold,
                    seek: index % 3 == 0 ? nil : ends.1.map { $0 - 1 }, isTogether: index % 2 == 0,
                    tiles: index == 1 ? .deepest : nil)
                play(query)
                _ = try? ReplayManifest(query, source: self)
            }
        }
        for instant in [ends.0, ends.1].compactMap({ $0 }) + [Instant.bounds.lowerBound, Instant.bounds.upperBound] {
            _ = (try? PositionAtInstant(at: instant, source: self))?.json
        }
        guard let calendar = DayCalendar(zone: "Pacific/Apia"), let start = ends.0 else { return }
        let year = CivilDay(daysSince1970: calendar.day(of: start)).year
        _ = try? RecordedDays(year: year, in: calendar, source: self).json(year: year)
    }

    /// Reads the first events, and checks that a replay resumed from a cursor continues with the same events.
    private func play(_ query: ReplayQuery) {
        guard var sequence = try? ReplaySequence(query, source: self) else { return }
        var cursor: ReplayCursor?
        for _ in 0..<Self.eventLimit {
            guard let event = try? sequence.next() else { break }
            _ = event.data
            guard let passed = event.cursor else { continue }
            precondition(ReplayCursor(passed.text) == passed, "a cursor that does not survive its text")
            cursor = passed
        }
        guard let cursor, var rest = try? ReplaySequence(query, source: self, after: cursor) else { return }
        for _ in 0..<3 {
            guard let event = try? rest.next(), let next = try? sequence.next() else { return }
            precondition(event == next, "a resumed replay that differs")
        }
    }
}

extension FuzzedLibrary: ReplaySource {
    func track(id: String) -> ReplayTrack? { id == track.id ? track : nil }
    func track(number: Int64) -> ReplayTrack? { number == track.number ? track : nil }

    func track(after order: ReplayOrder?, from: Int64, to: Int64) -> ReplayTrack? {
        guard let start = track.start, let end = track.end, end >= from, start < to else { return nil }
        return order.map { $0 < track.order } ?? true ? track : nil
    }

    func track(endingBefore instant: Int64) -> ReplayTrack? {
        track.end.map { $0 < instant } == true ? track : nil
    }

    func totals(from: Int64, to: Int64) -> ReplayTotals {
        guard track(after: nil, from: from, to: to) != nil, let start = track.start, let end = track.end else {
            return ReplayTotals(tracks: 0, points: 0, trackMilliseconds: 0)
        }
        return ReplayTotals(tracks: 1, points: track.points, trackMilliseconds: min(end, to) - max(start, from))
    }

    func maxTracksAtOnce(from: Int64, to: Int64) -> Int { track(after: nil, from: from, to: to) == nil ? 0 : 1 }

    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) -> PointReading {
        position.chunks < chunks.count ? .points(chunks[position.chunks]) : .end
    }

    func revision() -> String { "1" }
}

extension FuzzedLibrary: ExportSource {
    var count: Int { 1 }

    func track(at index: Int) -> ExportTrack? { index == 0 ? exported : nil }

    func points(of track: ExportTrack, at position: ReadingPosition) -> PointReading {
        position.chunks < chunks.count ? .points(chunks[position.chunks]) : .end
    }
}
