import RequestHandling
import TileArchive
import TileMath

/// The capabilities document of WMTS.
struct WMTSCapabilities {
    /// The URL of the server, without a slash at its end.
    let base: String
    /// The query that URLs repeat; may be empty.
    let query: String
    /// What the layers are.
    let sources: [MapSource]

    /// Our own tile matrix set: Web Mercator to zoom level 22, of which the well-known one has 18.
    static let matrixSet = "WebMercator"
    private static let reference = "urn:ogc:def:crs:EPSG::3857"

    private var keysURL: String { "\(base)/wmts?" + (query.isEmpty ? "" : query + "&") }
    private var documentURL: String { "\(base)/wmts/1.0.0/WMTSCapabilities.xml" + suffix }
    private var suffix: String { query.isEmpty ? "" : "?" + query }

    var document: XMLDocument {
        var xml = XMLDocument()
        xml.element(
            "Capabilities",
            [
                ("xmlns", "http://www.opengis.net/wmts/1.0"), ("xmlns:ows", "http://www.opengis.net/ows/1.1"),
                ("xmlns:xlink", "http://www.w3.org/1999/xlink"), ("version", "1.0.0"),
            ]
        ) { xml in
            xml.element("ows:ServiceIdentification") { xml in
                xml.element("ows:Title", [], "tileserve")
                xml.element("ows:Abstract", [], "Tiles of recorded tracks")
                xml.element("ows:ServiceType", [], "OGC WMTS")
                xml.element("ows:ServiceTypeVersion", [], "1.0.0")
            }
            xml.element("ows:OperationsMetadata") { xml in
                operation("GetCapabilities", restful: documentURL, &xml)
                operation("GetTile", restful: "\(base)/wmts/1.0.0/", &xml)
            }
            xml.element("Contents") { xml in
                for source in sources { layer(source, &xml) }
                matrixSet(&xml)
            }
            xml.empty("ServiceMetadataURL", [("xlink:href", documentURL)])
        }
        return xml
    }

    private func operation(_ name: String, restful: String, _ xml: inout XMLDocument) {
        xml.element("ows:Operation", [("name", name)]) { xml in
            xml.element("ows:DCP") { xml in
                xml.element("ows:HTTP") { xml in
                    for (url, encoding) in [(keysURL, "KVP"), (restful, "RESTful")] {
                        xml.element("ows:Get", [("xlink:href", url)]) { xml in
                            xml.element("ows:Constraint", [("name", "GetEncoding")]) { xml in
                                xml.element("ows:AllowedValues") { $0.element("ows:Value", [], encoding) }
                            }
                        }
                    }
                }
            }
        }
    }

    private func layer(_ source: MapSource, _ xml: inout XMLDocument) {
        let edges = MapExtent(source.bounds, zooms: source.zooms).bounds
        xml.element("Layer") { xml in
            xml.element("ows:Title", [], source.title)
            xml.element("ows:WGS84BoundingBox") { xml in
                xml.element("ows:LowerCorner", [], "\(edges[0]) \(edges[1])")
                xml.element("ows:UpperCorner", [], "\(edges[2]) \(edges[3])")
            }
            xml.element("ows:Identifier", [], source.name)
            xml.element("Style", [("isDefault", "true")]) { $0.element("ows:Identifier", [], "default") }
            let formats = source.formats(.map)
            for format in formats { xml.element("Format", [], format.mediaType) }
            xml.element("TileMatrixSetLink") { xml in
                xml.element("TileMatrixSet", [], Self.matrixSet)
                if source.zooms != MercatorMatrix.zooms { limits(source.zooms, &xml) }
            }
            let path = "\(source.name)/default/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}"
            for format in formats {
                xml.empty(
                    "ResourceURL",
                    [
                        ("format", format.mediaType), ("resourceType", "tile"),
                        ("template", "\(base)/wmts/1.0.0/\(path).\(format.rawValue)\(suffix)"),
                    ])
            }
        }
    }

    /// The zoom levels of an archive, all around the world.
    private func limits(_ zooms: ClosedRange<Int>, _ xml: inout XMLDocument) {
        xml.element("TileMatrixSetLimits") { xml in
            for zoom in zooms {
                xml.element("TileMatrixLimits") { xml in
                    xml.element("TileMatrix", [], "\(zoom)")
                    for axis in ["Row", "Col"] {
                        xml.element("MinTile\(axis)", [], "0")
                        xml.element("MaxTile\(axis)", [], "\((1 << zoom) - 1)")
                    }
                }
            }
        }
    }

    private func matrixSet(_ xml: inout XMLDocument) {
        xml.element("TileMatrixSet") { xml in
            xml.element("ows:Identifier", [], Self.matrixSet)
            xml.element("ows:SupportedCRS", [], Self.reference)
            for zoom in MercatorMatrix.zooms {
                xml.element("TileMatrix") { xml in
                    xml.element("ows:Identifier", [], "\(zoom)")
                    xml.element("ScaleDenominator", [], "\(MercatorMatrix.scaleDenominator(zoom))")
                    xml.element("TopLeftCorner", [], "-\(MercatorMatrix.edge) \(MercatorMatrix.edge)")
                    xml.element("TileWidth", [], "\(MercatorMatrix.pixels)")
                    xml.element("TileHeight", [], "\(MercatorMatrix.pixels)")
                    xml.element("MatrixWidth", [], "\(1 << zoom)")
                    xml.element("MatrixHeight", [], "\(1 << zoom)")
                }
            }
        }
    }
}
