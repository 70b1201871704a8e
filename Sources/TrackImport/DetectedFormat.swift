/// The format of a file, detected from its first bytes.
enum DetectedFormat: Equatable {
    case format(TrackFormat)
    /// Not supported; with a description, if there is one.
    case unknown(String?)

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
        case GPSLogXML.element?: .format(.gpslog)
        case _ where GPSLogXML.recognises(text): .format(.gpslog)
        case "html"?: .unknown("a web page")
        case let root?: .unknown("XML with the root element “\(root)”")
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
        return local.isEmpty ? nil : Text.string(Array(local))
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
        if PolarstepsReader.recognises(names) { return .format(.polarsteps) }
        return .unknown("unknown JSON")
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
        guard !text.contains(0) else { return .unknown("binary data") }
        return CSVHeader(head: text) == nil ? .unknown(CSVHeader.looksLikeColumns(text)) : .format(.csv)
    }
}
