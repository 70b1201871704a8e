import Files
import Foundation
import HTTPCore
import RequestHandling
import TestLibrary
import Testing

@testable import TileService

@Suite struct PhotoRouteTests {
    private func request(_ town: Town, _ bytes: [UInt8]) throws -> Request {
        let path = town.folder.path + "/photo"
        try AtomicFile.write(bytes, to: path, durability: .cached)
        let content = SpooledBody(path: path, byteCount: bytes.count, file: town.folder)
        return Request(.post, "/v1/photos/locate", headers: [(.host, "localhost")], content: .file(content))
    }

    private func locate(_ town: Town, _ bytes: [UInt8]) throws -> Response {
        town.server.ask(try request(town, bytes))
    }

    /// A JPEG file with a time in XMP.
    private func photo(_ time: String) -> [UInt8] {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="\(time)"/></rdf:RDF></x:xmpmeta>
            """
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
            + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    }

    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    @Test func `a photo on a ride gets the place of the ride at its time`() throws {
        let town = try Town()
        // Half a second after the eleventh point of the second day, which only one ride has.
        let response = try locate(town, photo("2019-06-02T14:00:10.500+02:00"))
        #expect(response.status == .ok && response[.cacheControl] == "no-store")
        let found = try object(response)
        #expect(found["time"] as? String == "2019-06-02T12:00:10.500Z" && found["zone"] as? String == "Europe/Berlin")
        #expect(found["method"] as? String == "track" && found["reason"] is NSNull)
        let longitude = try #require(found["lon"] as? Double)
        #expect(abs(longitude - (Town.longitude + 10.5 * 700e-7)) < 2e-7)
        #expect((found["candidates"] as? [[String: Any]])?.count == 1)
    }

    @Test func `a photo without a place gets a reason, and a file that is no photo is a 422`() throws {
        let town = try Town()
        let late = try object(try locate(town, photo("2020-01-01T00:00:00Z")))
        #expect(late["lon"] is NSNull && (late["reason"] as? String)?.hasPrefix("the tracks end earlier") == true)
        let nothing = try locate(town, photo("no time"))
        #expect(try object(nothing)["reason"] as? String == "the photo has neither a time nor a place")
        let text = try locate(town, Array("no photo at all".utf8))
        #expect(text.status == .unprocessable && text.text.contains("not a photo or video of a known format"))
        let truncated = try locate(town, Array(photo("2020-01-01T00:00:00Z").prefix(40)))
        #expect(truncated.status == .unprocessable && truncated.text.contains("ends too early"))
    }

    @Test func `photos are located one at a time, and no more when the client disconnects`() throws {
        let town = try Town()
        let queue = town.server.queues.long
        let gate = queue.occupyWorkers()
        defer { gate.signal() }
        #expect(queue.workers == 1)
        guard case .deferred(let deferred) = town.server.answer(try request(town, photo("2020-01-01T00:00:00Z"))) else {
            Issue.record("a photo is located on the listener")
            return
        }
        let cancel = deferred.begin(Completion { _ in })
        #expect(queue.counts.waiting == 1)
        cancel()
        #expect(queue.counts.waiting == 0 && queue.counts.cancelled == 1)
    }

    @Test func `a request without a body is a 400`() throws {
        let town = try Town()
        let response = town.server.ask(Request(.post, "/v1/photos/locate", headers: [(.host, "localhost")]))
        #expect(response.status == .badRequest)
    }
}
