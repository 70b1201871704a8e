import Digest
import HeatGrid
import LineGrid
import Styling
import TileLog
import TileMath
import TileRendering
import TrackStore

/// What of a picture lies over its heat, known before anything is read but digests.
struct LinePlan {
    /// Lines or dots, and the digest of their ground's lines.
    struct Layer<Look: Sendable>: Sendable {
        var recipe: LineRecipe
        var look: Look
        var content: UInt64
    }

    private(set) var lines: Layer<LineSymbolizer>?
    private(set) var dots: Layer<PointSymbolizer>?
    /// Whether the ways of the tracks named are marked.
    let hasMarks: Bool
    /// The digest of the lines that marks lie on.
    private let marked: UInt64

    /// What a style draws of a tile; nil where that is no line, no dot and no mark.
    init?(_ request: TileRequest, _ style: Style, _ parts: SelectedFragments, _ reader: GridReader) throws {
        hasMarks = request.hasMarks
        marked = hasMarks ? try Self.content(request.lineRecipe, parts, reader) : 0
        if let look = style.lines {
            let recipe = request.lineRecipe
            lines = Layer(recipe: recipe, look: look, content: try Self.content(recipe, parts, reader))
        }
        if let look = style.dots, look.isShown(at: request.tile.zoom) {
            let recipe = request.dotRecipe
            dots = Layer(recipe: recipe, look: look, content: try Self.content(recipe, parts, reader))
        }
        guard lines != nil || dots != nil || hasMarks else { return nil }
    }

    private static func content(
        _ recipe: LineRecipe, _ parts: SelectedFragments, _ reader: GridReader
    ) throws -> UInt64 {
        try TileKey(recipe.ground).map { try parts.edition.lineDigest(of: $0, layer: parts.layer, reader) } ?? 0
    }

    /// Whether the grid knows of nothing there.
    var isEmpty: Bool { (lines?.content ?? 0) == 0 && (dots?.content ?? 0) == 0 && marked == 0 }

    /// Adds what the picture's digest must say of lines and dots.
    func update(_ digester: inout Digester, _ edition: GridSnapshot) {
        if let lines {
            digester.update(lines.recipe.digest(content: lines.content, look: lines.look.digest))
            if case .age = lines.look.coloring {
                digester.update(Int64(edition.ages?.days.lowerBound ?? .min))
                digester.update(Int64(edition.ages?.days.upperBound ?? .max))
            }
        }
        if hasMarks {
            // Where they stand say the tracks, whose digests are told elsewhere.
            digester.update("marks")
            digester.update(LineRecipe.encoderVersion)
        }
        if let dots { digester.update(dots.recipe.digest(content: dots.content, look: dots.look.digest)) }
    }
}

extension GridSnapshot {
    /// The digest of what a picture in a layer reads of a tile's lines; 0 for nothing. As with counts, it is that of the
    /// layer's parts where names and tags say which these are.
    func lineDigest(of tile: TileKey, layer: Layer, _ reader: GridReader) throws -> UInt64 {
        switch layer.kind {
        case .all, .activity, .inbox: return try reader.lineDigest(of: tile, tracks: tracks)
        case .condition:
            var found = TileLines()
            let filter = question(layer: layer.number, window: .allTime).filter
            try reader.lines(of: tile, window: .allTime, filter: filter, into: &found)
            return found.parts.reduce(0) { sum, part in
                sum &+ tracks.partDigest(FragmentOrder(day: part.day, person: 0, track: part.track))
            }
        }
    }

    /// The rank of each part where a look colours by activity or by age; empty where it does not.
    func ranks(of parts: [TileLines.Part], _ look: LineSymbolizer) -> [UInt8] {
        switch look.coloring {
        case .activity:
            let ranks = (0...UInt8.max).map { UInt8(look.rank(activity: activityNames[$0])) }
            return parts.map { ranks[Int(tracks.activity(of: $0.track))] }
        case .age:
            return parts.map { part in
                guard part.day != FragmentOrder.untimedDay, let ages else { return 0 }
                return UInt8(look.rank(age: ages.fraction(of: part.day)))
            }
        case .fixed, .speed, .elevation, .direction: return []
        }
    }
}

extension TileRequest {
    /// Where the tile's lines come from.
    var lineRecipe: LineRecipe { .lines(of: tile, scale: pictureScale) }
    /// Where the tile's dots come from.
    var dotRecipe: LineRecipe { .dots(of: tile, scale: pictureScale) }

    private var pictureScale: PictureScale { scale == .double ? .two : .one }
}
