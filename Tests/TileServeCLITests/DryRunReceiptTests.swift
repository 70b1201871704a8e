import Files
import Foundation
import Locking
import PrimaryStore
import Testing
import TrackImport
import TrackStore
import Tracks

/// Compares the receipts of a dry run with those of the import that follows, as lines and as JSON.
@Suite struct DryRunReceiptTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func receipts(of paths: [String], in database: TrackDatabase) -> [String] {
        let lines = Locked<[String]>([])
        let options = ImportOptions(libraryZone: .gmt, workers: 2)
        let importer = Importer(options: options) { try database.beginImport() }
        let total = importer.run(
            paths,
            report: { event in
                guard case .finished(let receipt) = event else { return }
                lines.withLock { $0 += receipt.lines + [receipt.json] }
            })
        return lines.withLock { $0 } + [total.line, total.json()]
    }

    private func expectSameReceipts(_ paths: [String], _ database: TrackDatabase) throws {
        let dry = receipts(of: paths, in: try TrackDatabase.dryRun(of: database))
        let real = receipts(of: paths, in: database)
        #expect(dry.count == real.count)
        for (dry, real) in zip(dry, real) { #expect(dry == real) }
    }

    private func write(_ text: String, _ name: String) throws {
        try Folder.make(folder.path + "/files")
        _ = FileManager.default.createFile(atPath: folder.path + "/files/" + name, contents: Data(text.utf8))
    }

    private func gpx(start: Int, count: Int, device: String? = nil) -> String {
        let points = (0..<count).map { index in
            let time = Date(timeIntervalSince1970: Double(start + index)).ISO8601Format()
            return "<trkpt lat=\"52.\(100 + index % 800)\" lon=\"13.\(200 + index % 700)\"><time>\(time)</time></trkpt>"
        }
        return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    @Test func `A dry run of files with copies, beginnings and damage has the receipts of the import`() throws {
        for number in 0..<60 {
            let start = 1_600_000_000 + number % 11 * 100_000
            let text = gpx(start: start, count: [10, 40, 300][number % 3])
            try write(number % 7 == 3 ? String(text.dropLast(40)) : text, "\(100 + number).gpx")
        }
        let timeline = { (seconds: [Int]) in
            "{\"locations\":["
                + seconds.map {
                    "{\"timestampMs\":\"\(1_500_000_000 + $0)000\",\"latitudeE7\":521000000,\"longitudeE7\":\(131_000_000 + $0)}"
                }.joined(separator: ",") + "]}"
        }
        try write(timeline(Array(stride(from: 0, to: 90_000, by: 600))), "a.json")
        try write(timeline(Array(stride(from: 50_000, to: 200_000, by: 900))), "b.json")
        let database = try Library(folder: folder.path + "/library").database
        try expectSameReceipts([folder.path + "/files"], database)
        try write(gpx(start: 1_600_000_000, count: 500), "100.gpx")
        try expectSameReceipts([folder.path + "/files", folder.path + "/files/101.gpx"], database)
        #expect(try database.verify() == [])
    }

    @Test func `A dry run of real files has the receipts of the import`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL.path()
        guard FileManager.default.fileExists(atPath: root) else { return }
        let database = try Library(folder: folder.path + "/library").database
        // Outlines of countries are no tracks; reading them takes most of the time.
        let paths = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
            .filter { $0 != "boundaries" }.map { "\(root)/\($0)" }
        try expectSameReceipts(paths, database)
        try expectSameReceipts(paths, database)
        let sum = try database.totals()
        #expect(sum.points > 10_000)
    }
}
