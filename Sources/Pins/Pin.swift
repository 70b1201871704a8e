internal import Digest

/// Where a pin came from.
public enum PinSource: String, Sendable, CaseIterable {
    /// A waypoint of a file: GPX `wpt`, KML point, GeoJSON point, course point.
    case waypoint
    /// A waypoint of a recording: a point that its user marked.
    case recordedWaypoint = "mark"
    /// A photo.
    case photo
    /// Placed by hand.
    case hand
}

/// How the place of a pin was found.
public enum PinLocating: String, Sendable, CaseIterable {
    /// By the receiver that recorded it, or as written in its file.
    case recorded
    /// From the metadata of a photo.
    case exif
    /// From the time of a photo and the tracks.
    case track
    /// By hand.
    case hand
}

/// Who may read the content of a pin. Its place is visible to everybody who may see the map.
public enum PinVisibility: String, Sendable, CaseIterable {
    /// Everybody who may see the map.
    case open
    /// Persons who are there now, according to their recorded points.
    case here
    /// Persons whose tracks came there.
    case been
}

/// A place on Earth in units of 1e-7°.
public struct PinPlace: Hashable, Sendable {
    /// From -180° up to, but excluding, 180°.
    public let longitude: Int32
    /// From -90° to 90°.
    public let latitude: Int32

    private static let halfTurn: Int64 = 1_800_000_000
    private static let quarterTurn: Int64 = 900_000_000

    /// Creates a place from units of 1e-7°; nil if a coordinate is out of range. The longitude 180° becomes -180°, which is the same place.
    public init?(e7Longitude longitude: Int64, latitude: Int64) {
        guard (-Self.halfTurn...Self.halfTurn).contains(longitude),
            (-Self.quarterTurn...Self.quarterTurn).contains(latitude)
        else { return nil }
        self.longitude = Int32(longitude == Self.halfTurn ? -longitude : longitude)
        self.latitude = Int32(latitude)
    }

    /// The nearest place to a longitude and a latitude in degrees; nil if one is out of range or not a number.
    public init?(longitude: Double, latitude: Double) {
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        self.init(
            e7Longitude: Int64((longitude * 1e7).rounded()), latitude: Int64((latitude * 1e7).rounded()))
    }

    /// Longitude and latitude in degrees.
    public var degrees: (longitude: Double, latitude: Double) { (Double(longitude) / 1e7, Double(latitude) / 1e7) }
}

/// A place with content.
public struct Pin: Sendable, Equatable {
    public var id: PinID
    public var place: PinPlace
    /// Milliseconds since 1970; nil if unknown.
    public var time: Int64?
    /// The author; nil for the library's owner.
    public var person: String?
    /// The category that was set; nil for that of its file.
    public var ownCategory: String?
    /// The caption that was set; nil for that of its file.
    public var ownCaption: String?
    public var source: PinSource
    public var located: PinLocating
    /// The digest of its photo; nil if the library has no picture of it.
    public var photo: String?
    /// When it is no longer shown, in milliseconds since 1970; nil for never.
    public var expires: Int64?
    public var visibility: PinVisibility
    /// When it was stored first, in milliseconds since 1970.
    public var created: Int64
    /// What its file says, by the names of `PinAttribute` and others.
    public var attributes: [String: String]
    /// The number of persons who voted for it.
    public var score = 0
    /// The number of comments.
    public var comments = 0
    /// Whether reports have hidden it.
    public var isHidden = false

    public init(id: PinID, content: PinContent, created: Int64) {
        self.id = id
        place = content.place
        time = content.time
        person = content.person
        ownCategory = content.category
        ownCaption = content.caption
        source = content.source
        located = content.located
        photo = content.photo
        expires = content.expires
        visibility = content.visibility
        self.created = created
        attributes = content.attributes
    }

    /// Its category: the one that was set, else the type or symbol of its file.
    public var category: String? { Self.category(own: ownCategory, attributes) }

    /// The category of a pin with this category of its own, and these attributes.
    public static func category(own: String?, _ attributes: [String: String]) -> String? {
        own ?? (attributes[PinAttribute.type] ?? attributes[PinAttribute.symbol]).flatMap(PinText.category)
    }

    /// Its caption: the one that was set, else the name, description or comment of its file.
    public var caption: String? {
        ownCaption
            ?? [PinAttribute.name, PinAttribute.description, PinAttribute.comment].lazy.compactMap { attributes[$0] }
            .first
            .flatMap(PinText.caption)
    }

    /// Whether it is no longer shown at an instant.
    public func isExpired(at now: Int64) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}

/// The names of the attributes that all formats have.
public enum PinAttribute {
    public static let name = "name"
    public static let comment = "cmt"
    public static let description = "desc"
    public static let symbol = "sym"
    public static let type = "type"
    /// Metres above sea level, as written in the file.
    public static let elevation = "ele"
}

/// What a file or a person gives to make a pin.
public struct PinContent: Sendable, Equatable {
    public var place: PinPlace
    public var time: Int64?
    /// nil for the library's owner.
    public var person: String?
    public var source: PinSource
    public var located: PinLocating
    public var category: String?
    public var caption: String?
    public var photo: String?
    public var expires: Int64?
    public var visibility = PinVisibility.open
    /// What the file says about it.
    public private(set) var attributes: [String: String] = [:]
    /// The id that an export of a library has given.
    public var givenID: PinID?

    public init(_ place: PinPlace, source: PinSource, located: PinLocating) {
        self.place = place
        self.source = source
        self.located = located
    }

    /// Adds an attribute from the file, normalized; later values of the same name, and attributes above the limit, are
    /// left out.
    public mutating func addAttribute(_ name: String, _ text: String) {
        guard attributes.count < PinText.attributeLimit, attributes[name] == nil,
            name.utf8.count <= PinText.attributeNameLimit
        else {
            return
        }
        attributes[name] = name == PinAttribute.name ? PinText.caption(text) : PinText.attribute(text)
    }

    /// The id of the pin: the one given, else a digest of what identifies it in files. The same pin of a file has the
    /// same id in every library and after every import.
    public var id: PinID {
        if let givenID { return givenID }
        var digester = Digester()
        digester.update("pin")
        digester.update(Int64(place.longitude))
        digester.update(Int64(place.latitude))
        digester.update(time ?? .min)
        digester.update(person ?? "")
        digester.update(attributes[PinAttribute.name] ?? "")
        digester.update(source.rawValue)
        return PinID(digester.finish())
    }
}
