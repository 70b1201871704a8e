package import HTTPCore
import Text
package import TileMath

/// How tiles are described to clients, and how long these may cache them.
package struct TileSettings: Sendable {
    /// The URLs under which the server is reached through a proxy.
    package var publicURLs: [PublicURL] = []
    /// How long caches may use tiles whose URL has no revision.
    package var freshness = CacheControl.Freshness.revalidate
    /// The attribution shown on the map.
    package var attribution: String?
    /// The program's version.
    package var version = ""
    /// The path below which requests come in, without a slash at its end: a responder sees the rest of it.
    package var path = ""

    /// The defaults.
    package init() {}

    /// The base URL under which the client has reached the server, without a slash at its end: the public URL with the
    /// requested host, else the host of the request.
    ///
    /// A proxy may rewrite Host to the server's own address. Then it is the public URL with the host that the proxy says
    /// it was asked for, else the first one.
    package func base(for request: Request) -> String {
        let server = server(for: request)
        return path.isEmpty ? server : server + path
    }

    private func server(for request: Request) -> String {
        let host = request.target.authority ?? request.headers[.host] ?? ""
        if let known = PublicURL.matching(host, in: publicURLs) { return known.text }
        if request.wasForwarded || Authority(host) == nil, let first = publicURLs.first {
            let asked = request.headers[.forwardedHost]?.split(separator: ",").last.map { $0.filter { $0 != " " } }
            return (asked.flatMap { PublicURL.matching($0, in: publicURLs) } ?? first).text
        }
        return Authority(host) == nil ? "" : "http://\(host)"
    }

    /// How long a tile may be cached: for ever if its URL has the current revision, unless caching is disabled.
    package func cacheControl(_ audience: CacheControl.Audience, isCurrent: Bool) -> CacheControl {
        CacheControl(audience, isCurrent && freshness != .none ? .immutable : freshness)
    }

    /// The parameters that are repeated in the URL of a style's tiles.
    package static let repeated: Set<String> = [
        "layer", "from", "to", "asof", "minus", "ramp", "theme", "span", "track", "marks",
        RequestTarget.secretParameter,
    ]

    /// The parameters that are repeated in the URL of a style's vector tiles.
    package static let repeatedInVectorTiles: Set<String> = [
        "layer", "from", "to", "asof", "track", RequestTarget.secretParameter,
    ]

    /// The URL of a style's tiles, with some parameters of the request's query and the revision, if the tiles have one.
    package func url(
        _ request: Request, style: String, _ scale: TileScale = .single, revision: String? = nil,
        repeating names: Set<String> = repeated, ending: String = ".png"
    ) throws -> String {
        var query = try request.target.parameters().filter { names.contains($0.name) }
        if let revision { query.append(QueryParameter(name: "v", value: revision)) }
        let file = (scale == .double ? "{y}@2x" : "{y}") + ending
        return "\(base(for: request))/tiles/\(style)/{z}/{x}/\(file)"
            + (query.isEmpty ? "" : "?")
            + query.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }

    /// The TileJSON of a style's tiles at `url`, within `box`; `attribution` is used instead of the map's own.
    package func description(
        name: String, url: String, zooms: ClosedRange<Int> = 0...ZoomLevel.deepest.number, box: BoundingBox?,
        attribution: String? = nil, vectorLayers: [VectorLayerDescription] = []
    ) -> TileJSON {
        TileJSON(
            name: name, url: url, zooms: zooms, box: box, version: version,
            attribution: attribution ?? self.attribution, vectorLayers: vectorLayers)
    }
}
