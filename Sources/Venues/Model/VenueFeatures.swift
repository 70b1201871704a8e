public import TileMath

/// Who may enter.
public enum Access: Sendable, Hashable {
    case open
    /// Not everybody; with the word of the source: `employeesonly`, `restricted`, `private`.
    case restricted(String)

    public var isRestricted: Bool { self != .open }
}

/// A postal address.
public struct VenueAddress: Sendable, Equatable {
    public let id: FeatureID
    /// In one line: street and number, unit, place, province, country, postal code; what is missing is left out.
    public var line = ""

    public init(id: FeatureID) { self.id = id }
}

/// A building of a venue.
public struct Building: Sendable, Equatable {
    public let id: FeatureID
    public var name: LocalizedText?
    public var category = "unspecified"
    public var address: FeatureID?
    /// Its outlines on the ground.
    public var footprint = GeoShape.none

    public init(id: FeatureID) { self.id = id }
}

/// A floor.
public struct Level: Sendable, Equatable {
    public let id: FeatureID
    /// The buildings that have it; several may share one, and a level outdoors has none.
    public var buildings: [FeatureID] = []
    /// 0 is the ground floor. Several levels may have the same.
    public var ordinal = 0
    /// The height in storeys, for the order of levels between two ordinals; the ordinal if the source has no other.
    public var number = 0.0
    public var name: LocalizedText?
    /// As in a lift: `G`, `1`.
    public var shortName: LocalizedText?
    public var outline = GeoShape.none
    public var isOutdoor = false
    public var access = Access.open

    public init(id: FeatureID) { self.id = id }

    /// As in a sentence: the short name, else the name, else the ordinal.
    public var label: String { shortName?.text() ?? name?.text() ?? "\(ordinal)" }
}

/// An area of a level: a room, a corridor, a wall with its thickness.
public struct VenueUnit: Sendable, Equatable {
    public let id: FeatureID
    /// The position of its level in the venue's list.
    public let level: Int
    public var category: UnitCategory
    public var shape: GeoShape
    public var name: LocalizedText?
    public var alternativeName: LocalizedText?
    /// The code on the door (`C-1.06`), if the source has it besides the name.
    public var code: String?
    /// Where its name is drawn; within the unit if the source gives it so.
    public var displayPoint: GeoPoint?
    public var access = Access.open
    /// false if the source says that a wheelchair cannot get in; nil if it says nothing.
    public var isStepFree: Bool?
    /// Seconds for the whole way in it, if the source says so (OpenStreetMap's `duration`).
    public var seconds: Double?
    /// Whether an escalator goes up; nil for other units, and if the source does not say.
    public var isUpwards: Bool?
    /// For units that are one object on several levels (`level=0;1`): the id of the object.
    public var shared: FeatureID?
    /// Facts of occupants that OpenStreetMap has at the room itself.
    public var contact = Contact()

    public init(id: FeatureID, level: Int, category: UnitCategory, shape: GeoShape) {
        self.id = id
        self.level = level
        self.category = category
        self.shape = shape
    }
}

/// Opening hours and how to reach somebody.
public struct Contact: Sendable, Equatable {
    /// In the syntax of OpenStreetMap's `opening_hours`, as IMDF has it, too.
    public var hours: String?
    public var phone: String?
    public var website: String?
    public var address: FeatureID?

    public init() {}
}

/// A door or another way through a wall: a line along the wall.
public struct Opening: Sendable, Equatable {
    public let id: FeatureID
    /// The position of its level in the venue's list.
    public let level: Int
    public var category: String
    public var line: [GeoPoint]
    public var name: LocalizedText?
    public var access = Access.open
    /// What one needs to pass, in IMDF's words: `badgereader`, `ticket`.
    public var accessControl: [String] = []
    /// false if the source says that a wheelchair cannot pass.
    public var isStepFree: Bool?
    /// Whether it leads out of the building, as far as the source says so.
    public var isEntrance = false

    public init(id: FeatureID, level: Int, category: String, line: [GeoPoint]) {
        self.id = id
        self.level = level
        self.category = category
        self.line = line
    }
}

/// A wall that the source has as a line.
public struct WallLine: Sendable, Equatable {
    public let id: FeatureID
    public let level: Int
    public let line: [GeoPoint]

    public init(id: FeatureID, level: Int, line: [GeoPoint]) {
        self.id = id
        self.level = level
        self.line = line
    }
}

/// Something useful at a point: a restroom, a cash machine.
public struct Amenity: Sendable, Equatable {
    public let id: FeatureID
    public var category: String
    public var point: GeoPoint
    public var name: LocalizedText?
    public var alternativeName: LocalizedText?
    public var units: [FeatureID] = []
    /// The position of its level in the venue's list; nil if the source does not say.
    public var level: Int?
    public var contact = Contact()

    public init(id: FeatureID, category: String, point: GeoPoint) {
        self.id = id
        self.category = category
        self.point = point
    }
}

/// Where an occupant or a kiosk is.
public struct Anchor: Sendable, Equatable {
    public let id: FeatureID
    public var point: GeoPoint
    public var unit: FeatureID?
    public var address: FeatureID?

    public init(id: FeatureID, point: GeoPoint) {
        self.id = id
        self.point = point
    }
}

/// A shop or an office in a unit.
public struct Occupant: Sendable, Equatable {
    public let id: FeatureID
    public var category = "unspecified"
    public var name: LocalizedText?
    public var anchor: FeatureID?
    public var contact = Contact()

    public init(id: FeatureID) { self.id = id }
}

/// A stand without walls.
public struct Kiosk: Sendable, Equatable {
    public let id: FeatureID
    public let level: Int
    public var name: LocalizedText?
    public var alternativeName: LocalizedText?
    public var shape: GeoShape
    public var displayPoint: GeoPoint?
    public var anchor: FeatureID?

    public init(id: FeatureID, level: Int, shape: GeoShape) {
        self.id = id
        self.level = level
        self.shape = shape
    }
}

/// A fixture, a section, a geofence or a detail: drawn, and not walked in.
public struct VenueDetail: Sendable, Equatable {
    public let id: FeatureID
    public let kind: FeatureKind
    public var level: Int?
    public var category = "unspecified"
    public var name: LocalizedText?
    public var shape: GeoShape

    public init(id: FeatureID, kind: FeatureKind, shape: GeoShape) {
        self.id = id
        self.kind = kind
        self.shape = shape
    }
}

/// How one gets from one feature to another, IMDF's `relationship`.
public struct Relationship: Sendable, Equatable {
    public let id: FeatureID
    public var category: String
    /// Whether it leads from the origin to the destination only.
    public var isDirected = false
    /// Units or openings: the origin, those between, the destination.
    public var features: [FeatureID] = []

    public init(id: FeatureID, category: String) {
        self.id = id
        self.category = category
    }
}

/// A path outdoors.
public struct Footway: Sendable, Equatable {
    public let id: FeatureID
    public var line: [GeoPoint]
    public var hasSteps = false
    public var access = Access.open

    public init(id: FeatureID, line: [GeoPoint]) {
        self.id = id
        self.line = line
    }
}
