public import Tracks

/// Reads the bytes of one file into a sink.
public enum FileImport {
    /// Reads `bytes` in the format detected from their content, and returns the receipt.
    ///
    /// `file` is the path in the receipt, `name` the source of the recordings. Nothing is thrown: a failure is in the
    /// receipt, and the points before it are kept, unless the sink failed or `isStopped` returned true. `progress` is
    /// called with the number of bytes read since its last call.
    public static func read(
        _ bytes: any ByteSource, file: String, name: String, into sink: any RecordingSink, options: ImportOptions,
        isStopped: @escaping @Sendable () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) -> FileReceipt {
        let reading = FileReading(
            FileReceipt(file: file), source: name, into: sink, options: options, isStopped: isStopped)
        return read(bytes, reading, progress: progress)
    }

    /// Reads a file whose `FileReading` exists already.
    static func read(
        _ bytes: any ByteSource, _ reading: FileReading, progress: @escaping (Int) -> Void
    ) -> FileReceipt {
        let meter = Meter(progress)
        do {
            try read(MeteredSource(bytes, meter), reading, depth: 0)
        } catch {
            reading.receipt.failure = ImportFailure(error)
        }
        // Readers end the recordings to be kept; all others are discarded.
        reading.abandonAll()
        reading.recordZones()
        reading.receipt.bytes = meter.bytes
        return reading.receipt
    }

    /// Maximum depth of nested archives, and maximum number of nested compressed streams.
    private static let depthLimit = 3

    private static func read(_ packed: any ByteSource, _ reading: FileReading, depth: Int) throws {
        var source = try PeekedSource(packed, wanted: DetectedFormat.headSize)
        var layers = 0
        while let unpacked = try UnpackingSource(source) {
            layers += 1
            guard layers <= depthLimit else { throw ImportFailure.nested(limit: depthLimit) }
            source = try PeekedSource(unpacked, wanted: DetectedFormat.headSize)
        }
        guard !source.head.isEmpty else { throw ImportFailure.empty }
        if ZipArchive.recognises(source.head) {
            try ZipArchive(source, reading).each { try readMember($0, $1, of: reading, depth: depth) }
            return try refuseVenue(reading)
        }
        if TarArchive.recognises(source.head) {
            try TarArchive(source, reading).each { try readMember($0, $1, of: reading, depth: depth) }
            return try refuseVenue(reading)
        }
        try readFile(PlainText.source(source, wanted: DetectedFormat.headSize), reading)
    }

    /// Refuses an archive that contains a building and no recording, as a whole instead of file by file.
    private static func refuseVenue(_ archive: FileReading) throws {
        let members = archive.receipt.members
        let isVenue = members.contains { $0.failure == .venue }
        guard isVenue, members.allSatisfy({ $0.failure == .venue || $0.isUnrecognisedFile || $0.hasNoPoints }) else {
            return
        }
        archive.receipt.members = []
        throw ImportFailure.venue
    }

    private static func readFile(_ source: PeekedSource, _ reading: FileReading) throws {
        if ActivityList.isNamed(reading.receipt.file), let list = try activityList(source, reading) {
            return reading.add(list)
        }
        switch DetectedFormat(source.head) {
        case .unknown(let looks): throw ImportFailure.unrecognised(looks)
        case .format(let format):
            reading.receipt.format = format
            try read(source, as: format, reading)
        }
    }

    /// nil if the head of the file shows that it is not an activity list.
    private static func activityList(_ source: PeekedSource, _ reading: FileReading) throws -> ActivityList? {
        guard ActivityList(source.head) != nil else { return nil }
        var source: any ByteSource = source
        var bytes: [UInt8] = []
        while case let block = try reading.next(from: &source), !block.isEmpty {
            bytes += block
            guard bytes.count <= ActivityList.sizeLimit else {
                throw ImportFailure.longText(limit: ActivityList.sizeLimit, line: 1)
            }
        }
        return ActivityList(bytes)
    }

    private static func read(_ source: PeekedSource, as format: TrackFormat, _ reading: FileReading) throws {
        switch format {
        case .gpx:
            var reader = try GPXReader(reading)
            try reader.read(source)
        case .geojson:
            var reader = GeoJSONReader(reading)
            try reader.read(source)
        case .tcx:
            var reader = try TCXReader(reading)
            try reader.read(source)
        case .kml:
            var reader = try KMLReader(reading)
            try reader.read(source)
        case .fit:
            var reader = FITReader(reading)
            try reader.read(source)
        case .nmea:
            var reader = NMEAReader(reading)
            try reader.read(source)
        case .google:
            var reader = GoogleReader(reading)
            try reader.read(source)
        case .owntracks:
            var reader = OwnTracksReader(reading)
            try reader.read(source)
        case .gpslog where GPSLogDatabase.isDatabase(source.head):
            var reader = GPSLogDatabase(reading)
            try reader.read(source)
        case .gpslog:
            var reader = GPSLogXML(reading)
            try reader.read(source)
        case .igc:
            var reader = IGCReader(reading)
            try reader.read(source)
        case .polarsteps:
            var reader = PolarstepsReader(reading)
            try reader.read(source)
        case .csv:
            guard let reader = try CSVReader(reading, source) else {
                reading.receipt.format = nil
                throw ImportFailure.unrecognised(nil)
            }
            try reader.read()
        }
    }

    /// Reads a member of an archive; its failure ends the archive only if the library failed or the import was stopped.
    private static func readMember(
        _ path: String, _ source: ArchiveMember, of archive: FileReading, depth: Int
    ) throws {
        let reading = archive.member(path)
        guard archive.wants(reading.receipt.file) else { return }
        do {
            guard depth < depthLimit else { throw ImportFailure.nested(limit: depthLimit) }
            try reading.deferUntilListed()
            try read(source, reading, depth: depth + 1)
        } catch {
            reading.receipt.failure = ImportFailure(error)
        }
        reading.abandonAll()
        reading.recordZones()
        // Reading the rest may show that the archive is damaged there; the failure is then recorded below.
        if reading.receipt.failure == nil { try? source.drain() }
        if let failure = source.failure, reading.receipt.failure == nil { reading.receipt.failure = failure }
        archive.receipt.add(member: reading.receipt)
        if let failure = reading.receipt.failure, failure.endsImport { throw failure }
    }
}

/// Counts the bytes read.
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
