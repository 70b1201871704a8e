import Database
import Digest
import HeatGrid
import Locking
import SQLite
import SampleTracks
import TrackQuery
import Tracks

@testable import GridStorage
@testable import PrimaryStore

/// A source of tracks in memory: tracks of the sample city with numbers chosen by the test.
final class MemorySource: GridSource {
    struct Stored: Sendable {
        var chunks: [PointColumns]
        var track: GridTrack
    }

    private struct State: Sendable {
        var tracks: [Int64: Stored] = [:]
        var reads: [Int64: Int] = [:]
        var activities: [String: UInt8] = [
            "ride": 1, "run": 2, "walk": 3, "train": 4, "drive": 5, "flight": 6, "swim": 7,
        ]
        var log: [(position: Head, numbers: [Int64], metadataChanged: [Int64])] = []
        var layers: [LayerDefinition] = []
    }

    private let state = Locked(State())

    /// Adds a track, with another elevation if one is given.
    func add(_ sample: SampleTrack, number: Int64, elevation: Int64? = nil) {
        var measure = TrackSummaryBuilder(gap: .standard, isStream: false, outlierRule: .standard)
        for chunk in sample.chunks { measure.add(chunk) }
        let summary = measure.finish()
        var digester = Digester()
        for chunk in sample.chunks {
            for index in 0..<chunk.count {
                digester.update(chunk.longitudes[index])
                digester.update(chunk.latitudes[index])
                digester.update(chunk.times[index])
            }
        }
        var track = GridTrack(
            number: number, person: Int64(sample.person.utf8.reduce(1) { ($0 * 31 + Int($1)) % 1000 }),
            personDigest: ContentDigest(of: Array(sample.person.utf8)), summary: summary, digest: digester.finish())
        track.activityNumber = activityNumber(of: sample.activity)
        track.activity = sample.activity
        track.facts = facts(of: sample, metres: summary.metres, tag: number % 2 == 0 ? "even" : "odd")
        var chunks = sample.chunks
        if let elevation {
            for index in chunks.indices {
                let numbers = [Int64](repeating: elevation, count: chunks[index].count)
                chunks[index].fields = [FieldColumn(name: FieldName.elevation, values: .numbers(places: 0, numbers))]
            }
        }
        let stored = Stored(chunks: chunks, track: track)
        change([number]) { $0[number] = stored }
    }

    private func facts(of sample: SampleTrack, metres: Double, tag: String) -> TrackFacts {
        var facts = TrackFacts()
        facts.activity = sample.activity
        facts.person = sample.person
        facts.metres = metres
        facts.tags = [tag]
        return facts
    }

    /// Changes the tags of a track if it exists.
    func describe(_ number: Int64, tags: [String]) {
        change([], metadataChanged: [number]) { $0[number]?.track.facts.tags = tags }
    }

    /// Changes the layers.
    func set(layers: [LayerDefinition]) {
        change([]) { _ in }
        state.withLock { $0.layers = layers }
    }

    private func activityNumber(of name: String) -> UInt8 {
        state.withLock { state in
            if let known = state.activities[name] { return known }
            let number = UInt8(state.activities.count + 1)
            state.activities[name] = number
            return number
        }
    }

    func remove(_ numbers: [Int64]) {
        change(numbers) { tracks in for number in numbers { tracks[number] = nil } }
    }

    /// Starts a new change log, as after a backup was restored.
    func restart() {
        state.withLock { state in
            state.log = [(Head(revision: 1, digest: ContentDigest(of: [9])), Array(state.tracks.keys), [])]
        }
    }

    private func change(_ numbers: [Int64], metadataChanged: [Int64] = [], _ body: (inout [Int64: Stored]) -> Void) {
        state.withLock { state in
            body(&state.tracks)
            let revision = (state.log.last?.position.revision ?? 0) + 1
            var digester = Digester()
            digester.update(state.log.last?.position.digest ?? ContentDigest(of: []))
            for number in numbers { digester.update(number) }
            state.log.append((Head(revision: revision, digest: digester.finish()), numbers, metadataChanged))
        }
    }

    func head() -> Head {
        state.withLock { $0.log.last?.position } ?? Head(revision: 0, digest: ContentDigest(of: []))
    }

    func digest(at revision: Int64) -> ContentDigest? {
        if revision == 0 { return ContentDigest(of: []) }
        return state.withLock { state in state.log.first { $0.position.revision == revision }?.position.digest }
    }

    func tracksChanged(since revision: Int64) -> [Int64] {
        state.withLock { state in
            Set(state.log.filter { $0.position.revision > revision }.flatMap(\.numbers)).sorted()
        }
    }

    func prepare() -> [LayerDefinition] { state.withLock { $0.layers } }

    func outlierRule() -> OutlierRule { .standard }

    func tracksWithChangedMetadata(since revision: Int64) -> [Int64] {
        state.withLock { state in
            Set(state.log.filter { $0.position.revision > revision }.flatMap(\.metadataChanged)).sorted()
        }
    }

    func forEachFacts(_ body: (_ number: Int64, TrackFacts) throws -> Void) throws {
        for (number, stored) in state.withLock({ $0.tracks }).sorted(by: { $0.key < $1.key }) {
            try body(number, stored.track.facts)
        }
    }

    func trackNumbers() -> [Int64] { state.withLock { $0.tracks.keys.sorted() } }
    func gridTrack(_ number: Int64) -> GridTrack? {
        state.withLock { state in
            state.reads[number, default: 0] += 1
            return state.tracks[number]?.track
        }
    }

    func points(ofTracks numbers: [Int64]) -> Int {
        state.withLock { state in numbers.reduce(0) { $0 + (state.tracks[$1]?.track.points ?? 0) } }
    }

    /// How often each track was read.
    var reads: [Int64: Int] { state.withLock { $0.reads } }

    func forEachChunk(ofTrack number: Int64, _ body: (PointColumns) throws -> Void) throws {
        for chunk in state.withLock({ $0.tracks[number]?.chunks }) ?? [] { try body(chunk) }
    }
}

/// Grids of two dozen tracks, and their content as text.
enum GridDump {
    static let samples = Array(SampleTracks(SampleSpec(size: .tracks(24), seed: 42)))

    /// Low thresholds for sums, so that tiles of two dozen tracks are dense, become dense and cease to be dense.
    static let rule = {
        var rule = SumRule()
        rule.denseVisits = 1200
        rule.minVisits = 700
        rule.gain = 1
        rule.lineLogBytes = 1500
        rule.lineRasterBytes = 2000
        rule.lineCodeBytes = 3000
        return rule
    }()

    /// Every row of every table with content, as digests of its columns; two equal grids have the same bytes here.
    static func lines(_ grid: GridStore) throws -> [String] {
        // Bytes that are no text are not shown as text: for each sequence that is not UTF-8, the standard library throws and
        // catches an error, and Swift Testing takes a backtrace of each: that was two thirds of the time of the tests of grids.
        try lines(grid) { row, column in
            let bytes = row.blob(column)
            let shown = bytes.prefix(20)
            let text = shown.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: shown, as: UTF8.self) : ""
            return "\(ContentDigest(of: bytes).description.prefix(12)):\(text)"
        }
    }

    /// The same lines with all columns as text, too: their digests are known answers.
    static func textLines(_ grid: GridStore) throws -> [String] {
        try lines(grid) { row, column in
            "\(ContentDigest(of: row.blob(column)).description.prefix(12)):\(row.text(column).prefix(20))"
        }
    }

    private static func lines(
        _ grid: GridStore, _ cell: (_ row: any Row, _ column: Int) -> String
    ) throws -> [String] {
        var lines: [String] = []
        for table in [
            "tiles", "logs", "sums", "histograms", "lines", "line_logs", "line_rasters", "line_codes", "tracks",
            "activities",
            "layers", "members",
            "layer_rows", "totals", "visits", "ledger", "minutes", "stays",
        ] {
            try grid.database.snapshot { session in
                try session.forEach("SELECT * FROM \(table) ORDER BY 1") { row in
                    let cells = (0..<row.columnCount).map { cell(row, $0) }
                    lines.append("\(table) \(cells.joined(separator: " "))")
                }
            }
        }
        return lines
    }
}
