import Files
import Foundation
import SampleTracks
import Testing

/// A folder with a library and files to import, for one test.
final class LibraryFixture {
    private let temporary: TemporaryFolder
    let folder: String
    let library: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path
        library = folder + "/library"
    }

    /// Runs the binary until it exits.
    func run(_ words: String..., input: String? = nil, library other: String? = nil) throws -> Ended {
        try Running(words, library: other ?? library, folder: folder, input: input).ended()
    }

    /// Starts the binary.
    func start(_ words: String..., out: String? = nil) throws -> Running {
        try Running(words, library: library, folder: folder, out: out)
    }

    /// Writes a file with this text.
    func file(_ name: String, _ text: String) throws -> String {
        let path = folder + "/" + name
        try AtomicFile.write(Array(text.utf8), to: path, durability: .cached)
        return path
    }

    /// A walk of twenty points in Zurich on a day of June 2025, moved north a little for each `step`.
    func walk(_ name: String, day: Int = 1, step: Int = 0) throws -> String {
        let rows = (0..<20).map { index in
            "<trkpt lat=\"\(47.37 + Double(step) * 0.01 + Double(index) * 1e-4)\" lon=\"8.54\">"
                + "<time>2025-06-\(day < 10 ? "0" : "")\(day)T10:00:\(index + 10)Z</time></trkpt>"
        }
        return try file(
            name, "<gpx version=\"1.1\"><trk><name>Walk</name><trkseg>\(rows.joined())</trkseg></trk></gpx>")
    }

    /// Writes a folder of synthetic tracks, one GPX file each.
    func sample(_ name: String, tracks: Int, seed: UInt64 = 7) throws -> String {
        let path = folder + "/" + name
        try Folder.make(path)
        for track in SampleTracks(SampleSpec(size: .tracks(tracks), seed: seed, years: 2)) {
            try AtomicFile.write(
                SampleText.gpx(track), to: path + "/" + track.fileName(extension: "gpx"), durability: .cached)
        }
        return path
    }

    /// Parses JSON objects, one a line.
    static func objects(_ lines: String) throws -> [[String: Any]] {
        try lines.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    /// The ids of all tracks.
    func ids() throws -> [String] {
        try Self.objects(run("tracks", "list", "--json").out).compactMap { $0["id"] as? String }
    }

    /// The sorted digests of all tracks, which do not depend on ids.
    func contents(library other: String? = nil) throws -> [String] {
        let ids = try Self.objects(run("tracks", "list", "--json", library: other).out).compactMap {
            $0["id"] as? String
        }
        let words = ["tracks", "show", "--json"] + ids
        let shown = try Running(words, library: other ?? library, folder: folder).ended()
        return try Self.objects(shown.out).compactMap { $0["digest"] as? String }.sorted()
    }
}
