import Digest
import GridStorage
import HeatGrid
import LineGrid
import Styling
import TileLog
import TileMath
import TileRendering

/// The lines, points and decorations of a picture, planned from digests before any line is read.
struct LinePlan {
    /// Lines or points, and the digest of the lines of their source tile.
    struct Layer<Symbolizer: Sendable>: Sendable {
        var layout: LineTileLayout
        var symbolizer: Symbolizer
        var content: UInt64
    }

    private(set) var lines: Layer<LineSymbolizer>?
    private(set) var points: Layer<PointSymbolizer>?
    /// Whether the tracks named are decorated with arrows and ends.
    let hasDecorations: Bool
    /// The digest of the lines below the decorations.
    private let decoratedContent: UInt64

    /// What a style draws on a tile; nil if it draws neither lines nor points nor decorations.
    init?(_ request: TileRequest, _ style: Style, _ fragments: SelectedFragments, _ reader: GridReader) throws {
        hasDecorations = request.hasDecorations
        decoratedContent = hasDecorations ? try Self.content(request.lineLayout, fragments, reader) : 0
        if let symbolizer = style.lines {
            let layout = request.lineLayout
            lines = Layer(layout: layout, symbolizer: symbolizer, content: try Self.content(layout, fragments, reader))
        }
        if let symbolizer = style.points, symbolizer.isShown(at: request.tile.zoom) {
            let layout = request.pointLayout
            points = Layer(layout: layout, symbolizer: symbolizer, content: try Self.content(layout, fragments, reader))
        }
        guard lines != nil || points != nil || hasDecorations else { return nil }
    }

    /// The digest of what is read of the layout's source tile; 0 if the grid has no lines there.
    static func content(
        _ layout: LineTileLayout, _ fragments: SelectedFragments, _ reader: GridReader
    ) throws -> UInt64 {
        try TileKey(layout.sourceTile).map {
            try fragments.gridSnapshot.lineDigest(of: $0, layer: fragments.layer, reader)
        } ?? 0
    }

    /// Whether the grid has no lines there.
    var isEmpty: Bool { (lines?.content ?? 0) == 0 && (points?.content ?? 0) == 0 && decoratedContent == 0 }

    /// Adds lines, points and decorations to the picture's digest.
    func update(_ digester: inout Digester, _ gridSnapshot: GridSnapshot) {
        if let lines {
            digester.update(lines.layout.digest(content: lines.content, symbolizer: lines.symbolizer.digest))
            if case .age = lines.symbolizer.coloring {
                digester.update(Int64(gridSnapshot.ages?.days.lowerBound ?? .min))
                digester.update(Int64(gridSnapshot.ages?.days.upperBound ?? .max))
            }
        }
        if hasDecorations {
            // Their positions depend on the tracks, whose digests are added by `SelectedFragments`.
            digester.update("marks")
            digester.update(LineTileLayout.decorationVersion)
        }
        if let points {
            digester.update(points.layout.digest(content: points.content, symbolizer: points.symbolizer.digest))
        }
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
            let filter = query(layer: layer.number, window: .allTime).filter
            try reader.lines(of: tile, window: .allTime, filter: filter, into: &found)
            // A sum does not depend on the order of fragments, as the digests of whole tiles do not.
            return found.fragments.reduce(0) { sum, fragment in
                sum &+ tracks.fragmentDigest(FragmentOrder(day: fragment.day, person: 0, track: fragment.track))
            }
        }
    }

    /// The palette rank of each fragment if a symbolizer colours by activity or by age; empty otherwise.
    func ranks(of fragments: [TileLines.Fragment], _ symbolizer: LineSymbolizer) -> [UInt8] {
        switch symbolizer.coloring {
        case .activity:
            let ranks = (0...UInt8.max).map { UInt8(symbolizer.rank(activity: activityNames[$0])) }
            return fragments.map { ranks[Int(tracks.activity(of: $0.track))] }
        case .age:
            return fragments.map { fragment in
                guard fragment.day != FragmentOrder.untimedDay, let ages else { return 0 }
                return UInt8(symbolizer.rank(age: ages.fraction(of: fragment.day)))
            }
        case .fixed, .speed, .elevation, .direction: return []
        }
    }

    /// The rank of each code of the symbolizer's property.
    func codeRank(_ symbolizer: LineSymbolizer) -> @Sendable (UInt16) -> UInt8 {
        switch symbolizer.coloring {
        case .fixed: return { _ in 0 }
        case .activity:
            let ranks = (UInt8(0)..<16).map { UInt8(symbolizer.rank(activity: activityNames[$0])) }
            // Of several activities the one that is drawn last.
            return { code in ranks.indices.lazy.filter { code >> UInt16($0) & 1 != 0 }.map { ranks[$0] }.max() ?? 0 }
        case .age:
            let ages = ages
            return { code in
                guard let ages, let day = LineProperty.day(ofCode: code) else { return 0 }
                return UInt8(symbolizer.rank(age: ages.fraction(of: day)))
            }
        case .speed:
            return { UInt8(symbolizer.rank(metresPerSecond: SpeedCode.metresPerSecond(UInt8(clamping: $0)))) }
        case .elevation:
            return { UInt8(symbolizer.rank(elevation: LineProperty.elevation(ofCode: $0).map(Double.init))) }
        case .direction: return { UInt8(clamping: $0) }
        }
    }
}

extension TileRequest {
    /// The source tile and scale of the tile's lines.
    var lineLayout: LineTileLayout { .lines(of: tile, scale: pictureScale) }
    /// The source tile and scale of the tile's points.
    var pointLayout: LineTileLayout { .points(of: tile, scale: pictureScale) }

    private var pictureScale: TileScale { scale }
}
