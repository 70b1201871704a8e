import Foundation
import HTTPCore
import Locking
import PrimaryStore
import Replay
import TestLibrary
import TestSupport
import Testing
import TrackExport
import TrackStore
import Tracks

@testable import TileService
@testable import TrackService

@Suite struct ExportTests {
    private func ids(_ town: Town) throws -> [String] {
        try town.library.database.tracks(limit: 100)?.tracks.map(\.id) ?? []
    }

    @Test(arguments: ExportFormat.allCases)
    func `A track can be exported in every format by its file name extension`(format: ExportFormat) throws {
        let town = try Town()
        let id = try #require(try ids(town).first)
        let answer = town.get("/v1/tracks/\(id)\(format.ending)")
        #expect(answer.status == .ok && answer[.contentType] == format.mediaType && answer[.eTag] != nil)
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(text.contains("2019-06-02T12:00:59Z"))
        #expect(
            town.get("/v1/tracks/\(id)\(format.ending)", [(.ifNoneMatch, answer[.eTag] ?? "")]).status == .notModified)
        #expect(town.get("/v1/tracks/nope\(format.ending)").status == .notFound)
    }

    @Test func `An export holds the tracks of a window, a layer and a condition, the oldest first`() throws {
        let town = try Town()
        func names(_ query: String) throws -> [String] {
            let answer = town.get("/v1/export?format=csv" + query)
            try #require(answer.status == .ok)
            var names: [String] = []
            for row in String(decoding: answer.bytes, as: UTF8.self).split(separator: "\r\n").dropFirst() {
                let name = String(row.prefix { $0 != "," })
                if names.last != name { names.append(name) }
            }
            return names
        }
        let all = try ids(town).reversed()
        #expect(try names("").sorted() == all.sorted() && names("").last == all.last)
        #expect(try names("&layer=walk").count == 1)
        #expect(try names("&where=activity%20%3D%20ride&to=2019-06-01").count == 1)
        #expect(try names("&from=2020-01-01").isEmpty)
        let two = Array(all.prefix(2))
        #expect(try names("&track=\(two[1]),\(two[0])") == [two[1], two[0]])
    }

    @Test func `A long export comes in chunks with the same bytes`() throws {
        let town = try Town()
        try town.library.ride(day: 5, count: 20_000, activity: "ski")
        let answer = town.get("/v1/export?format=kml&layer=ski")
        guard case .events = answer.body else {
            Issue.record("no stream")
            return
        }
        let filter = try #require(try town.library.filter(layer: "ski"))
        var export = Export(try TrackExportSource(town.library, [filter]), as: .kml)
        var whole: [UInt8] = []
        while let portion = try export.next() { whole += portion }
        #expect(answer.allBytes == whole)
    }

    @Test func `Removing a track breaks off a long export that contains it`() throws {
        let town = try Town()
        try town.library.ride(day: 5, count: 40_000, activity: "ski")
        let answer = town.get("/v1/export?format=gpx&layer=ski")
        let long = try #require(try town.library.database.tracks(limit: 1)?.tracks.first)
        try town.library.database.markRemoved([long.id])
        #expect(answer.allBytes == nil)
    }

    @Test func `Simultaneous exports are limited`() throws {
        let town = try Town()
        try town.library.ride(day: 5, count: 20_000, activity: "ski")
        var held: [Response] = []
        while held.count < 20 {
            let answer = town.get("/v1/export?format=csv&layer=ski")
            guard answer.status == .ok else { break }
            held.append(answer)
        }
        #expect(held.count == 8 && town.get("/v1/export?format=csv&layer=ski").status == .tooManyRequests)
        held = []
        #expect(town.get("/v1/export?format=csv&layer=ski").status == .ok)
    }

    /// Many tracks that the format cannot represent, behind one that it can.
    private struct SkippedTracks: ExportSource {
        let count = 1_000_000
        let asked: Locked<Int>
        /// Called when a track is asked for.
        let ask: @Sendable (_ index: Int) -> Void

        private static let points = PointColumns.degrees([(1, 3, 1_000), (2, 4, 2_000)])

        mutating func track(at index: Int) throws -> ExportTrack? {
            asked.withLock { $0 += 1 }
            ask(index)
            var summary = TrackSummary()
            (summary.points, summary.untimed) = (2, index == 0 ? 0 : 2)
            return ExportTrack(number: Int64(index), id: "\(index)", summary: summary)
        }

        mutating func points(of track: ExportTrack, at position: ReadingPosition) throws -> PointReading {
            position.points == 0 ? .points(Self.points) : .end
        }
    }

    @Test func `A long export whose client disconnects skips no more tracks`() throws {
        let streams = ExportStreams()
        let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (isClosed, asked) = (Locked(false), Locked(0))
        let source = SkippedTracks(asked: asked) { index in
            guard index == 1_000 else { return }
            reached.signal()
            go.wait()
        }
        let cancellable = CancellableExportSource(source) { isClosed.withLock { $0 } }
        let channel = try streams.open(ExportProducer(Export(cancellable, as: .tcx)), behind: []) {
            isClosed.withLock { $0 = true }
        }
        channel.open {}
        reached.wait()
        channel.close()
        go.signal()
        // The exports share a queue: the next one begins when this one has ended.
        let next = SkippedTracks(asked: Locked(0)) { index in if index == 0 { reached.signal() } }
        let other = try streams.open(ExportProducer(Export(next, as: .csv)), behind: [])
        other.open {}
        reached.wait()
        #expect(asked.withLock { $0 } < 2_000)
        other.close()
    }

    @Test(arguments: [
        "/v1/export", "/v1/export?format=doc", "/v1/export?format=gpx&from=yesterday",
        "/v1/export?format=gpx&where=activity%20is",
    ])
    func `A malformed request is refused`(target: String) throws {
        #expect(try Town().get(target).status == .badRequest)
    }

    @Test func `A format that requires times refuses a track without times`() throws {
        let town = try Town()
        try town.library.database.add([.degrees([(1, 3, nil), (2, 4, nil)])], RecordingHeader(source: "x"))
        let id = try #require(try ids(town).last)
        #expect(town.get("/v1/tracks/\(id).tcx").status == .badRequest)
        #expect(town.get("/v1/tracks/\(id).gpx").status == .ok)
    }
}
