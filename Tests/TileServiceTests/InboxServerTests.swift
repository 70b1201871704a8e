import Files
import Foundation
import HTTPCore
import PrimaryStore
import TestSupport
import Testing
import TrackStore

@testable import TileService

struct InboxServerTests {
    let folder: TemporaryFolder
    let library: Library
    let inbox: Library
    let tile: String

    init() throws {
        folder = try TemporaryFolder()
        library = try Library(folder: folder.path + "/library")
        try library.ride(day: 0)
        try library.catchUp()
        tile = try Town.path(14)
        inbox = try Library(folder: Library.inboxFolder(of: library.folder))
    }

    private func layers(_ server: TileServer) throws -> [String] {
        let entries = try JSONSerialization.jsonObject(with: Data(server.get("/layers").bytes)) as? [[String: Any]]
        return try #require(entries).compactMap { $0["name"] as? String }
    }

    @Test func `Shared tracks are in the inbox layer and in no other`() throws {
        let before = try library.server()
        before.poll()
        let alone = before.get(tile).bytes
        #expect(try layers(before) == ["all"])

        try inbox.ride(day: 3, latitude: Town.latitude + 0.002, activity: "run")
        try inbox.catchUp()
        let server = try library.server()
        server.poll()
        #expect(try layers(server) == ["all", "inbox"])
        #expect(server.get(tile).bytes.shown == alone.shown)
        let shared = server.get(tile + "?layer=inbox")
        #expect(shared.status == .ok && shared.bytes.shown != alone.shown)
        #expect(try shared.bytes.shown == inbox.server().get(tile).bytes.shown)
        #expect(server.get("/tiles/inbox" + tile.dropFirst("/tiles".count) + "?layer=inbox").status == .ok)
        #expect(server.get("/v1/tracks").text.contains("run") == false)
        #expect(server.get("/v1/tracks?layer=inbox").text.contains("run"))
        #expect(server.get("/tiles.json?layer=inbox").text.contains("layer=inbox"))
        #expect(server.get("/legend/heat.json?z=14&layer=inbox").status == .ok)
    }

    @Test func `Without an inbox there is no such layer`() throws {
        let bare = try Library(folder: folder.path + "/bare")
        try bare.catchUp()
        let server = try bare.server()
        server.poll()
        #expect(try layers(server) == ["all"])
        #expect(server.get(tile + "?layer=inbox").status == .notFound)
        #expect(!Library.exists(in: Library.inboxFolder(of: bare.folder)))
    }

    @Test func `The inbox follows additions and removals while the server runs`() throws {
        let server = try library.server()
        server.poll()
        let empty = server.get(tile + "?layer=inbox").bytes
        try inbox.ride(day: 1)
        try inbox.catchUp()
        for _ in 0..<3 { server.poll() }
        // The inbox polls for changes on a queue of its own.
        var shown = empty
        for _ in 0..<200 where shown == empty {
            Thread.sleep(forTimeInterval: 0.05)
            shown = server.get(tile + "?layer=inbox").bytes
        }
        #expect(shown != empty)
        server.poll()
        #expect(try layers(server).contains("inbox"))
        server.stop()
    }

    @Test func `Imports into the inbox are stored there, and stop with the server`() throws {
        try inbox.ride(day: 1)
        try inbox.catchUp()
        let server = try library.server()
        server.poll()
        #expect(try server.send(ChangeTests.gpx(day: 1), "?layer=inbox&name=a", by: folder).status == .ok)
        #expect(server.get("/v1/imports?layer=inbox").text.contains("\"given\":[\"a\"]"))
        #expect(try library.database.imports().isEmpty && inbox.database.imports().count == 1)
        server.beginStopping()
        for query in ["?name=b", "?layer=inbox&name=b"] {
            #expect(try server.send(ChangeTests.gpx(day: 2), query, by: folder).status == .serviceUnavailable)
        }
        #expect(try library.database.imports().isEmpty && inbox.database.imports().count == 1)
        server.stop()
    }

    @Test func `Public reading does not show the inbox`() throws {
        try inbox.ride(day: 1)
        try inbox.catchUp()
        let server = try library.server { configuration in
            configuration.allowsPublicReading = true
            configuration.addresses = [IPAddress("0.0.0.0")].compactMap { $0 }
        }
        server.poll()
        let host = [(HeaderName.host, "192.0.2.1:8080")]
        #expect(server.get(tile, host).status == .ok)
        #expect(server.get(tile + "?layer=inbox", host).status == .unauthorized)
    }
}
