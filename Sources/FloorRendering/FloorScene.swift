public import Digest
internal import Locking
internal import TileMath
public import Venues

/// One or several levels of a venue, ready to be drawn at any zoom level: shapes on the map, and names and symbols in their
/// places.
///
/// Depends on the content of the venue only, not on the order of its features.
public struct FloorScene: Sendable {
    /// The zoom levels at which floors are drawn; below them a venue is an outline, see `FloorOverview`.
    public static let zooms = 15...22

    /// Identifies what is drawn: the content of the venue, the levels, the language.
    public let digest: ContentDigest
    /// The box around all of it, without names.
    let box: WorldBox
    /// The outlines of the levels, else of their buildings.
    let outlines: [WorldShape]
    /// In the order of drawing.
    let areas: [FloorArea]
    let wallAreas: [WorldShape]
    let wallLines: [WorldLines]
    let openings: [WorldLines]
    /// Metres in the width of the world, at the venue.
    let worldMetres: Double
    /// Marks in their places, for each of `zooms`: placed when the zoom level is first drawn.
    private let marks: [MadeOnce<[PlacedMark]>]

    /// The marks of a zoom level of `zooms`.
    func marks(zoom: Int) -> [PlacedMark] {
        Self.zooms.contains(zoom) ? marks[zoom - Self.zooms.lowerBound].value : []
    }

    /// Makes the scene of the levels that the plans are of.
    ///
    /// Names are in the language (BCP 47) if the venue has them so, else as `LocalizedText.text(in:)` says. Cost: about
    /// 0.1 ms for a name, and 1 ms for 1,000 corners. Throws if there is no memory to measure texts.
    public init(_ venue: Venue, plans: [LevelPlan], places: VenuePlaces, language: String? = nil) throws {
        let plans = plans.sorted { $0.level < $1.level }
        let shapes = FloorShapes(venue, plans)
        outlines = shapes.outlines
        areas = shapes.areas
        wallAreas = shapes.wallAreas
        wallLines = shapes.wallLines
        openings = shapes.openings
        box = shapes.box
        worldMetres = shapes.worldMetres
        let marks = try FloorMarks.marks(venue, shapes, places, language: language)
        self.marks = Self.zooms.map { zoom in MadeOnce { LabelPlacement.placed(marks, zoom: zoom) } }
        var digester = Digester()
        digester.update("floor scene")
        digester.update(venue.contentDigest)
        digester.update(plans.count)
        for plan in plans { digester.update(venue.levels[plan.level].id.description) }
        digester.update(language ?? "")
        digest = digester.finish()
    }

    /// The language of a venue's names that is meant by a request, so that scenes are kept for these only; nil if it has no
    /// names in that language.
    public static func language(_ requested: String?, of venue: Venue) -> String? {
        guard let requested, !requested.isEmpty else { return nil }
        let known = Set(LocalizedNames.all(venue).flatMap { $0.texts.map(\.language) })
        if known.contains(requested) { return requested }
        let primary = String(requested.prefix { $0 != "-" })
        return known.contains(primary) ? primary : known.filter { $0.hasPrefix(primary + "-") }.min()
    }
}

/// All names of a venue.
private enum LocalizedNames {
    static func all(_ venue: Venue) -> [LocalizedText] {
        var names = venue.units.compactMap(\.name) + venue.amenities.compactMap(\.name)
        names += venue.occupants.compactMap(\.name) + venue.kiosks.compactMap(\.name)
        names += venue.buildings.compactMap(\.name) + [venue.names].compactMap(\.self)
        return names
    }
}
