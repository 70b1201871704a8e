import Foundation
import PrimaryStore
import SampleTracks
import Text
import TrackStore

/// `tileserve-bench sample`: writes synthetic tracks to files or to a library.
struct SampleCommand {
    private enum Format: String {
        case csv
        case gpx
        case library
    }

    private let format: Format
    private let spec: SampleSpec
    private let output: URL
    private let isFolder: Bool
    /// Kilometres from the centre within which a track must stay; nil for no limit.
    private let withinKilometres: Int?

    /// The number of bytes buffered before a write.
    private static let bufferSize = 1 << 20

    init(_ given: Arguments) throws {
        var arguments = given
        let name = arguments.text("format") ?? "csv"
        guard let format = Format(rawValue: name) else {
            throw Arguments.UsageError(text: "--format \(name): not csv, gpx or library")
        }
        let points = try arguments.number("points")
        let tracks = try arguments.number("tracks")
        guard points == nil || tracks == nil else {
            throw Arguments.UsageError(text: "--points and --tracks: give only one of them")
        }
        guard let path = arguments.text("output"), !path.isEmpty else {
            throw Arguments.UsageError(text: "--output is required")
        }
        self.format = format
        spec = SampleSpec(
            size: tracks.map { .tracks($0) } ?? .points(points ?? 1_000_000),
            seed: UInt64(try arguments.number("seed") ?? 1), years: try arguments.number("years") ?? 8)
        withinKilometres = try arguments.number("within")
        output = URL(fileURLWithPath: path)
        isFolder = format == .gpx && output.pathExtension.lowercased() != "gpx"
        try arguments.finish()
    }

    /// The tracks that stay within the limit, in order.
    private var tracks: some Sequence<SampleTrack> {
        SampleTracks(spec).lazy.filter { track in
            guard let withinKilometres else { return true }
            let unit = Double(FixedDecimal.integerPower(SampleTrack.coordinatePlaces))
            // A degree of latitude is about 111 km.
            let reach = Double(withinKilometres) / 111
            let width = reach / max(0.05, cos(spec.latitude * .pi / 180))
            return track.latitudes.allSatisfy { abs(Double($0) / unit - spec.latitude) <= reach }
                && track.longitudes.allSatisfy { abs(Double($0) / unit - spec.longitude) <= width }
        }
    }

    /// Writes the files and prints a summary to stderr.
    func run() throws {
        let start = ContinuousClock.now
        var tracks = 0
        var points = 0
        let countTrack = { (track: SampleTrack) in
            tracks += 1
            points += track.count
        }
        if format == .library {
            try writeLibrary(countTrack)
        } else if isFolder {
            try writeFolder(countTrack)
        } else {
            try writeFile(countTrack)
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let rate = Int(Double(points) / seconds)
        FileHandle.standardError.write(
            Data("\(tracks) tracks, \(points) points in \(output.path) (\(rate) points/s)\n".utf8))
    }

    private func writeFolder(_ countTrack: (SampleTrack) -> Void) throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        for track in tracks {
            countTrack(track)
            let file = output.appendingPathComponent(track.fileName(extension: "gpx"))
            try Data(SampleText.gpx(track)).write(to: file)
        }
    }

    /// Writes directly to a library, on one thread and without file parsers, to measure store and grid alone.
    private func writeLibrary(_ countTrack: (SampleTrack) -> Void) throws {
        let library = try Library(folder: output.path)
        let session = try library.database.beginImport()
        let start = ContinuousClock.now
        for track in tracks {
            countTrack(track)
            _ = try track.write(to: session)
        }
        try session.finish()
        let stored = ContinuousClock.now
        try library.catchUp()
        let storeSeconds = start.duration(to: stored) / .seconds(1)
        let gridSeconds = stored.duration(to: .now) / .seconds(1)
        FileHandle.standardError.write(Data("store \(storeSeconds) s, grid \(gridSeconds) s\n".utf8))
    }

    private func writeFile(_ countTrack: (SampleTrack) -> Void) throws {
        try Data().write(to: output)
        let file = try FileHandle(forWritingTo: output)
        var buffer = format == .csv ? SampleText.csvHeader : SampleText.gpxHead
        buffer.reserveCapacity(2 * Self.bufferSize)
        for track in tracks {
            countTrack(track)
            switch format {
            case .csv: SampleText.appendCSV(track, to: &buffer)
            case .gpx, .library: SampleText.appendGPX(track, to: &buffer)
            }
            guard buffer.count >= Self.bufferSize else { continue }
            try file.write(contentsOf: Data(buffer))
            buffer.removeAll(keepingCapacity: true)
        }
        if format == .gpx { buffer += SampleText.gpxTail }
        try file.write(contentsOf: Data(buffer))
        try file.close()
    }
}
