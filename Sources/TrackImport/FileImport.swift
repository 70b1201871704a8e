import Archive
import Text
public import Tracks

/// Reads the bytes of one file into a sink.
public enum FileImport {
    /// Reads `bytes` in the format detected from their content, and returns the receipt.
    ///
    /// `file` is the path in the receipt, `name` the source of the recordings. Nothing is thrown: a failure is in the
    /// receipt, and the points before it are kept, unless the sink failed or `isStopped` returned true. `progress` is
    /// called with the number of bytes read since its last call. The receipt has the outcome of a sink that knows it
    /// immediately.
    public static func read(
        _ bytes: any ByteSource, file: String, name: String, into sink: any RecordingSink, options: ImportOptions,
        isStopped: @escaping @Sendable () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) -> FileReceipt {
        let reading = FileReading(
            FileReceipt(file: file), source: name, into: sink, options: options, isStopped: isStopped)
        var receipt = read(bytes, reading, progress: progress)
        receipt.takeOutcome()
        return receipt
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

    /// Maximum depth of nested archives, and maximum number of nested compressed streams: an archive can be made that
    /// contains itself.
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
        if let format = ArchiveFormat(recognising: source.head) {
            var bytes: any ByteSource = source
            let archive = try ArchiveReader(format) { try reading.next(from: &bytes) }
            while let path = try archive.next() {
                try readMember(ByteText.string(path), ArchiveMember(of: archive), of: reading, depth: depth)
            }
            return try refuseVenue(reading)
        }
        // An archive in an archive is not postponed as a whole: its files are read again one by one.
        if depth > 0 { try reading.deferUntilListed() }
        let bytes = DigestedSource(source)
        do {
            let head = try PeekedSource(bytes, wanted: DetectedFormat.headSize)
            try readFile(PlainText.source(head, wanted: DetectedFormat.headSize), reading)
        } catch {
            // What was read of a file that fails midway may be read anew, too.
            if ImportFailure(error).keepsEarlierPoints { reading.setDigest(of: bytes) }
            throw error
        }
        reading.setDigest(of: bytes)
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
        if GarminActivities.recognises(source.head) { return try reading.addGarminActivities(source) }
        switch DetectedFormat(source.head) {
        case .unknown(let description): throw ImportFailure.unrecognised(description)
        case .format(let format):
            reading.receipt.format = format
            guard !reading.isPlan else { return reading.skip(.route) }
            do {
                try read(source, as: format, reading)
            } catch {
                if ImportFailure(error).keepsEarlierPoints { try reading.storePins() }
                throw error
            }
            try reading.storePins()
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
            guard reading.mayHaveRoutes else { return try reader.read(source) }
            let bytes = KeptSource(source)
            try reader.read(bytes)
            try reading.storeRoutes(of: bytes.kept)
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
        case .plt:
            var reader = PLTReader(reading)
            try reader.read(source)
        case .polarsteps:
            var reader = PolarstepsReader(reading)
            try reader.read(source)
        case .homeassistant:
            var reader = PositionListReader<HomeAssistantStates>(reading)
            try reader.read(source)
        case .geopulse:
            var reader = PositionListReader<GeoPulsePoints>(reading)
            try reader.read(source)
        case .traccar:
            var reader = PositionListReader<TraccarPositions>(reading)
            try reader.read(source)
        case .samsung:
            var reader = PositionListReader<SamsungLocations>(reading)
            try reader.read(source)
        case .polar:
            var reader = PolarReader(reading)
            try reader.read(source)
        case .suunto where source.head.first { $0 > 0x20 } == UInt8(ascii: "<"):
            var reader = try SuuntoXMLReader(reading)
            try reader.read(source)
        case .suunto:
            var reader = SuuntoReader(reading)
            try reader.read(source)
        case .arc:
            var reader = ArcReader(reading)
            try reader.read(source)
        case .huawei:
            try HuaweiReader(reading).read(source)
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

/// The format of a file, detected from its first bytes.
enum DetectedFormat: Equatable {
    case format(TrackFormat)
    /// Not supported; with a description, if there is one.
    case unknown(String?)

    /// The description of XML of OpenStreetMap.
    static let openStreetMap = "a map of OpenStreetMap"

    /// Number of bytes examined: enough for long comments before an XML root or a CSV header.
    static let headSize = 64 * 1024

    /// Detects the format from the first bytes of a file, after decompression.
    init(_ head: [UInt8]) {
        if FITReader.recognises(head) {
            self = .format(.fit)
            return
        }
        if let binary = Self.binary(head) {
            self = binary
            return
        }
        // U+001E begins each text of RFC 8142.
        let text = head.first == 0x1E ? Array(head.dropFirst()) : head
        guard let first = text.first(where: { $0 > 0x20 }) else {
            self = .unknown(nil)
            return
        }
        switch first {
        case UInt8(ascii: "<"): self = Self.xml(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = Self.json(text)
        default: self = Self.columns(text)
        }
    }

    /// Formats with a binary signature.
    private static func binary(_ head: [UInt8]) -> DetectedFormat? {
        guard GPSLogDatabase.isDatabase(head) else { return nil }
        return GPSLogDatabase.recognises(head) ? .format(.gpslog) : .unknown("an unknown SQLite database")
    }

    /// Decides by the root element.
    private static func xml(_ text: [UInt8]) -> DetectedFormat {
        switch rootElement(text) {
        case "gpx"?: .format(.gpx)
        case "TrainingCenterDatabase"?: .format(.tcx)
        case "kml"?: .format(.kml)
        case SuuntoXMLReader.element?: .format(.suunto)
        case GPSLogXML.element?: .format(.gpslog)
        case _ where GPSLogXML.recognises(text): .format(.gpslog)
        case "html"?: .unknown("a web page")
        case "osm"?: .unknown(openStreetMap)
        case let root?: .unknown("XML with the root element '\(root)'")
        case nil: .unknown("XML without a root element")
        }
    }

    private static func rootElement(_ text: [UInt8]) -> String? {
        var at = 0
        while let open = text[at...].firstIndex(of: UInt8(ascii: "<")), open + 1 < text.count {
            let rest = text[(open + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = end(of: "-->", in: text, from: open + 4) else { return nil }
                at = end
            } else if rest.starts(with: "?".utf8) {
                guard let end = end(of: "?>", in: text, from: open + 2) else { return nil }
                at = end
            } else if rest.starts(with: "!".utf8) {
                // A document type declaration names the root, so its end is not needed.
                return doctypeRoot(rest) ?? nil
            } else {
                return localName(rest)
            }
        }
        return nil
    }

    private static func doctypeRoot(_ rest: ArraySlice<UInt8>) -> String? {
        guard rest.starts(with: "!DOCTYPE".utf8) else { return nil }
        return localName(rest.dropFirst("!DOCTYPE".count).drop { $0 <= 0x20 })
    }

    private static func localName(_ bytes: ArraySlice<UInt8>) -> String? {
        let ends = Array(" \t\r\n/>[".utf8)
        let name = bytes.prefix { !ends.contains($0) }.prefix(256)
        let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last ?? []
        return local.isEmpty ? nil : ByteText.string(Array(local))
    }

    private static func end(of terminator: String, in text: [UInt8], from start: Int) -> Int? {
        let bytes = Array(terminator.utf8)
        guard start < text.count else { return nil }
        var at = start
        while let found = text[at...].firstIndex(of: bytes[0]) {
            if text[found...].starts(with: bytes) { return found + bytes.count }
            at = found + 1
        }
        return nil
    }

    /// GeoJSON is recognised by its type names, other formats by their member names.
    private static func json(_ text: [UInt8]) -> DetectedFormat {
        var at = 0
        var names: [String] = []
        while let quote = text[at...].firstIndex(of: UInt8(ascii: "\"")) {
            let word = text[(quote + 1)...].prefix { $0 != UInt8(ascii: "\"") }
            if word.starts(with: TextLimit.activityPrefix.utf8) { return .format(.huawei) }
            if word.count <= 40 {
                let name = String(decoding: word, as: UTF8.self)
                if geoJSONTypes.contains(name) { return .format(.geojson) }
                if GoogleReader.names.contains(name) { return .format(.google) }
                if name == "_type" { return .format(.owntracks) }
                let following = text[word.endIndex...].dropFirst().first { $0 > 0x20 }
                if following == UInt8(ascii: ":") { names.append(name) }
            }
            at = quote + 1
        }
        return ServiceFormat.recognising(names).map { .format($0) } ?? .unknown("unknown JSON")
    }

    private static let geoJSONTypes: Set<String> = [
        "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon",
        "MultiPolygon",
        "GeometryCollection", "MovingPoint", "MovingGeometryCollection",
    ]

    private static func columns(_ text: [UInt8]) -> DetectedFormat {
        if NMEAReader.recognises(text) { return .format(.nmea) }
        if OwnTracksReader.recognises(text) { return .format(.owntracks) }
        if IGCReader.recognises(text) { return .format(.igc) }
        if PLTReader.recognises(text) { return .format(.plt) }
        // CSV is the last: the lines of the others have separators, too.
        guard CSVHeader.hasOnlyPaddingNULs(text) else { return .unknown("binary data") }
        return CSVHeader(head: text) == nil ? .unknown(CSVHeader.looksLikeColumns(text)) : .format(.csv)
    }
}
