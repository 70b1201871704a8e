public import Tracks
import Zlib

/// Reads one file's bytes into a sink.
public enum FileImport {
    /// Reads `bytes` in the format that they turn out to be in, and says what became of them.
    ///
    /// `file` is the path that the receipt names, `name` what the recordings are said to come from. Nothing is thrown: a
    /// file that fails says so in its receipt, and what was whole in it is kept, unless the sink failed or `isStopped` said
    /// so. `progress` is told the bytes read since it was told last.
    public static func read(
        _ bytes: any ByteSource, file: String, name: String, into sink: any RecordingSink, options: ImportOptions,
        isStopped: @escaping @Sendable () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) -> FileReceipt {
        let meter = Meter(progress)
        let reading = FileReading(
            FileReceipt(file: file), source: name, into: sink, options: options, isStopped: isStopped)
        do {
            try read(MeteredSource(bytes, meter), reading)
        } catch {
            reading.receipt.failure = ImportFailure(error)
        }
        // Readers end what is to be kept; whatever is still open is not.
        reading.abandonAll()
        reading.receipt.bytes = meter.bytes
        return reading.receipt
    }

    private static func read(_ packed: any ByteSource, _ reading: FileReading) throws {
        let outer = try PeekedSource(packed, wanted: 4)
        let unpacked: any ByteSource = Gzip.recognises(outer.head) ? try GunzipSource(outer) : outer
        let source = try PeekedSource(unpacked, wanted: Recognition.headSize)
        guard !source.head.isEmpty else { throw ImportFailure.empty }
        switch Recognition(source.head) {
        case .unknown(let looks): throw ImportFailure.unrecognised(looks)
        case .format(.gpx):
            reading.receipt.format = .gpx
            var reader = try GPXReader(reading)
            try reader.read(source)
        case .format(.geojson):
            reading.receipt.format = .geojson
            var reader = GeoJSONReader(reading)
            try reader.read(source)
        case .format(.tcx):
            reading.receipt.format = .tcx
            var reader = try TCXReader(reading)
            try reader.read(source)
        case .format(.kml):
            reading.receipt.format = .kml
            var reader = try KMLReader(reading)
            try reader.read(source)
        case .format(.fit):
            reading.receipt.format = .fit
            var reader = FITReader(reading)
            try reader.read(source)
        case .format(.nmea):
            reading.receipt.format = .nmea
            var reader = NMEAReader(reading)
            try reader.read(source)
        case .format(.csv):
            guard let header = CSVHeader(head: source.head), let reader = CSVReader(reading, header: header) else {
                throw ImportFailure.unrecognised(nil)
            }
            reading.receipt.format = .csv
            try reader.read(source)
        }
    }
}

/// Counts what is read.
private final class Meter {
    var bytes = 0
    let progress: (Int) -> Void

    init(_ progress: @escaping (Int) -> Void) {
        self.progress = progress
    }
}

private struct MeteredSource: ByteSource {
    private var source: any ByteSource
    private let meter: Meter

    init(_ source: any ByteSource, _ meter: Meter) {
        self.source = source
        self.meter = meter
    }

    mutating func read() throws -> [UInt8] {
        let block = try source.read()
        if !block.isEmpty {
            meter.bytes += block.count
            meter.progress(block.count)
        }
        return block
    }
}
