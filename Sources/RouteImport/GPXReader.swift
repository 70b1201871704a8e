import Expat
import Journeys
import Text
import TileMath

/// Reads the routes, tracks and waypoints of GPX 1.0 and 1.1; elements are known by their names without prefix.
///
/// rte, trk → line · rtept, trkpt → its points · wpt → place · name, desc, cmt, type, sym → texts · extensions in the
/// namespace of `RouteGPXNames` → what GPX has no element for. Times, heights and everything else are passed over.
struct GPXReader {
    /// The names of elements and attributes, by their numbers in `XMLReader`.
    private enum Word: Int, CaseIterable {
        case gpx, metadata, wpt, rte, rtept, trk, trkseg, trkpt, extensions, name, desc, cmt, type, sym, lat, lon
    }

    private enum Context {
        case document, file, metadata, waypoint, route, routePoint, track, segment, trackPoint, extensions, leaf, other
    }

    private static let chunk = 1 << 18
    /// The longest text that can be used, in bytes: a description.
    private static let textLimit = 64 << 10
    /// Waypoints of a file, and named points of a route: more than a route's places, as they may be of several routes.
    private static let placeLimit = 100_000

    private let xml: XMLReader
    private var document = GPXDocument()
    private var contexts: [Context] = [.document]
    private var line = GPXLine()
    private var place: GPXPlace?
    private var text: [UInt8] = []
    private var isCollecting = false
    private var isOwn = false
    private var ownPrefixes: Set<String> = []
    /// In exports of the program, blanks around texts belong to them.
    private var isExported = false

    private init(_ xml: XMLReader) { self.xml = xml }

    /// The content of a document. Throws `malformed` with the line.
    static func document(_ bytes: [UInt8]) throws(JourneyError) -> GPXDocument {
        let xml: XMLReader
        do { xml = try XMLReader(known: Word.allCases.map { "\($0)" }) } catch { throw .malformed("out of memory") }
        var reader = GPXReader(xml)
        // Before the declaration, XML allows no whitespace, but programs write it.
        var start = ByteOrderMark.length(in: bytes)
        while start < bytes.count, bytes[start] == 0x20 || (0x09...0x0D).contains(bytes[start]) { start += 1 }
        // As tracks are read: many programs write `&` as it is.
        let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        let isUTF8 = !isWide && !XMLDeclaration.namesSingleBytes(Array(bytes[start...].prefix(chunk)))
        if isUTF8 { xml.assumeUTF8() }
        var repairer = XMLRepairer(isUTF8: isUTF8)
        while start < bytes.count {
            let end = min(start + chunk, bytes.count)
            let part = Array(bytes[start..<end])
            try reader.take(xml.read(isWide ? part : repairer.repair(part, isLast: end == bytes.count)))
            start = end
        }
        try reader.take(xml.finish())
        return reader.document
    }

    // MARK: Events

    private mutating func take(_ found: XMLEvents) throws(JourneyError) {
        let events = found.events
        var index = 0
        while index < events.count {
            let event = events[index]
            index += 1
            switch event.kind {
            case .start:
                let first = index
                while index < events.count, events[index].kind == .attribute { index += 1 }
                try begin(event, found, attributes: first..<index)
            case .text:
                guard isCollecting else { continue }
                text += found.bytes[event.range]
                guard text.count <= Self.textLimit else {
                    throw .malformed("line \(found.line(of: event)): the text is longer than \(Self.textLimit) bytes")
                }
            case .end: try end(event, found)
            case .attribute: break
            }
        }
        if let failure = found.failure { throw .malformed(Self.reason(failure)) }
    }

    private static func reason(_ failure: XMLError) -> String {
        switch failure {
        case .malformed(let reason, let line, _): "line \(line): \(reason)"
        case .tooDeep(_, let line), .tooManyNames(_, let line), .longName(_, let line):
            "line \(line): the document is not GPX"
        case .declarations(let line): "line \(line): GPX with declarations of a document type is refused"
        case .outOfMemory: "out of memory"
        }
    }

    private mutating func begin(
        _ event: XMLEvent, _ found: XMLEvents, attributes: Range<Int>
    ) throws(JourneyError) {
        text = []
        isCollecting = false
        isOwn = false
        var (latitude, longitude): (Double?, Double?)
        for attribute in found.events[attributes] {
            switch attribute.known.flatMap(Word.init) {
            case .lat?: latitude = FixedDecimal(found.bytes.span, attribute.range)?.double
            case .lon?: longitude = FixedDecimal(found.bytes.span, attribute.range)?.double
            default: takeAttribute(attribute, found)
            }
        }
        let word = event.known.flatMap(Word.init)
        let context = context(of: word, in: contexts[contexts.count - 1])
        contexts.append(context)
        switch context {
        case .file where contexts.count == 2 && word != .gpx:
            throw .malformed("the XML document is not GPX: it begins with \(xml.localName(event.number))")
        case .waypoint, .routePoint, .trackPoint:
            guard let latitude, let longitude, let point = GeoPoint(longitude: longitude, latitude: latitude) else {
                throw .malformed("line \(found.line(of: event)): a point has to have lat and lon in degrees")
            }
            if context != .waypoint { line.points.append(point) }
            if context != .trackPoint { place = GPXPlace(point) }
        case .route, .track: line = GPXLine()
        case .leaf: isCollecting = true
        case .extensions where contexts[contexts.count - 2] == .extensions:
            isCollecting = true
            isOwn = isOwn || ownPrefixes.contains { xml.qualifiedName(event.number).hasPrefix($0) }
        default: break
        }
    }

    private mutating func takeAttribute(_ attribute: XMLEvent, _ found: XMLEvents) {
        // Only a few elements have others than lat and lon.
        let name = xml.qualifiedName(attribute.number)
        let value = found.bytes[attribute.range]
        if name.hasPrefix("xmlns"), value.elementsEqual(RouteGPXNames.namespace.utf8) {
            if name == "xmlns" { isOwn = true } else { ownPrefixes.insert(name.dropFirst("xmlns:".count) + ":") }
        } else if contexts.count == 1, name == "creator" {
            isExported = value.elementsEqual("tileserve".utf8)
        }
    }

    private func context(of word: Word?, in context: Context) -> Context {
        switch (context, word) {
        // Its name is checked when it is known.
        case (.document, _): .file
        case (.file, .metadata?): .metadata
        case (.file, .wpt?): .waypoint
        case (.file, .rte?): .route
        case (.file, .trk?): .track
        case (.route, .rtept?): .routePoint
        case (.track, .trkseg?): .segment
        // GPX asks for a segment around the points, but programs leave it out.
        case (.segment, .trkpt?), (.track, .trkpt?): .trackPoint
        case (.waypoint, .extensions?), (.route, .extensions?), (.routePoint, .extensions?), (.track, .extensions?),
            (.extensions, _):
            .extensions
        case (.file, .name?), (.metadata, .name?), (.route, .name?), (.track, .name?): .leaf
        case (.waypoint, let word?), (.routePoint, let word?):
            switch word {
            case .name, .desc, .cmt, .type, .sym: .leaf
            default: .other
            }
        default: .other
        }
    }

    private mutating func end(_ event: XMLEvent, _ found: XMLEvents) throws(JourneyError) {
        defer {
            text = []
            isCollecting = false
            isOwn = false
        }
        switch contexts.removeLast() {
        case .leaf: takeText(event.known.flatMap(Word.init))
        case .extensions where isCollecting && isOwn:
            do { try takeOwn(xml.localName(event.number)) } catch {
                throw .malformed("line \(found.line(of: event)): \(error.reason)")
            }
        case .waypoint:
            if let place { document.waypoints.append(place) }
            place = nil
            guard document.waypoints.count <= Self.placeLimit else { throw .placeCount(document.waypoints.count) }
        case .routePoint:
            if let place, place.name != nil { line.places.append(place) }
            place = nil
            guard line.places.count <= Self.placeLimit else { throw .placeCount(line.places.count) }
        case .route: document.routes.append(line)
        case .track: document.tracks.append(line)
        default: break
        }
    }

    // MARK: Texts

    private var string: String? {
        let bytes = text.span
        let range = isExported ? bytes.indices : ByteText.trimmed(bytes, bytes.indices)
        return range.isEmpty ? nil : ByteText.string(bytes, range)
    }

    private mutating func takeText(_ word: Word?) {
        guard let string else { return }
        switch (contexts[contexts.count - 1], word) {
        case (.file, _), (.metadata, _): document.name = string
        case (.route, _), (.track, _): line.name = string
        case (_, .name?): place?.name = string
        case (_, .desc?): place?.description = string
        case (_, .cmt?): place?.comment = string
        case (_, .type?): place?.type = string
        case (_, .sym?): place?.symbol = string
        default: break
        }
    }

    private mutating func takeOwn(_ name: String) throws(JourneyError) {
        guard let string else { return }
        switch name {
        case RouteGPXNames.level: line.level = try Self.whole(name, string)
        case RouteGPXNames.single: line.isSingle = string == "true" || string == "1"
        case RouteGPXNames.place: place?.number = try Self.whole(name, string)
        case RouteGPXNames.seconds: place?.seconds = try Self.whole(name, string)
        case RouteGPXNames.credit: place?.credit = string
        case RouteGPXNames.tag:
            guard place?.tags.count ?? 0 < JourneyLimits.tags else { throw .tags }
            place?.tags.append(string)
        default: break
        }
    }

    private static func whole(_ name: String, _ text: String) throws(JourneyError) -> Int {
        guard let number = Int(text) else { throw .malformed("\(name) has to be a whole number") }
        return number
    }
}
