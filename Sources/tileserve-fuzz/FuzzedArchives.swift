import Files
import TileArchive
import TileMath
import VectorTiles

/// Archives of tiles: PMTiles and MBTiles.
enum FuzzedArchives {
    private static let tiles: [TileCoordinate] = [(0, 0, 0), (1, 0, 1), (3, 0, 7), (14, 8500, 5700), (22, 1, 1)]
        .compactMap {
            place in ZoomLevel(place.0).flatMap { TileCoordinate(zoom: $0, x: place.1, y: place.2) }
        }

    /// Any bytes are an archive or none; what it gives has the limits of tiles.
    static func read(_ bytes: [UInt8]) {
        if bytes.starts(with: "PMTiles".utf8) {
            use { try PMTilesReader(BytesInMemory(bytes), name: "archive") }
        } else if let folder, (try? AtomicFile.write(bytes, to: folder.path + "/archive", durability: .cached)) != nil {
            use { try TileArchives.open(folder.path + "/archive") }
        }
    }

    private static let folder = try? TemporaryFolder()

    private static func use(_ open: () throws -> any TileArchiveReader) {
        let archive: any TileArchiveReader
        do { archive = try open() } catch {
            precondition(error is ArchiveError, "an error that is not one of archives: \(error)")
            precondition(!"\(error)".contains("\n"), "a line feed in an error")
            return
        }
        let about = archive.description
        precondition(about.zooms.lowerBound >= 0 && about.zooms.upperBound <= 22, "a zoom level that does not exist")
        for tile in tiles {
            do {
                guard let stored = try archive.tile(tile) else { continue }
                precondition(stored.bytes.count <= StoredTile.byteLimit, "a tile above the limit")
                precondition(!stored.isGzipped || !about.format.isRaster, "a compressed picture")
                if about.format == .mvt, !stored.isGzipped { readVectors(stored.bytes) }
            } catch {
                precondition(error is ArchiveError, "an error that is not one of archives: \(error)")
            }
        }
    }

    /// Any bytes are a vector tile or none.
    static func readVectors(_ bytes: [UInt8]) {
        do {
            let tile = try VectorTileReader(bytes)
            var shape = VectorShape()
            for name in tile.layerNames {
                guard let layer = try tile.layer(name) else { continue }
                for feature in layer.features {
                    layer.read(feature, into: &shape)
                    precondition(shape.places.count <= bytes.count, "more places than bytes")
                    layer.forEachAttribute(of: feature) { key, value in
                        precondition(layer.keys.indices.contains(key) && layer.values.indices.contains(value), "a tag")
                    }
                }
            }
        } catch {
            precondition(!"\(error)".contains("\n"), "a line feed in an error")
        }
    }
}
