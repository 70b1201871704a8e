import Digest
import HeatGrid
import LineGrid
import Styling
import TileLog
import TileMath
import TileRendering
import TrackStore

/// The lines, points and decorations of a picture, planned from digests before any line is read.
struct LinePlan {
    /// Lines or points, and the digest of the lines of their source tile.
    struct Layer<Look: Sendable>: Sendable {
        var recipe: LineRecipe
        var look: Look
        var content: UInt64
    }

    private(set) var lines: Layer<LineSymbolizer>?
    private(set) var dots: Layer<PointSymbolizer>?
    /// Whether the tracks named are decorated with arrows and ends.
    let hasMarks: Bool
    /// The digest of the lines below the decorations.
    private let marked: UInt64

    /// What a style draws on a tile; nil if that is no line, no point and no decoration.
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

    /// Whether the grid has no lines there.
    var isEmpty: Bool { (lines?.content ?? 0) == 0 && (dots?.content ?? 0) == 0 && marked == 0 }

    /// Adds lines, points and decorations to the picture's digest.
    func update(_ digester: inout Digester, _ edition: GridSnapshot) {
        if let lines {
            digester.update(lines.recipe.digest(content: lines.content, look: lines.look.digest))
            if case .age = lines.look.coloring {
                digester.update(Int64(edition.ages?.days.lowerBound ?? .min))
                digester.update(Int64(edition.ages?.days.upperBound ?? .max))
            }
        }
        if hasMarks {
            // Their positions depend on the tracks, whose digests are added by `SelectedFragments`.
            digester.update("marks")
            digester.update(LineRecipe.encoderVersion)
        }
        if let dots { digester.update(dots.recipe.digest(content: dots.content, look: dots.look.digest)) }
    }
}

extension GridSnapshot {
    /// The digest of what a picture of a layer reads from a tile's lines; 0 for nothing. As for counts, it is the
    /// digest of the selected fragments if names and tags define the layer.
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

    /// The palette rank of each fragment if a symbolizer colours by activity or by age; empty otherwise.
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
    /// The source tile and scale of the tile's lines.
    var lineRecipe: LineRecipe { .lines(of: tile, scale: pictureScale) }
    /// The source tile and scale of the tile's points.
    var dotRecipe: LineRecipe { .dots(of: tile, scale: pictureScale) }

    private var pictureScale: TileScale { scale }
}
