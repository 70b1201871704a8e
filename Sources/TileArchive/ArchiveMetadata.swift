internal import Text
public import TileMath

/// What a new archive says about its tiles. Zoom levels are those of the tiles that it contains.
public struct ArchiveMetadata: Sendable {
    /// Texts by name, in the order in which they are stored.
    public private(set) var texts: [(name: String, value: String)]
    public var format: TileFormat
    /// Must have an area, and must not cross 180°.
    public var bounds: BoundingBox
    /// The initial position of a map.
    public var center: MapCenter
    /// Pixels along one side of a tile.
    public var tilePixels: Int

    /// Metadata with these texts.
    public init(
        texts: [(name: String, value: String)], format: TileFormat, bounds: BoundingBox, center: MapCenter,
        tilePixels: Int
    ) {
        self.texts = texts
        self.format = format
        self.bounds = bounds
        self.center = center
        self.tilePixels = tilePixels
    }

    /// Names that follow from the tiles.
    private static let computed: Set<String> = [
        "format", "bounds", "minzoom", "maxzoom", "agg_tiles_hash", "scheme", "compression",
    ]
    /// More is not a text about tiles.
    private static let valueLimit = 100_000
    private static let nameLimit = 100

    /// Why a text cannot be set, as the end of a sentence; nil if it can.
    public static func refusal(of name: String, _ value: String) -> String? {
        if name.isEmpty || name.utf8.count > nameLimit || name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            return "the name has to be one line of up to \(nameLimit) bytes"
        }
        if computed.contains(name) { return "\(name) is computed from the tiles" }
        if value.utf8.count > valueLimit { return "the value has more than \(valueLimit) bytes" }
        switch name {
        case "name" where value.isEmpty: return "the name of an archive is not empty"
        case "type" where !["overlay", "baselayer"].contains(value): return "type is overlay or baselayer"
        case "center" where MapCenter(value) == nil:
            return "center is longitude,latitude,zoom, like 8.54,47.37,12"
        case "json":
            guard case .object? = try? JSONReader.value(Array(value.utf8)) else { return "json is a JSON object" }
            return nil
        default: return nil
        }
    }

    /// Sets a text, of which `refusal` has returned nil; one of this name is replaced.
    public mutating func set(_ name: String, _ value: String) {
        if name == "center" {
            if let given = MapCenter(value) { center = given }
        } else if let index = texts.firstIndex(where: { $0.name == name }) {
            texts[index].value = value
        } else {
            texts.append((name, value))
        }
    }
}

/// The initial position of a map.
public struct MapCenter: Sendable, Equatable {
    /// Degrees.
    public var longitude: Double
    /// Degrees.
    public var latitude: Double
    /// The number of a zoom level.
    public var zoom: Int

    public init(longitude: Double, latitude: Double, zoom: Int) {
        self.longitude = longitude
        self.latitude = latitude
        self.zoom = zoom
    }

    /// Parses `longitude,latitude,zoom`; nil for anything else.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            FixedDecimal(String(part.drop { $0 == " " }))?.double
        }
        guard numbers.count == 3, let longitude = numbers[0], let latitude = numbers[1], let zoom = numbers[2],
            abs(longitude) <= 180, abs(latitude) <= 90, (0...Double(ZoomLevel.deepest.number)).contains(zoom)
        else { return nil }
        self.init(longitude: longitude, latitude: latitude, zoom: Int(zoom))
    }

    /// The same with a zoom level of these.
    func limited(to zooms: ClosedRange<Int>) -> MapCenter {
        MapCenter(
            longitude: longitude, latitude: latitude, zoom: min(max(zoom, zooms.lowerBound), zooms.upperBound))
    }
}
