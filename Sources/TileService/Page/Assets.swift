import HTTPCore
import Locking
import OpenAPI
import RequestHandling

/// Answers with the files of the web page.
///
/// The page names scripts and styles with a digest in the name (`page.3f2a….js`), so clients keep them forever and
/// revalidate only the page.
struct Assets: RequestHandler {
    /// Made after the server has started, because the first tiles need none of them.
    let files: MadeOnce<PageFiles>
    private let site: SiteFolder?
    private let queue: WorkQueue

    /// If there is a `siteFolder`, the files of the page are read from it at each request, on `queue`.
    init(_ files: MadeOnce<PageFiles>, siteFolder: String?, imageOrigins: [String], queue: WorkQueue) {
        self.files = files
        site = siteFolder.map { SiteFolder(path: $0, imageOrigins: imageOrigins) }
        self.queue = queue
    }

    func add(to routes: inout Routes) {
        routes.on(.get, "/", for: .nothing, as: Self.file("the web page", "text/html", .hasETag)) { request, _ in
            // On the queue: the first request may have to wait until the files are made.
            guard let site else { return queue.answer { files.value.page.reply(to: request) } }
            return queue.answer { try site.file(EmbeddedSite.pageName).reply(to: request) }
        }
        routes.on(.get, "/assets/{name}", for: .nothing, as: Self.asset("files of the web page", "*/*")) {
            request, path in
            let name = path["name"]
            guard let site else { return answer(request, name) }
            return queue.answer { try site.file(name).reply(to: request) }
        }
        for (folder, asset) in [
            ("leaflet/", Self.asset("files of Leaflet", "*/*")),
            ("leaflet/images/", Self.asset("pictures of Leaflet", "image/png")),
        ] {
            routes.on(.get, "/assets/\(folder){name}", for: .nothing, as: asset) { request, path in
                answer(request, folder + path["name"])
            }
        }
    }

    private func answer(_ request: Request, _ name: String) -> HandlerResult {
        queue.answer {
            guard let file = files.value.files[name] else { throw SiteFolder.noSuchFile }
            return file.reply(to: request)
        }
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
