internal import Expat
internal import Text
internal import TileMath

/// Reads OpenStreetMap's XML (`.osm`) as GeoJSON features with the tags as properties, as overpass turbo converts it.
///
/// Objects without a tag that a venue could use are left out: railways, boundaries, trees.
struct OSMReader {
    private struct Member {
        let type: String
        let reference: Int64
        let role: String
    }

    private struct Object {
        var kind = Word.node
        var id: Int64 = 0
        var place: GeoPoint?
        var nodes: [Int64] = []
        var members: [Member] = []
        var tags: [(name: String, value: String)] = []
        var isDeleted = false
    }

    /// The names of elements and attributes, by their numbers in `XMLReader`.
    private enum Word: Int, CaseIterable {
        case osm, node, way, relation, nd, member, tag, id, lat, lon, ref, role, type, k, v, visible, action
        var name: String { "\(self)" }
    }

    private var places: [Int64: GeoPoint] = [:]
    private var ways: [Int64: [Int64]] = [:]
    private var objects: [Object] = []
    private var current: Object?
    private var element: Word?
    private var attributes: [Word: String] = [:]
    private var isOSM = false

    private static let chunk = 64 * 1024

    /// The features of a document. Throws `malformed` with the line, and `notAVenue` for other XML.
    static func read(_ bytes: [UInt8]) throws(VenueError) -> [RecordedFeature] {
        guard bytes.count <= VenueLimits.bytes else { throw .tooLarge("\(VenueLimits.bytes >> 20) MiB") }
        var reader = OSMReader()
        try reader.parse(bytes)
        guard reader.isOSM else { throw .notAVenue }
        return try reader.features()
    }

    private mutating func parse(_ bytes: [UInt8]) throws(VenueError) {
        let xml: XMLReader
        do {
            xml = try XMLReader(known: Word.allCases.map(\.name))
        } catch {
            throw .malformed("out of memory")
        }
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.chunk, bytes.count)
            try take(xml.read(Array(bytes[start..<end])))
            start = end
        }
        try take(xml.finish())
    }

    private mutating func take(_ events: XMLEvents) throws(VenueError) {
        for event in events.events {
            let word = event.known.flatMap(Word.init)
            switch event.kind {
            case .start:
                begin()
                element = word
                attributes = [:]
                if word == .osm { isOSM = true }
            case .attribute:
                if let word { attributes[word] = String(decoding: events.bytes[event.range], as: UTF8.self) }
            case .end:
                begin()
                try end(word)
            case .text: continue
            }
        }
        if let failure = events.failure {
            switch failure {
            case .malformed(let reason, let line, _): throw .malformed("line \(line): \(reason)")
            case .tooDeep(_, let line), .tooManyNames(_, let line), .longName(_, let line), .declarations(let line):
                throw .malformed("line \(line): not a plain document")
            case .outOfMemory: throw .malformed("out of memory")
            }
        }
    }

    /// Called when the attributes of the last element are complete.
    private mutating func begin() {
        guard let word = element else { return }
        element = nil
        switch word {
        case .node, .way, .relation:
            var object = Object()
            object.kind = word
            object.id = attributes[.id].flatMap { Int64($0) } ?? 0
            object.isDeleted = attributes[.visible] == "false" || attributes[.action] == "delete"
            if let longitude = attributes[.lon].flatMap({ FixedDecimal($0) }),
                let latitude = attributes[.lat].flatMap({ FixedDecimal($0) })
            {
                object.place = GeoPoint(longitude: longitude.double, latitude: latitude.double)
            }
            current = object
        case .nd: if let node = attributes[.ref].flatMap({ Int64($0) }) { current?.nodes.append(node) }
        case .tag:
            if let key = attributes[.k], let value = attributes[.v] { current?.tags.append((key, value)) }
        case .member:
            if let reference = attributes[.ref].flatMap({ Int64($0) }) {
                current?.members.append(
                    Member(type: attributes[.type] ?? "", reference: reference, role: attributes[.role] ?? ""))
            }
        default: return
        }
    }

    private mutating func end(_ word: Word?) throws(VenueError) {
        guard let word, let object = current, object.kind == word else { return }
        current = nil
        guard !object.isDeleted else { return }
        if object.kind == .node { places[object.id] = object.place }
        if object.kind == .way { ways[object.id] = object.nodes }
        guard places.count <= VenueLimits.points else { throw .tooLarge("\(VenueLimits.points) points") }
        if IndoorTags.isUseful(Dictionary(object.tags, uniquingKeysWith: { one, _ in one })) { objects.append(object) }
    }

    // MARK: Geometry

    private func features() throws(VenueError) -> [RecordedFeature] {
        var features: [RecordedFeature] = []
        for object in objects {
            guard features.count < VenueLimits.features else { throw .tooLarge("\(VenueLimits.features) features") }
            let shape = shape(of: object)
            guard shape != .none else { continue }
            var json = JSONWriter()
            json.object { json in
                json.add("type", "Feature")
                json.add("id", "\(object.kind.name)/\(object.id)")
                json.object("properties") { json in for tag in object.tags { json.add(tag.name, tag.value) } }
                json.key("geometry")
                GeoJSONShape.write(shape, to: &json)
            }
            features.append(
                RecordedFeature(
                    kind: nil, sourceID: "\(object.kind.name)/\(object.id)", shape: shape,
                    properties: object.tags.map { ($0.name, .text($0.value)) }, json: json.bytes))
        }
        return features
    }

    private func shape(of object: Object) -> GeoShape {
        switch object.kind {
        case .node: return object.place.map { .points([$0]) } ?? .none
        case .way:
            let line = object.nodes.compactMap { places[$0] }
            let tags = Dictionary(object.tags, uniquingKeysWith: { one, _ in one })
            let isClosed = object.nodes.count > 3 && object.nodes.first == object.nodes.last
            if isClosed, IndoorTags.isArea(tags) {
                let ring = GeoJSONShape.ring(of: line)
                return ring.count >= 3 ? .polygons([[ring]]) : .none
            }
            return line.count >= 2 ? .lines([line]) : .none
        default: return multipolygon(object)
        }
    }

    /// The polygons of a `multipolygon`: the ways of each role joined to rings.
    private func multipolygon(_ object: Object) -> GeoShape {
        guard object.tags.contains(where: { $0.name == "type" && $0.value == "multipolygon" }) else { return .none }
        func rings(_ role: (String) -> Bool) -> [[GeoPoint]] {
            let parts = object.members.filter { $0.type == "way" && role($0.role) }.compactMap { ways[$0.reference] }
            return Self.joined(parts).map { GeoJSONShape.ring(of: $0.compactMap { places[$0] }) }.filter {
                $0.count >= 3
            }
        }
        let shells = rings { $0 != "inner" }
        guard let first = shells.first else { return .none }
        let frame = LocalFrame(centre: first[0])
        var polygons = shells.map { [$0] }
        for hole in rings({ $0 == "inner" }) {
            // A hole belongs to the shell around it.
            let owner = shells.firstIndex { shell in
                PlaneMath.contains([shell.map(frame.local)], frame.local(hole[0]))
            }
            polygons[owner ?? 0].append(hole)
        }
        return .polygons(polygons)
    }

    /// Ways that meet at their ends, as closed rings of nodes; what does not close is left out.
    private static func joined(_ parts: [[Int64]]) -> [[Int64]] {
        var rest = parts.filter { $0.count >= 2 }
        var rings: [[Int64]] = []
        while var ring = rest.popLast() {
            while ring.first != ring.last {
                guard let index = rest.firstIndex(where: { $0.first == ring.last || $0.last == ring.last }) else {
                    break
                }
                let next = rest.remove(at: index)
                ring += next.first == ring.last ? next.dropFirst() : next.reversed().dropFirst()
            }
            if ring.first == ring.last, ring.count > 3 { rings.append(ring) }
        }
        return rings
    }
}
