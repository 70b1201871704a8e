import RequestHandling
import Text
import TileArchive
import TileMath

/// The documents of OGC API – Tiles (OGC 20-057), as JSON.
struct OGCDocuments {
    /// The URL of the server, without a slash at its end.
    let base: String
    /// The query that links repeat; may be empty.
    let query: String

    /// The path below which all of them are.
    static let root = "/ogc"
    static let openAPIType = "application/vnd.oai.openapi+json;version=3.0"
    private static let json = "application/json"
    private static let title = "tileserve"
    private static let about = "Tiles of recorded tracks"

    /// The parts of the standard that the server conforms to.
    private static let conformance =
        ["core", "tileset", "tilesets-list", "dataset-tilesets", "geodata-tilesets", "png", "mvt", "oas30"].map {
            "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/\($0)"
        } + [
            "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
            "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/json",
            "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
            "http://www.opengis.net/spec/tms/2.0/conf/tilematrixset",
            "http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixset",
        ]

    private func url(_ path: String, _ more: String? = nil) -> String {
        let query = [query, more ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
        return base + Self.root + path + (query.isEmpty ? "" : "?" + query)
    }

    private func link(_ relation: String, _ path: String, _ title: String, type: String = json) -> OGCLink {
        OGCLink(relation: relation, type: type, title: title, address: url(path))
    }

    private func document(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.bytes
    }

    // MARK: The server

    /// The landing page; `sources` are those of the whole library.
    func landingPage(_ kinds: [TileKind]) -> [UInt8] {
        document { json in
            json.add("title", Self.title)
            json.add("description", Self.about)
            json.links(
                [
                    link("self", "/", "This document"),
                    link("service-desc", "/api", "The interface as OpenAPI 3.0", type: Self.openAPIType),
                    link("conformance", "/conformance", "Conformance classes"),
                    link(OGCLink.registered("conformance"), "/conformance", "Conformance classes"),
                    link("data", "/collections", "The styles and archives"),
                    link(OGCLink.registered("data"), "/collections", "The styles and archives"),
                    link(OGCLink.registered("tiling-schemes"), "/tileMatrixSets", "The tile matrix sets"),
                ] + kinds.map { tilesets($0, of: "") })
        }
    }

    static var conformanceDeclaration: [UInt8] {
        var json = JSONWriter()
        json.object { $0.array("conformsTo", conformance) { $0.add($1) } }
        return json.bytes
    }

    var matrixSets: [UInt8] {
        document { json in
            json.array("tileMatrixSets", [TileMatrixSet.id]) { json, id in
                json.object { json in
                    json.add("id", id)
                    json.add("title", TileMatrixSet.title)
                    json.add("uri", TileMatrixSet.uri)
                    json.links([link("self", "/tileMatrixSets/\(id)", "The definition")])
                }
            }
        }
    }

    // MARK: Collections

    func collections(_ sources: [MapSource]) -> [UInt8] {
        document { json in
            json.links([link("self", "/collections", "This document")])
            json.array("collections", sources) { json, source in
                json.object { write(source, to: &$0) }
            }
        }
    }

    func collection(_ source: MapSource) -> [UInt8] { document { write(source, to: &$0) } }

    private func write(_ source: MapSource, to json: inout JSONWriter) {
        json.add("id", source.name)
        json.add("title", source.title)
        if let attribution = source.attribution { json.add("attribution", attribution) }
        json.object("extent") { json in
            json.object("spatial") { json in
                json.array("bbox", [extent(of: source).bounds]) { json, box in json.array(box) { $0.add($1) } }
                json.add("crs", "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
            }
        }
        json.array("crs", [TileMatrixSet.reference]) { $0.add($1) }
        let path = "/collections/\(source.name)"
        json.links(
            [link("self", path, source.title)]
                + TileKind.allCases.filter { !source.formats($0).isEmpty }.map { tilesets($0, of: path) })
    }

    private func extent(of source: MapSource) -> MapExtent { MapExtent(source.bounds, zooms: source.zooms) }

    // MARK: Tilesets

    /// The path of the tilesets of a kind: vector tiles are those of the data itself, and pictures those of a map of it.
    static func path(_ kind: TileKind, of parent: String) -> String {
        switch kind {
        case .map: "\(parent)/map/tiles"
        case .vector: "\(parent)/tiles"
        }
    }

    private func tilesets(_ kind: TileKind, of parent: String) -> OGCLink {
        // Readers know from `f=json`, as other servers have it, that the list is JSON.
        OGCLink(
            relation: OGCLink.registered("tilesets-\(kind.rawValue)"), type: Self.json, title: Self.title(of: kind),
            address: url(Self.path(kind, of: parent), "f=json"))
    }

    private static func title(of kind: TileKind) -> String {
        switch kind {
        case .map: "Tiles as pictures"
        case .vector: "Vector tiles"
        }
    }

    /// The tilesets of one kind; `source` is nil if there are none.
    func tilesets(_ kind: TileKind, _ source: MapSource?, of parent: String) -> [UInt8] {
        let path = Self.path(kind, of: parent)
        return document { json in
            json.links([link("self", path, Self.title(of: kind))])
            json.array("tilesets", source.map { [$0] } ?? []) { json, source in
                json.object { write(kind, source, path, to: &$0) }
            }
        }
    }

    /// One tileset (OGC 17-083r4, 9.2).
    func tileset(_ kind: TileKind, _ source: MapSource, of parent: String) -> [UInt8] {
        document { json in
            write(kind, source, Self.path(kind, of: parent), to: &json)
            let edges = extent(of: source).bounds
            json.object("boundingBox") { json in
                json.array("lowerLeft", edges[0...1]) { $0.add($1) }
                json.array("upperRight", edges[2...3]) { $0.add($1) }
                json.add("crs", "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
            }
            if let attribution = source.attribution { json.add("attribution", attribution) }
            if kind == .vector {
                json.array("layers", source.vectorLayers) { json, layer in
                    json.object { json in
                        json.add("id", layer)
                        json.add("dataType", "vector")
                    }
                }
            }
        }
    }

    /// What the list and the document of a tileset have in common.
    private func write(_ kind: TileKind, _ source: MapSource, _ path: String, to json: inout JSONWriter) {
        let own = "\(path)/\(TileMatrixSet.id)"
        json.add("title", source.title)
        json.add("dataType", kind.rawValue)
        json.add("crs", TileMatrixSet.reference)
        json.add("tileMatrixSetId", TileMatrixSet.id)
        json.add("tileMatrixSetURI", TileMatrixSet.uri)
        json.array("tileMatrixSetLimits", source.zooms) { json, zoom in
            json.object { json in
                json.add("tileMatrix", "\(zoom)")
                for (name, value) in [
                    ("minTileRow", 0), ("maxTileRow", (1 << zoom) - 1), ("minTileCol", 0),
                    ("maxTileCol", (1 << zoom) - 1),
                ] {
                    json.add(name, value)
                }
            }
        }
        json.links(
            [
                link("self", own, source.title),
                link(
                    OGCLink.registered("tiling-scheme"), "/tileMatrixSets/\(TileMatrixSet.id)",
                    "The tile matrix set"),
            ]
                + source.formats(kind).map { format in
                    OGCLink(
                        relation: "item", type: format.mediaType, title: "Tiles as \(format.mediaType)",
                        address: url("\(own)/{tileMatrix}/{tileRow}/{tileCol}", "f=\(format.rawValue)"),
                        isTemplate: true)
                })
    }
}
