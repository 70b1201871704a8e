import PhotoFiles
import PhotoLocating
import TileMath

/// Photos, videos and sidecars.
enum FuzzedPhotos {
    /// Larger pictures would be slow to decode.
    private static let decodedPixels = 1 << 20

    /// Any bytes have metadata within bounds, or are refused.
    static func read(_ bytes: [UInt8]) {
        _ = PhotoSidecar.isOwn(bytes)
        if let metadata = PhotoSidecar.metadata(bytes) { check(metadata) }
        if let google = GoogleSidecar(bytes) {
            var metadata = PhotoMetadata()
            google.fill(&metadata)
            check(metadata)
        }
        // Any text may be the name of a file.
        let name = String(decoding: bytes.prefix(200), as: UTF8.self)
        _ = GoogleSidecarName.sidecar(of: name, among: ["a.jpg.json": "a.jpg.json"])
        _ = LivePhotos.key(name)
        guard let file = try? PhotoFile(bytes: bytes), let metadata = try? file.metadata() else { return }
        check(metadata)
        let (still, movie) = (
            LivePhotos.File(path: "a.jpg", metadata: metadata, isMovie: false),
            LivePhotos.File(path: "a.mov", metadata: metadata, isMovie: true)
        )
        if LivePhotos.groups([movie, still]) == [[1, 0]] { check(LivePhotos.merged(still, with: [movie])) }
        _ = try? Thumbnail.jpeg(of: file, [.thumb], pixelLimit: decodedPixels)
    }

    private static func check(_ metadata: PhotoMetadata) {
        precondition((1...8).contains(metadata.orientation), "an orientation that does not exist")
        if let place = metadata.stamp.place {
            precondition(place.longitude != 0 || place.latitude != 0, "a place without a fix")
            let sidecar = PhotoSidecar.bytes(
                place: place, radiusMetres: metadata.stamp.accuracyMetres ?? 10, instant: metadata.stamp.instant,
                zoneAhead: 7_200_000)
            precondition(PhotoSidecar.isOwn(sidecar), "a sidecar that is not recognised")
        }
        for reading in metadata.readings {
            precondition(abs(reading.shown) < 1 << 52, "a time that overflows")
        }
    }
}
