public import Text
import TileMath

/// Reads the parts of `geography.bin` in order.
struct GeographyReader {
    private static let signature = Array("TSGEO\u{1}".utf8)
    /// The smallest units of longitude and latitude in a degree.
    private static let unitsPerDegree = 10_000.0
    private static let worldUnits = 3_600_000.0

    private var table: TableReader
    private(set) var vertices = MapVertices()
    /// Whether vertices and lines get what only maps need: `x`, `y`, levels and bounds.
    private let isProjecting: Bool

    init(_ bytes: [UInt8], isProjecting: Bool = true) {
        table = TableReader(bytes)
        self.isProjecting = isProjecting
        // Three bytes are the least that a vertex takes.
        vertices.longitudes.reserveCapacity(bytes.count / 3)
        vertices.latitudes.reserveCapacity(bytes.count / 3)
        guard isProjecting else { return }
        vertices.levels.reserveCapacity(bytes.count / 3)
        vertices.x.reserveCapacity(bytes.count / 3)
        vertices.y.reserveCapacity(bytes.count / 3)
    }

    mutating func readSignature() throws(TableError) {
        try table.readSignature(Self.signature)
    }

    mutating func expectEnd() throws(TableError) {
        try table.expectEnd()
    }

    mutating func readCountries() throws(TableError) -> [Geography.Country] {
        try readList { reader throws(TableError) in
            let code = try reader.table.text()
            let longCode = try reader.table.text()
            let name = try reader.table.text()
            // The continent, which is not used.
            _ = try reader.table.text()
            let isDisputed = try reader.table.flag()
            let center = try reader.place()
            let radius = try reader.table.number(below: 3_600_001)
            return Geography.Country(
                code: code, longCode: longCode, name: name, isDisputed: isDisputed,
                center: center, radius: Double(radius) / Self.worldUnits)
        }
    }

    mutating func readArcs(countries: Int) throws(TableError) -> [Geography.Arc] {
        try readList { reader throws(TableError) in
            let left = try reader.table.number(below: countries + 1)
            let right = try reader.table.number(below: countries + 1)
            let isMapEdge = try reader.table.flag()
            let line = try reader.line()
            return Geography.Arc(
                left: left == 0 ? nil : left - 1, right: right == 0 ? nil : right - 1, isMapEdge: isMapEdge, line: line)
        }
    }

    mutating func readRings(countries: Int, arcs: [Geography.Arc]) throws(TableError) -> [Geography.Ring] {
        try readList { reader throws(TableError) in
            let country = try reader.table.number(below: countries)
            var bounds = MapBounds()
            let used = try reader.readList { reader throws(TableError) in
                let code = try reader.table.number(below: 2 * arcs.count)
                return (index: code >> 1, isReversed: code & 1 == 1)
            }
            for (index, _) in used { bounds.formUnion(arcs[index].line.bounds) }
            return Geography.Ring(country: country, arcs: used, bounds: bounds)
        }
    }

    mutating func readWaters() throws(TableError) -> [Geography.Water] {
        try readList { reader throws(TableError) in
            let rank = try reader.table.number(below: 100)
            return Geography.Water(rank: rank, line: try reader.line())
        }
    }

    mutating func readTowns() throws(TableError) -> [Geography.Town] {
        try readList { reader throws(TableError) in
            let zoom = try reader.table.number(below: 1000)
            let population = try reader.table.number(below: 1 << 40)
            let name = try reader.table.text()
            let place = try reader.place()
            return Geography.Town(
                name: name, place: place, firstZoomTimesTen: zoom, population: population,
                isCapital: try reader.table.flag())
        }
    }

    private mutating func readList<Element>(
        _ element: (inout GeographyReader) throws(TableError) -> Element
    ) throws(TableError) -> [Element] {
        let count = try table.count()
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    private mutating func line() throws(TableError) -> MapLine {
        let count = try table.count()
        // Moved out of the struct, and read with a position of its own: most of the file is vertices.
        var vertices = self.vertices
        self.vertices = MapVertices()
        defer { self.vertices = vertices }
        let start = vertices.longitudes.count
        var bounds = MapBounds()
        var (longitude, latitude): (Int64, Int64) = (0, 0)
        let bytes = table.bytes
        let span = bytes.span
        var next = table.position
        do {
            for _ in 0..<count {
                let code = try Varint.read(span, &next, end: bytes.count)
                longitude &+= Varint.unzigzag(code >> 4)
                latitude &+= Varint.unzigzag(try Varint.read(span, &next, end: bytes.count))
                guard Self.longitudes.contains(longitude), Self.latitudes.contains(latitude) else {
                    throw TableError.damaged(offset: next)
                }
                vertices.longitudes.append(Int32(truncatingIfNeeded: longitude))
                vertices.latitudes.append(Int32(truncatingIfNeeded: latitude))
                guard isProjecting else { continue }
                let place = try projected(longitude, latitude)
                let (x, y) = (Float(place.x), Float(place.y))
                vertices.x.append(x)
                vertices.y.append(y)
                vertices.levels.append(UInt8(code & 15))
                bounds.add(x: x, y: y)
            }
        } catch {
            throw error as? TableError ?? .damaged(offset: next)
        }
        table.position = next
        return MapLine(range: start..<vertices.longitudes.count, bounds: bounds)
    }

    /// In the smallest units.
    private static let longitudes: ClosedRange<Int64> = -1_800_000...1_800_000
    private static let latitudes: ClosedRange<Int64> = -900_000...900_000

    private mutating func place() throws(TableError) -> MapVertex {
        let longitude = Varint.unzigzag(try table.unsigned())
        return try projected(longitude, Varint.unzigzag(try table.unsigned()))
    }

    private func projected(_ longitude: Int64, _ latitude: Int64) throws(TableError) -> MapVertex {
        guard
            let place = GeoPoint(
                longitude: Double(longitude) / Self.unitsPerDegree, latitude: Double(latitude) / Self.unitsPerDegree)
        else { throw .damaged(offset: table.position) }
        return MapVertex(place)
    }
}

extension Geography {
    /// Reads the layout that `GEOGRAPHY.md` describes.
    public init(_ bytes: [UInt8]) throws(TableError) {
        var reader = GeographyReader(bytes)
        try reader.readSignature()
        countries = try reader.readCountries()
        arcs = try reader.readArcs(countries: countries.count)
        rings = try reader.readRings(countries: countries.count, arcs: arcs)
        lakes = try reader.readWaters()
        rivers = try reader.readWaters()
        towns = try reader.readTowns()
        try reader.expectEnd()
        vertices = reader.vertices
    }
}
