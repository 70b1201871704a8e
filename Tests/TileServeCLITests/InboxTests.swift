import Foundation
import PrimaryStore
import SQLite
import Testing
import TrackStore

@testable import TileServeCLI

@Suite("Inbox")
struct InboxTests {
    private let line = try? CommandLineHarness()

    @Test("Shared tracks stay in the inbox until accepted, and are then like imported ones")
    func accepting() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("own.gpx")).code == .done)
        let shared = try line.walk("shared.gpx", north: 0.5)
        #expect(line.run("import", "--inbox", "--person", "bea", shared).code == .done)
        #expect(try line.ids().count == 1)
        #expect(line.run("stats").out.contains("1 track"))
        let listed = try line.objects(line.run("tracks", "list", "--inbox", "--json").out)
        #expect(listed.count == 1 && listed[0]["person"] as? String == "bea")
        let id = try #require(listed[0]["id"] as? String)

        #expect(line.run("tracks", "show", id).code == .noInput)
        #expect(line.run("tracks", "show", "--inbox", id).code == .done)
        let accepted = line.run("tracks", "accept", id)
        #expect(accepted.code == .done && accepted.out == "\(id): accepted (Walk, 20 points)\n", "\(accepted)")
        #expect(line.run("tracks", "list", "--inbox").code == .done)
        #expect(try line.objects(line.run("tracks", "list", "--inbox", "--json").out).isEmpty)

        let direct = try CommandLineHarness()
        #expect(direct.run("import", try direct.walk("own.gpx")).code == .done)
        let same = try direct.walk("shared.gpx", north: 0.5)
        #expect(direct.run("import", "--person", "bea", same).code == .done)
        let lists = try [line, direct].map { harness in
            try harness.objects(harness.run("tracks", "list", "--json").out).map { object in
                object.filter { $0.key != "id" } as NSDictionary
            }
        }
        #expect(lists[0] == lists[1] && lists[0].count == 2)
        #expect(line.run("verify").code == .done && line.run("verify", "--inbox").code == .done)
    }

    @Test("Accepting is an import that can be undone")
    func takingBack() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("own.gpx")).code == .done)
        let own = try line.ids()
        #expect(line.run("import", "--inbox", try line.walk("shared.gpx", north: 0.5)).code == .done)
        let id = try #require(
            try line.objects(line.run("tracks", "list", "--inbox", "--json").out).first?["id"] as? String)
        #expect(line.run("tracks", "accept", id, "x").code == .incomplete)
        let newest = try #require(try line.objects(line.run("imports", "list", "--json").out).first)
        #expect(newest["given"] as? [String] == ["inbox/\(id)"] && newest["tracks"] as? Int == 1)
        #expect(try line.ids().count == 2)
        #expect(line.run("imports", "undo", "\(try #require(newest["import"] as? Int))").code == .done)
        #expect(try line.ids() == own)
        #expect(line.run("tracks", "accept", "x").code == .noInput)
        #expect(try line.objects(line.run("imports", "list", "--json").out).count == 1)
    }

    @Test("Accepting a known track adds nothing, and a missing one is reported")
    func again() throws {
        let line = try #require(line)
        #expect(line.run("tracks", "accept", "x").code == .noInput)
        let walk = try line.walk("own.gpx")
        #expect(line.run("import", walk).code == .done)
        #expect(line.run("tracks", "accept", "x").code == .noInput)
        #expect(line.run("import", "--inbox", walk).code == .done)
        let id = try #require(
            try line.objects(line.run("tracks", "list", "--inbox", "--json").out).first?["id"] as? String)
        let accepted = line.run("tracks", "accept", id, "x", id)
        #expect(accepted.code == .incomplete && accepted.out.contains("already in the library"))
        #expect(accepted.err.contains("x: no such track"))
        #expect(try line.ids().count == 1)
    }

    @Test("A track is also accepted by an alias of its id")
    func aliases() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("own.gpx")).code == .done)
        #expect(line.run("import", "--inbox", try line.walk("shared.gpx", north: 0.5)).code == .done)
        let id = try #require(
            try line.objects(line.run("tracks", "list", "--inbox", "--json").out).first?["id"] as? String)
        let database = try Connection(path: Library.inboxFolder(of: line.library) + "/tracks.sqlite")
        try database.execute("INSERT INTO alias SELECT 'old', number FROM track WHERE id = '\(id)'")
        #expect(line.run("tracks", "show", "--inbox", "old").code == .done)
        let accepted = line.run("tracks", "accept", "old")
        #expect(accepted.code == .done && accepted.err == "", "\(accepted)")
        #expect(accepted.out.hasPrefix("\(id): accepted"))
    }

    @Test("Removing a track from the inbox does not affect the library")
    func refusing() throws {
        let line = try #require(line)
        let walk = try line.walk("own.gpx")
        #expect(line.run("import", walk).code == .done && line.run("import", "--inbox", walk).code == .done)
        let id = try #require(
            try line.objects(line.run("tracks", "list", "--inbox", "--json").out).first?["id"] as? String)
        #expect(line.run("tracks", "remove", "--inbox", id).code == .done)
        #expect(try line.ids().count == 1)
        #expect(try line.objects(line.run("tracks", "list", "--inbox", "--json").out).isEmpty)
    }

    @Test("The inbox has the library's time zone and follows its changes")
    func zone() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        #expect(line.run("rebuild", "--zone", "Asia/Tokyo").code == .done)
        #expect(line.run("import", "--inbox", try line.walk("b.gpx")).code == .done)
        let library = try Library(folder: line.library)
        #expect(try library.inbox()?.database.zone() == "Asia/Tokyo")
        #expect(line.run("rebuild", "--zone", "Europe/Rome").code == .done)
        #expect(try library.inbox()?.database.zone() == "Europe/Rome")
    }

    @Test("An operator's layer cannot have the inbox's name")
    func name() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        #expect(line.run("layers", "add", "inbox", "--where", "activity = hike").code != .done)
    }
}
