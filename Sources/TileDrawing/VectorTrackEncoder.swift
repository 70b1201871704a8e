import LineGrid
import PrimaryStore
import Text
import TileLog
import TileMath
import TileRendering
import VectorTiles

extension LineUnits {
    /// The units of a layout's source tile.
    init(_ tile: TileCoordinate, _ layout: LineTileLayout) {
        let (source, depth) = (layout.sourceTile, tile.zoom.number - layout.sourceTile.zoom.number)
        self.init(
            perSide: layout.unitsPerSide, depth: depth, column: tile.x - source.x << depth,
            row: tile.y - source.y << depth)
    }
}

/// Makes the layer of tracks of a vector tile.
struct VectorTrackEncoder {
    static let layerName = "tracks"

    private let lines: TileLines
    private let units: LineUnits
    private let gridSnapshot: GridSnapshot
    private let identities: [Int64: TrackIdentity]
    /// What tracks have in the tile on one day, the newest first: indices of fragments that become one feature.
    private let parts: [Range<Int>]
    private let order: [Int]
    /// The days as texts.
    private let days: [Int32: String]

    init(
        _ lines: TileLines, _ units: LineUnits, _ gridSnapshot: GridSnapshot, _ identities: [Int64: TrackIdentity]
    ) {
        self.lines = lines
        self.units = units
        self.gridSnapshot = gridSnapshot
        self.identities = identities
        // By day and digest: numbers of tracks follow the order of import, and the same data must give the same bytes.
        let fragments = lines.fragments
        let digests = fragments.map { gridSnapshot.tracks.digest(of: $0.track) }
        let order = fragments.indices.sorted { one, other in
            if fragments[one].day != fragments[other].day { return fragments[one].day > fragments[other].day }
            return digests[one] != digests[other] ? digests[one] < digests[other] : one < other
        }
        var parts: [Range<Int>] = []
        for position in order.indices {
            let fragment = fragments[order[position]]
            if let last = parts.last, fragments[order[last.lowerBound]].day == fragment.day,
                fragments[order[last.lowerBound]].track == fragment.track
            {
                parts[parts.count - 1] = last.lowerBound..<position + 1
            } else {
                parts.append(position..<position + 1)
            }
        }
        self.order = order
        self.parts = parts
        var days: [Int32: String] = [:]
        for part in parts {
            let day = fragments[order[part.lowerBound]].day
            if day != FragmentOrder.untimedDay, days[day] == nil {
                days[day] = InstantFormatter.text(CivilDay(daysSince1970: day))
            }
        }
        self.days = days
    }

    /// The layer, with the newest lines above the others, and whether lines were left out.
    func layer() -> (layer: VectorLayer, isThinned: Bool) {
        if expectedBytes < 2 * VectorTile.byteLimit, let layer = wholeLayer() { return (layer, false) }
        return (thinnedLayer(), true)
    }

    private var expectedBytes: Int { lines.xs.count * Self.bytesPerVertex + parts.count * Self.bytesPerFeature }

    private static let bytesPerVertex = 4
    private static let bytesPerFeature = 60

    /// All features; nil if they are too large.
    private func wholeLayer() -> VectorLayer? {
        var layer = VectorLayer(Self.layerName, isReversed: true)
        var clipper = TileLineClipper()
        for part in parts {
            guard clip(part, &clipper) else { continue }
            guard add(part, clipper, to: &layer) else { return nil }
        }
        return layer
    }

    /// The newest lines that reach, in the pixels of a picture, one that no newer line of the same activity reaches; as many
    /// as fit.
    private func thinnedLayer() -> VectorLayer {
        var layer = VectorLayer(Self.layerName, isReversed: true)
        var clipper = TileLineClipper()
        var coverage = TileCoverage()
        for part in parts {
            guard clip(part, &clipper) else { continue }
            let activity = gridSnapshot.tracks.activity(of: lines.fragments[order[part.lowerBound]].track)
            guard coverage.add(clipper, class: activity) else { continue }
            guard add(part, clipper, to: &layer) else { break }
        }
        return layer
    }

    /// Cuts the lines of a part at the border of the tile; false if nothing is within it.
    private func clip(_ part: Range<Int>, _ clipper: inout TileLineClipper) -> Bool {
        clipper.removeAll()
        let (xs, ys) = (lines.xs.span, lines.ys.span)
        for index in part {
            for run in lines.runs[lines.fragments[order[index]].runs] {
                clipper.addLine(xs: xs.extracting(run), ys: ys.extracting(run), units)
            }
        }
        return !clipper.isEmpty
    }

    /// Adds the feature of a part; false if the tile would be too large.
    private func add(_ part: Range<Int>, _ clipper: TileLineClipper, to layer: inout VectorLayer) -> Bool {
        let fragment = lines.fragments[order[part.lowerBound]]
        // What was removed since the grid was built is not shown any more.
        guard let identity = identities[fragment.track] else { return true }
        var attributes: [(key: String, value: VectorValue)] = [("id", .text(identity.id))]
        if let activity = gridSnapshot.activityNames[gridSnapshot.tracks.activity(of: fragment.track)] {
            attributes.append(("activity", .text(activity)))
        }
        if let start = identity.start { attributes.append(("start", .integer(start))) }
        if let day = days[fragment.day] { attributes.append(("day", .text(day))) }
        if let person = identity.personName { attributes.append(("person", .text(person))) }
        var geometry = VectorGeometry.lines
        for line in clipper.lines { geometry.addLine(line) }
        let id = gridSnapshot.tracks.fragmentDigest(
            FragmentOrder(day: fragment.day, person: 0, track: fragment.track))
        return layer.add(id: id, geometry, attributes, limit: VectorTile.byteLimit)
    }
}
