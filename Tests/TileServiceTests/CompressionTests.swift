import Decompression
import Dispatch
import Foundation
import HTTPCore
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TrackExport
import TrackStore
import Tracks

@testable import TileService

@Suite struct CompressionTests {
    private static let gzip = (HeaderName.acceptEncoding, "gzip, deflate, br")

    private func decompressed(_ bytes: [UInt8]) throws -> [UInt8] {
        let decoder = try GzipDecoder()
        var result: [UInt8] = []
        var offset = 0
        while true {
            let portion = try decoder.decode(bytes, from: &offset, limit: 1 << 16)
            if portion.isEmpty { return result }
            result += portion
        }
    }

    /// A town with long lists and tracks.
    private func town() throws -> Town {
        let town = try Town()
        for day in 2..<12 { try town.library.ride(day: Int64(day), count: 300, activity: "ride") }
        try town.library.catchUp()
        town.server.poll()
        return town
    }

    @Test func `long texts are compressed if the client accepts gzip, and hold the same`() throws {
        let town = try town()
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        let targets =
            [
                "/v1/tracks", "/styles", "/ramps", "/metrics", "/v1/replay/manifest?from=2019-06-01",
                "/v1/export?format=csv",
            ] + ExportFormat.allCases.map { "/v1/tracks/\(id)\($0.ending)" }
        for target in targets {
            let plain = town.get(target)
            let short = town.get(target, [Self.gzip])
            #expect(plain.status == .ok && plain.bytes.count > 1024 && plain[.contentEncoding] == nil, "\(target)")
            #expect(short[.contentEncoding] == "gzip" && short[.contentType] == plain[.contentType], "\(target)")
            #expect(plain[.vary]?.contains("Accept-Encoding") == true && short[.vary] == plain[.vary], "\(target)")
            guard target != "/metrics" else { continue }
            #expect(try decompressed(short.bytes) == plain.bytes, "\(target)")
            #expect(short.bytes.count * 2 < plain.bytes.count, "\(target)")
            #expect(town.get(target, [Self.gzip], method: .head).bytes == short.bytes, "\(target)")
        }
    }

    @Test func `each form has an ETag of its own, and either revalidates`() throws {
        let town = try town()
        let plain = town.get("/v1/tracks")
        let short = town.get("/v1/tracks", [Self.gzip])
        let tags = [try #require(plain[.eTag]), try #require(short[.eTag])]
        #expect(tags[0] != tags[1] && tags[1].hasSuffix("-gzip\""))
        for tag in tags {
            for headers in [[], [Self.gzip]] {
                let answer = town.get("/v1/tracks", headers + [(.ifNoneMatch, tag)])
                #expect(answer.status == .notModified && answer.bytes.isEmpty)
                #expect(answer[.vary]?.contains("Accept-Encoding") == true)
                #expect(answer[.eTag] == (headers.isEmpty ? tags[0] : tag))
            }
        }
        #expect(town.get("/v1/tracks", [Self.gzip, (.ifNoneMatch, "\"x-gzip\"")]).status == .ok)
    }

    @Test func `a 304 for any tag has the tag of the form that a request without it gets`() throws {
        let town = try town()
        for target in ["/v1/tracks", "/styles", "/tiles.json", "/v1/imports", "/openapi.json", "/", try Town.path(13)] {
            for headers in [[], [Self.gzip]] {
                let whole = town.get(target, headers)
                let answer = town.get(target, headers + [(.ifNoneMatch, " * ")])
                #expect(whole.status == .ok && answer.status == .notModified, "\(target)")
                #expect(answer[.eTag] != nil && answer[.eTag] == whole[.eTag], "\(target) \(headers)")
                #expect(answer[.vary] == whole[.vary] && answer[.contentEncoding] == nil || target == "/", "\(target)")
            }
        }
    }

    @Test func `short texts, pictures, streams and what is compressed already are sent as they are`() throws {
        let town = try town()
        for target in ["/health", "/v1/nothing", try Town.path(13), "/legend/heat.png", "/v1/live"] {
            #expect(town.get(target, [Self.gzip])[.contentEncoding] == nil, "\(target)")
        }
        #expect(town.get(try Town.path(13), [Self.gzip])[.vary] == "Origin")
        let page = town.get("/", [Self.gzip])
        #expect(page[.contentEncoding] == "gzip" && page[.eTag]?.contains("gzip") == false)
        #expect(try decompressed(page.bytes) == town.get("/").bytes)
        #expect(town.get("/v1/tracks", [(.acceptEncoding, "gzip;q=0")])[.contentEncoding] == nil)
    }

    @Test func `a long export is compressed while it is sent, however slowly its client reads`() throws {
        let town = try Town()
        // Random places, so that the first compressed block is larger than what a channel holds.
        var random = SeededRandom(seed: 5)
        let chunk = { (start: Int64) in
            PointColumns(
                unit: .decimal(places: 7), longitudes: (0..<4000).map { _ in random.below(1_000_000_000) },
                latitudes: (0..<4000).map { _ in random.below(800_000_000) },
                times: (0..<4000).map { (start + $0) * 1000 }, segmentStarts: start == Town.firstDay ? [0] : [])
        }
        let chunks = (0..<20).map { chunk(Town.firstDay + $0 * 4000) }
        try town.library.database.add(chunks, RecordingHeader(activity: "ski", source: "long.gpx"))
        func bytes(_ headers: [(HeaderName, String)]) throws -> [UInt8] {
            let answer = town.get("/v1/export?format=kml&layer=ski", headers)
            guard case .events(let channel) = answer.body else { throw Problem.internalServerError }
            #expect(answer[.vary]?.contains("Accept-Encoding") == true)
            let more = DispatchSemaphore(value: 0)
            var bytes: [UInt8] = []
            channel.open { more.signal() }
            // Meanwhile the channel fills.
            Thread.sleep(forTimeInterval: 0.2)
            while true {
                switch channel.take(upTo: 5000, orWait: {}) {
                case .bytes(let portion): bytes += portion
                case .waiting: try #require(more.wait(timeout: .now() + 60) == .success)
                case .ended: return bytes
                case .closed: throw Problem.internalServerError
                }
            }
        }
        let plain = try bytes([])
        let short = try bytes([Self.gzip])
        #expect(short.count < plain.count)
        #expect(try decompressed(short) == plain)
    }
}
