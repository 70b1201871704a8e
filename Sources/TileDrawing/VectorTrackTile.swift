package import Digest
import GridStorage
import HeatGrid
import LineGrid
import PrimaryStore
import Text
import TileLog
import TileMath
import TileRendering
import TrackStore
import VectorTiles

/// A vector tile with the lines of tracks.
package struct VectorTrackTile: Sendable {
    /// The digest of everything that the tile reads.
    package let digest: ContentDigest
    /// The tile; empty if no line is in it.
    package let bytes: [UInt8]
    /// The number of features: what a track has in the tile on one day.
    package let features: Int
    /// Whether lines were left out, because the tile would be larger than `VectorTile.byteLimit`.
    package let isThinned: Bool
    package let timing: TileTiming

    /// The attributes of features, with what they are, for TileJSON.
    package static let fields = [
        ("id", "String: the id of the track"), ("activity", "String: the activity, or none"),
        ("start", "Number: the time of the track's first point in milliseconds since 1970, or none"),
        ("day", "String: the day of this part of the track in the time zone of the library, as 2024-05-01, or none"),
        ("person", "String: the name of the person, none for the owner"),
    ]
    package static let layerName = VectorTrackEncoder.layerName
    /// Must be incremented with every change that makes other bytes of the same lines.
    static let encoderVersion = 1
}

extension TileRenderer {
    /// A vector tile with the lines that the pictures of styles of lines show for the same request; nil if `isKnown` returns
    /// true for the digest of everything that it reads. Neither style nor size matter.
    package func vectorTile(
        _ request: TileRequest, unless isKnown: (ContentDigest) throws -> Bool
    ) throws -> VectorTrackTile? {
        let start = ContinuousClock.now
        let layout = LineTileLayout.lines(of: request.tile, scale: .single)
        let found = try library.grid.read { reader -> VectorTileInputs? in
            try reader.prefetch(vectorPrefetch(layout))
            let gridSnapshot = try gridSnapshot(reader)
            let fragments = try fragments(of: request.selection, gridSnapshot, reader)
            let content = try LinePlan.content(layout, fragments, reader)
            let digest = Self.vectorDigest(request, layout, content, fragments)
            if try isKnown(digest) { return nil }
            var inputs = VectorTileInputs(digest: digest, lines: TileLines(), gridSnapshot: gridSnapshot)
            guard content != 0 else { return inputs }
            let filter = fragments.query(fragments.days.whole).filter
            let sample = try sample(layout, fragments, filter, reader)
            inputs.isSample = sample != nil
            inputs.lines = try lines(layout, content: content, fragments, sample ?? filter, reader)
            return inputs
        }
        // The transaction has ended: what follows reads the primary store.
        guard let found else { return nil }
        var timing = TileTiming(grid: ContinuousClock.now.milliseconds(since: start))
        let drawing = ContinuousClock.now
        let numbers = Set(found.lines.fragments.map(\.track))
        let identities = try trackIdentities.identities(of: numbers, found.gridSnapshot, in: library)
        let encoder = VectorTrackEncoder(
            found.lines, LineUnits(request.tile, layout), found.gridSnapshot, identities)
        let encoded = encoder.layer()
        timing.draw = ContinuousClock.now.milliseconds(since: drawing)
        let encoding = ContinuousClock.now
        let bytes = VectorTile.bytes(of: [encoded.layer])
        timing.encode = ContinuousClock.now.milliseconds(since: encoding)
        return VectorTrackTile(
            digest: found.digest, bytes: bytes, features: encoded.layer.count,
            isThinned: encoded.isThinned || found.isSample, timing: timing)
    }

    private func vectorPrefetch(_ layout: LineTileLayout) -> GridPrefetch {
        var prefetch = GridPrefetch()
        prefetch.lines = [layout.sourceTile].compactMap { TileKey($0) }
        return prefetch
    }

    /// A filter that lets so many tracks pass as can be read in some milliseconds, chosen by their digests; nil if all can.
    ///
    /// A tile with more has many more lines than fit into a vector tile anyway.
    private func sample(
        _ layout: LineTileLayout, _ fragments: SelectedFragments, _ filter: FragmentFilter, _ reader: GridReader
    ) throws -> FragmentFilter? {
        guard layout.source == .log, case .all = filter, let key = TileKey(layout.sourceTile) else { return nil }
        let bytes = try reader.lineBytes(of: key, window: fragments.query(fragments.days.whole).window)
        guard bytes > Self.sampledBytes else { return nil }
        let share = UInt64(Double(UInt64.max) * Double(Self.sampledBytes) / Double(bytes))
        return .tracks(TrackSet(fragments.gridSnapshot.tracks.numbers { SplitMix64.mixed($0) <= share }))
    }

    /// Bytes of stored lines, of which a vertex has about four and takes 10 ns to decode.
    private static let sampledBytes = 1 << 20

    private static func vectorDigest(
        _ request: TileRequest, _ layout: LineTileLayout, _ content: UInt64, _ fragments: SelectedFragments
    ) -> ContentDigest {
        var digester = Digester()
        digester.update("vector tile of tracks")
        digester.update(VectorTrackTile.encoderVersion)
        for number in [request.tile.zoom.number, request.tile.x, request.tile.y] { digester.update(number) }
        digester.update(content)
        digester.update(request.layer)
        fragments.update(&digester)
        fragments.days.update(&digester)
        digester.update(fragments.gridSnapshot.state.fingerprint)
        return digester.finish()
    }
}

/// What a vector tile is made from.
private struct VectorTileInputs {
    let digest: ContentDigest
    var lines: TileLines
    let gridSnapshot: GridSnapshot
    /// Whether the lines are those of a part of the tracks only.
    var isSample = false
}
