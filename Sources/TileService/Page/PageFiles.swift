import Digest
import Files
import HTTPCore

/// The files of the web page: our own, which are compiled in, and those of Leaflet, which are read once.
struct PageFiles: Sendable {
    /// The page itself.
    let page: StaticFile
    /// All other files, by their names below `assets/`.
    let files: [String: StaticFile]
    private let versions: [String: String]
    private let imageOrigins: [String]

    /// The files of Leaflet that can be served, and their possible file names; the first one that exists is used. No
    /// other name is served.
    private static let leafletFiles: [(name: String, files: [String], mediaType: String)] = [
        ("leaflet.js", ["leaflet.min.js", "leaflet.js"], "text/javascript; charset=utf-8"),
        ("leaflet.css", ["leaflet.css"], "text/css; charset=utf-8"),
        ("images/layers.png", ["images/layers.png"], "image/png"),
        ("images/layers-2x.png", ["images/layers-2x.png"], "image/png"),
        ("images/marker-icon.png", ["images/marker-icon.png"], "image/png"),
        ("images/marker-icon-2x.png", ["images/marker-icon-2x.png"], "image/png"),
        ("images/marker-shadow.png", ["images/marker-shadow.png"], "image/png"),
    ]
    /// Leaflet with all its comments is half a megabyte.
    private static let maxBytes = 4 << 20

    /// Reads Leaflet from `leafletFolder`; files that are missing there are not served. The page may show images of
    /// `imageOrigins`.
    ///
    /// Joins and compresses the files, which takes as long as some hundred tiles.
    init(leafletFolder: String, imageOrigins: [String]) {
        var files = EmbeddedSite.files
        var versions = EmbeddedSite.versions
        for (name, candidates, mediaType) in Self.leafletFiles {
            let found = candidates.lazy.compactMap {
                try? AtomicFile.read("\(leafletFolder)/\($0)", limit: Self.maxBytes)
            }.first
            guard let found else { continue }
            let path = "leaflet/\(name)"
            files[path] = StaticFile(found, mediaType: mediaType, cacheControl: CacheControl(.everyone, .revalidate))
            // Leaflet's own style sheet names its images without a digest.
            guard !path.hasPrefix("leaflet/images/") else { continue }
            let version = EmbeddedSite.versioned(path, ContentDigest(of: found))
            versions[path] = version
            files[version] = StaticFile(found, mediaType: mediaType, cacheControl: CacheControl(.everyone, .immutable))
        }
        self.files = files
        (self.versions, self.imageOrigins) = (versions, imageOrigins)
        page = EmbeddedSite.page(versions: versions, imageOrigins: imageOrigins)
    }

    /// The page with these elements in its head, for one reader.
    func page(withHead elements: String) -> StaticFile {
        EmbeddedSite.page(
            versions: versions, imageOrigins: imageOrigins, elements: elements, CacheControl(.reader, .revalidate))
    }
}
