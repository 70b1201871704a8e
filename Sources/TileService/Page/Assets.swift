import Digest
import Files
import HTTPCore
import OpenAPI
import RequestHandling

/// The files of the web page: our own, which are compiled in, and those of Leaflet, which are read once.
///
/// The page names scripts and styles with a digest in the name (`page.3f2a….js`), so clients keep them forever and
/// revalidate only the page.
struct Assets: RequestHandler {
    private let page: StaticFile
    private let files: [String: StaticFile]
    private let site: SiteFolder?
    private let queue: WorkQueue

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

    /// Reads Leaflet from `leafletFolder`; files that are missing there are not served. If there is a `siteFolder`, the
    /// files of the page are read from it at each request, on `queue`. The page may show images of `imageOrigins`.
    init(leafletFolder: String, siteFolder: String?, imageOrigins: [String], queue: WorkQueue) {
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
        page = EmbeddedSite.page(versions: versions, imageOrigins: imageOrigins)
        site = siteFolder.map { SiteFolder(path: $0, imageOrigins: imageOrigins) }
        self.queue = queue
    }

    func add(to routes: inout Routes) {
        routes.on(.get, "/", for: .nothing, as: Self.file("the web page", "text/html", .hasETag)) { request, _ in
            guard let site else { return .ready(page.reply(to: request)) }
            return queue.answer { try site.file(EmbeddedSite.pageName).reply(to: request) }
        }
        routes.on(.get, "/assets/{name}", for: .nothing, as: Self.asset("files of the web page", "*/*")) {
            request, path in
            let name = path["name"]
            guard let site else { return try answer(request, name) }
            return queue.answer { try site.file(name).reply(to: request) }
        }
        for (folder, asset) in [
            ("leaflet/", Self.asset("files of Leaflet", "*/*")),
            ("leaflet/images/", Self.asset("pictures of Leaflet", "image/png")),
        ] {
            routes.on(.get, "/assets/\(folder){name}", for: .nothing, as: asset) { request, path in
                try answer(request, folder + path["name"])
            }
        }
    }

    private func answer(_ request: Request, _ name: String) throws(Problem) -> HandlerResult {
        guard let file = files[name] else { throw SiteFolder.noSuchFile }
        return .ready(file.reply(to: request))
    }

    private static func file(
        _ summary: String, _ type: String, _ traits: APIOperation.Traits, parameters: [APIParameter] = []
    ) -> APIOperation {
        APIOperation(
            summary, .server, parameters: parameters, answers: [APIResponse("The file", APIContent(type))],
            traits: traits)
    }

    private static func asset(_ summary: String, _ type: String) -> APIOperation {
        file(
            summary, type, [.canBeMissing, .hasETag],
            parameters: [APIParameter("name", .text(), "The name of a file", in: .path)])
    }
}
