import Database
import Files
import Foundation
import SQLite
import Styling
import Testing
import TileArchive
import TileMath
import TileService

@testable import TileServeCLI

/// `prerender --output FILE`.
@Suite struct PrerenderArchiveTests {
    private let line: CommandLineHarness

    init() throws {
        line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.5)).code == .done)
    }

    private func path(_ name: String) -> String { line.folder.path + "/" + name }

    /// The tiles of a folder that `prerender` has written, by their coordinates.
    private func tiles(_ folder: String, scale: String = ".png") throws -> [TileCoordinate: [UInt8]] {
        var tiles: [TileCoordinate: [UInt8]] = [:]
        try Folder.walk(folder) { path in
            guard path.hasSuffix(".png") else { return }
            let parts = path.dropFirst(folder.count + 1).split(separator: "/")
            let numbers = parts.map { Int($0.replacing(scale, with: "")) }
            guard numbers.count == 3, let z = numbers[0], let x = numbers[1], let y = numbers[2],
                let zoom = ZoomLevel(z), let tile = TileCoordinate(zoom: zoom, x: x, y: y)
            else { return }
            tiles[tile] = try AtomicFile.read(path)
        }
        return tiles
    }

    @Test(arguments: [["--zoom", "0-15"], ["--zoom", "9-11", "--style", "tracks"], ["--zoom", "7", "--scale", "2"]])
    func `archives have the tiles of the folder, byte for byte, and are the same each time`(
        _ options: [String]
    ) throws {
        let draw = ["prerender", "--json"] + options
        #expect(line.run(draw + ["--output", path("tiles")]).code == .done)
        let expected = try tiles(path("tiles"), scale: options.contains("2") ? "@2x.png" : ".png")
        #expect(!expected.isEmpty)
        for name in ["a.mbtiles", "a.pmtiles", "a.sqlitedb"] {
            let drawn = line.run(draw + ["--output", path(name)])
            #expect(drawn.code == .done, "\(drawn)")
            let receipt = try #require(try line.objects(drawn.out).first)
            #expect(receipt["drawn"] as? Int == expected.count)
            let bytes = try #require(try AtomicFile.read(path(name)))
            #expect(receipt["fileBytes"] as? Int == bytes.count)
            #expect(line.run(draw + ["--output", path("again/" + name), "--workers", "1"]).code == .done)
            #expect(try AtomicFile.read(path("again/" + name)) == bytes)
        }
        for name in ["a.mbtiles", "a.pmtiles"] {
            let reader = try TileArchives.open(path(name))
            for (tile, bytes) in expected { #expect(try reader.tile(tile)?.bytes == bytes, "\(tile)") }
            let levels = expected.keys.map(\.zoom.number)
            #expect(reader.description.zooms == (levels.min() ?? 0)...(levels.max() ?? 0))
            let bounds = try #require(reader.description.bounds)
            #expect(bounds.west < 8.54001 && bounds.east > 8.53999 && bounds.south < 47.38 && bounds.north > 47.86)
            #expect(bounds.north < 48)
        }
        var stored = 0
        try UntrustedDatabase(path: path("a.sqlitedb")).forEach("SELECT x, y, z, image FROM tiles") { row in
            let zoom = try #require(ZoomLevel(17 - Int(row.integer(2))))
            let tile = try #require(TileCoordinate(zoom: zoom, x: Int(row.integer(0)), y: Int(row.integer(1))))
            #expect(expected[tile] == row.blob(3))
            stored += 1
        }
        #expect(stored == expected.count)
        let files = try Folder.entries(of: line.folder.path).map(\.path).filter { $0.hasSuffix(".part") }
        #expect(files.isEmpty, "\(files)")
    }

    @Test func `metadata can be set, and boxes limit what archives have`() throws {
        let made = line.run(
            "prerender", "--zoom", "0-12", "--bbox", "8,47.3,9,47.5", "--output", path("city.mbtiles"), "--set-meta",
            "name=City", "--set-meta", "license=CC0", "--set-meta", "center=8.54,47.37,11")
        #expect(made.code == .done, "\(made)")
        #expect(made.out.contains("city.mbtiles has "))
        let about = try TileArchives.open(path("city.mbtiles")).description
        #expect(about.name == "City" && about.attribution == "tileserve" && about.description == "Heat, of all tracks")
        #expect(about.center == MapCenter(longitude: 8.54, latitude: 47.37, zoom: 11))
        #expect(try #require(about.bounds).north <= 47.5)
        var license = ""
        try UntrustedDatabase(path: path("city.mbtiles")).forEach("SELECT value FROM metadata WHERE name = 'license'") {
            license = $0.text(0)
        }
        #expect(license == "CC0")
    }

    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a.sqlitedb"])
    func `an interrupted run leaves no archive, and --resume gives the file of an uninterrupted one`(
        _ name: String
    ) throws {
        let draw = ["prerender", "--zoom", "0-15", "--json", "--output", path(name)]
        #expect(line.run("prerender", "--zoom", "0-15", "--output", path("whole-" + name)).code == .done)
        let whole = try #require(try AtomicFile.read(path("whole-" + name)))
        let spool = TileSpool.path(of: path(name))
        // All tiles are drawn, and the archive cannot be written.
        try Folder.make(path(name) + ".part/x")
        #expect(line.run(draw).code == .disk)
        #expect(FileStatus.ifExists(of: path(name)) == nil)
        try Folder.remove(path(name) + ".part")
        let drawn = try #require(try AtomicFile.read(spool))
        let resumed = line.run(draw + ["--resume"])
        #expect(resumed.code == .done, "\(resumed)")
        let receipt = try #require(try line.objects(resumed.out).first)
        #expect(receipt["drawn"] as? Int == 0 && (receipt["kept"] as? Int ?? 0) > 10)
        #expect(try AtomicFile.read(path(name)) == whole)
        #expect(FileStatus.ifExists(of: spool) == nil)
        // Killed while tiles were written: the last batch is not complete.
        try AtomicFile.write(Array(drawn.dropLast(7)), to: spool)
        try AtomicFile.remove(path(name))
        #expect(line.run(draw + ["--resume"]).code == .done)
        #expect(try AtomicFile.read(path(name)) == whole)
        // Without --resume everything is drawn, and so is it for another style.
        try AtomicFile.write(drawn, to: spool)
        let fresh = try #require(try line.objects(line.run(draw).out).first)
        #expect(fresh["kept"] as? Int == 0)
        try AtomicFile.write(drawn, to: spool)
        let other = line.run(draw + ["--resume", "--style", "tracks"])
        #expect(try #require(try line.objects(other.out).first)["kept"] as? Int == 0)
        // Another zoom level of the same job: tiles of the other ones are not of this archive.
        try AtomicFile.write(drawn, to: spool)
        #expect(line.run("prerender", "--zoom", "9", "--resume", "--output", path(name)).code == .done)
        #expect(line.run("prerender", "--zoom", "9", "--output", path("nine-" + name)).code == .done)
        #expect(try AtomicFile.read(path(name)) == AtomicFile.read(path("nine-" + name)))
    }

    @Test func `a run that is stopped writes nothing`() throws {
        line.stop.request()
        #expect(line.run("prerender", "--zoom", "0-15", "--output", path("s.pmtiles")).code != .done)
        #expect(FileStatus.ifExists(of: path("s.pmtiles")) == nil)
    }

    @Test func `what cannot be an archive is an error`() throws {
        try Folder.make(path("folder.mbtiles"))
        #expect(line.run("prerender", "--zoom", "3", "--output", path("folder.mbtiles")).code == .usage)
        let nothing = line.run("prerender", "--zoom", "3", "--bbox", "100,10,101,11", "--output", path("n.pmtiles"))
        #expect(nothing.code == .incomplete && FileStatus.ifExists(of: path("n.pmtiles")) == nil)
        #expect(try Folder.entries(of: line.folder.path).allSatisfy { !$0.path.hasSuffix(".part") })
        #expect(
            line.run("prerender", "--zoom", "0-3", "--output", path("dry.pmtiles"), "--dry-run").out.contains("would"))
        #expect(FileStatus.ifExists(of: path("dry.pmtiles")) == nil)
    }

    @Test func `serve takes names of archives from their files, and refuses names of others`() throws {
        #expect(line.run("prerender", "--zoom", "0-3", "--output", path("Rides.pmtiles")).code == .done)
        let file = path("Rides.pmtiles")
        #expect(ArchiveFile(file)?.name == "rides" && ArchiveFile("a=" + file) == ArchiveFile("a=\(file)"))
        #expect(ArchiveFile("map=x=y.mbtiles")?.path == "x=y.mbtiles")
        for text in ["", "=", "a=", "=x.mbtiles", "Å=x.mbtiles", "/maps/1.mbtiles", "a b=x", "A=x"] {
            #expect(ArchiveFile(text) == nil, "\(text)")
        }
        let files = try ["one=", "two="].map { try #require(ArchiveFile($0 + file)) }
        let opened = try ArchiveFile.opened(files, besides: .builtIn)
        #expect(opened.map(\.name) == ["one", "two"])
        for names in [["heat="], ["base="], ["one=", "one="]] {
            let taken = try names.map { try #require(ArchiveFile($0 + file)) }
            #expect(throws: Failure.self) { try ArchiveFile.opened(taken, besides: .builtIn) }
        }
        try AtomicFile.write(Array("hello".utf8), to: path("text.mbtiles"))
        let started = line.run("serve", "--port", "0", "--archive", path("text.mbtiles"))
        #expect(started.code == .badData && started.err.contains("neither MBTiles nor PMTiles"), "\(started)")
        #expect(line.run("serve", "--port", "0", "--archive", path("nowhere.mbtiles")).code == .noInput)
    }
}
