import Digest
import Files
import HTTPCore

/// The files of the web page: our own, which are compiled in, and those of Leaflet, which are read once.
struct Assets: Sendable {
    private let responses: [String: Response]
    /// The HTML page.
    let page: Response

    /// The files of Leaflet that can be served, and their possible file names; the first one that exists is used. No
    /// other name is served.
    private static let leafletFiles: [(name: String, files: [String])] = [
        ("leaflet.js", ["leaflet.min.js", "leaflet.js"]), ("leaflet.css", ["leaflet.css"]),
        ("images/layers.png", ["images/layers.png"]), ("images/layers-2x.png", ["images/layers-2x.png"]),
        ("images/marker-icon.png", ["images/marker-icon.png"]),
        ("images/marker-icon-2x.png", ["images/marker-icon-2x.png"]),
        ("images/marker-shadow.png", ["images/marker-shadow.png"]),
    ]
    /// Leaflet with all its comments is half a megabyte.
    private static let mostBytes = 4 << 20

    /// Nothing from other hosts and nothing inline. `data:` is for the empty image that Leaflet gives to tiles it
    /// discards.
    private static let contentPolicy =
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    /// Reads Leaflet from `folder`. Files that are missing there are not served.
    init(leafletFolder folder: String) {
        var responses = [
            "page.css": Self.response(Array((Page.style + Page.playerStyle).utf8), "text/css; charset=utf-8"),
            "icon.svg": Self.response(Array(Page.icon.utf8), "image/svg+xml"),
        ]
        for (name, text) in Page.scripts {
            responses[name] = Self.response(Array(text.utf8), Self.mediaType(of: name))
        }
        for (name, files) in Self.leafletFiles {
            for file in files {
                guard let bytes = try? AtomicFile.read("\(folder)/\(file)", limit: Self.mostBytes) else { continue }
                responses["leaflet/\(name)"] = Self.response(bytes, Self.mediaType(of: name))
                break
            }
        }
        self.responses = responses
        page = Self.response(Array(Page.text.utf8), "text/html; charset=utf-8")
    }

    /// The file with this name below `/assets/`.
    func answer(_ request: Request, name: String) throws(Problem) -> Answer {
        guard let response = responses[name] else {
            throw Problem.notFound("the page has no such file")
        }
        return .ready(validated(response, for: request))
    }

    private static func response(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [
                ResponseHeader(.contentType, type), ResponseHeader(.contentTypeOptions, "nosniff"),
                ResponseHeader(HeaderName("Content-Security-Policy"), contentPolicy),
                ResponseHeader(HeaderName("Referrer-Policy"), "no-referrer"),
            ], body: .bytes(bytes))
    }

    private static func mediaType(of name: String) -> String {
        if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        return name.hasSuffix(".css") ? "text/css; charset=utf-8" : "image/png"
    }
}
