import Digest
import Files
import RequestHandling
import TileArchive
import TileMath

/// The archive that `prerender` writes.
struct PrerenderedArchive {
    let path: String
    let kind: ArchiveKind

    /// Opens the file in which its tiles are collected, beside the archive; a missing folder is created.
    func spool(_ subject: ContentDigest, resumes: Bool) throws -> TileSpool {
        if FileStatus.ifExists(of: path)?.kind == .folder {
            throw Failure(.usage, "\(FileName.shown(path)): it is a folder; choose another name for the archive")
        }
        try Folder.make(FileName.parentFolder(of: path))
        return try TileSpool(path: TileSpool.path(of: path), job: subject, resumes: resumes)
    }

    /// What it says about its tiles, before texts are set.
    func metadata(name: String, about layer: String, _ extent: MapExtent, _ scale: TileScale) -> ArchiveMetadata {
        let tracks = layer == "all" ? "all tracks" : "the layer \(layer)"
        let center = extent.center
        return ArchiveMetadata(
            texts: [
                ("name", name), ("description", "\(name), of \(tracks)"), ("attribution", "tileserve"),
                ("type", "overlay"), ("version", "1"),
            ],
            format: .png, bounds: Self.box(extent.bounds),
            center: MapCenter(longitude: center[0], latitude: center[1], zoom: Int(center[2])),
            tilePixels: scale.side)
    }

    /// A box with an area, within the limits of the map: readers refuse others.
    private static func box(_ edges: [Double]) -> BoundingBox {
        let top = BoundingBox.mercatorLatitude
        var (west, south) = (max(edges[0], -180), min(max(edges[1], -top), top))
        var (east, north) = (min(edges[2], 180), min(max(edges[3], -top), top))
        if west >= east { (west, east) = (max(west - leastDegrees, -180), min(west + leastDegrees, 180)) }
        if south >= north { (south, north) = (max(south - leastDegrees, -top), min(south + leastDegrees, top)) }
        guard let box = BoundingBox(west: west, south: south, east: east, north: north) else {
            preconditionFailure("edges within the map are a box")
        }
        return box
    }

    /// About a metre.
    private static let leastDegrees = 1e-5
}
