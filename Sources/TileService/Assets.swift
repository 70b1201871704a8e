import Digest
import Files
import HTTPCore

/// The page and what it is made of: ours, compiled in, and Leaflet's files, read once.
struct Assets: Sendable {
    private let responses: [String: Response]
    /// The page itself.
    let page: Response

    /// Leaflet's files that the page may ask for, and where they may be found, the first that is there: whoever names
    /// another gets none.
    private static let leafletFiles: [(name: String, files: [String])] = [
        ("leaflet.js", ["leaflet.min.js", "leaflet.js"]), ("leaflet.css", ["leaflet.css"]),
        ("images/layers.png", ["images/layers.png"]), ("images/layers-2x.png", ["images/layers-2x.png"]),
        ("images/marker-icon.png", ["images/marker-icon.png"]),
        ("images/marker-icon-2x.png", ["images/marker-icon-2x.png"]),
        ("images/marker-shadow.png", ["images/marker-shadow.png"]),
    ]
    /// Leaflet with all its comments has half a megabyte.
    private static let mostBytes = 4 << 20

    /// Nothing from elsewhere, nothing inline; `data:` for the empty picture that Leaflet gives tiles it lets go.
    private static let contentPolicy =
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    /// Reads Leaflet from `folder`; where it is not there, the page does without.
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

    /// The file of a name below `/assets/`.
    func answer(_ request: Request, name: String) throws(Problem) -> Answer {
        guard let response = responses[name] else {
            throw Problem.notFound("the page has no such part")
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
