import BaseMap
import Foundation
import HTTPCore
import OpenAPI
import RequestHandling
import TileArchive

/// A base map of another server, which the page offers.
package struct ExternalBaseMap: Hashable, Sendable {
    /// The name that the page shows.
    package let name: String
    /// The URL of tiles with `{z}`, `{x}` and `{y}`; optionally `{s}` as the first part of the host, for `a`, `b` or
    /// `c`, and `{r}`, for `@2x` on screens of high resolution.
    package let url: String
    /// The origin for a Content-Security-Policy, such as `https://*.tile.example.org`.
    package let origin: String

    private static let nameLimit = 60
    private static let placeholders: Set<String> = ["z", "x", "y", "s", "r"]

    /// Reads `NAME=URL`; nil if that is not the name and the URL of tiles.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = text[..<equals].trimmingCharacters(in: .whitespaces)
        let url = String(text[text.index(after: equals)...])
        guard !name.isEmpty, name.count <= Self.nameLimit, name.allSatisfy({ !$0.isNewline }),
            url.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value < 0x7F && !"\"'<>;,\\".unicodeScalars.contains($0)
            }),
            let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) })
        else { return nil }
        let used = url.matches(of: /\{(?<name>[^{}]*)\}/).map { String($0.name) }
        guard Set(used).isSuperset(of: ["z", "x", "y"]), Set(used).isSubset(of: Self.placeholders) else { return nil }
        let rest = url.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        var host = String(rest[..<slash])
        let hasSubdomain = host.hasPrefix("{s}.")
        if hasSubdomain { host.removeFirst("{s}.".count) }
        guard WebOrigin(scheme + host) != nil, !rest[slash...].contains("{s}") else { return nil }
        self.name = name
        self.url = url
        origin = scheme + (hasSubdomain ? "*." : "") + host
    }
}

/// Answers `/v1/basemaps`: the base maps that the page offers besides the built-in one.
struct BaseMapList: RequestHandler {
    private struct Entry: Encodable, Sendable {
        var name: String
        /// Of tiles; relative for archives of this server.
        var url: String
        /// The zoom levels of an archive. Deeper tiles are enlarged.
        var minzoom: Int?
        var maxzoom: Int?
        /// Who made the tiles of an archive, as it says; may have links in HTML.
        var attribution: String?
    }

    private struct List: Encodable, Sendable {
        var builtin: BuiltIn
        var basemaps: [Entry]
    }

    /// `/tiles/base`.
    private struct BuiltIn: Encodable, Sendable {
        /// May have links in HTML.
        var attribution: String
        /// Whether an archive gives it streets; else it is shown down to zoom level 11, where one sees that its outlines are
        /// inexact.
        var streets: Bool
    }

    private let list: List

    /// The base maps of other servers, and the archives with pictures.
    init(_ baseMaps: [ExternalBaseMap], _ archives: [ServedArchive], _ map: any MapBackground) {
        let pictures = archives.filter { $0.reader.description.format.isRaster }
        list = List(
            builtin: BuiltIn(attribution: map.attribution, streets: map.hasStreets),
            basemaps: baseMaps.map { Entry(name: $0.name, url: $0.url) }
                + pictures.map { archive in
                    let about = archive.reader.description
                    return Entry(
                        name: archive.title, url: "tiles/\(archive.name)/{z}/{x}/{y}.\(about.format.rawValue)",
                        minzoom: about.zooms.lowerBound, maxzoom: about.zooms.upperBound,
                        attribution: about.attribution)
                })
    }

    func add(to routes: inout Routes) {
        routes.on(
            .get, "/v1/basemaps", for: .read,
            as: APIOperation(
                "the base maps of other servers and of archives that the web page offers", .tiles,
                answers: [
                    APIResponse(
                        "Names, URLs of tiles, and of archives zoom levels and attribution; of the own base map whether it "
                            + "has streets", .json)
                ],
                traits: .hasETag)
        ) { [list] request, _ in try JSONResponse.answer(list, to: request) }
    }
}
