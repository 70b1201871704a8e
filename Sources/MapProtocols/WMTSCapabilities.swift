import RequestHandling
import Styling
import TileMath

/// The capabilities document of WMTS.
struct WMTSCapabilities {
    /// The URL of the server, without a slash at its end.
    let base: String
    /// The query that URLs repeat; may be empty.
    let query: String
    let styles: [Style]
    /// Where there is something; nil for the world.
    let bounds: BoundingBox?

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
                for style in styles { layer(style, &xml) }
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

    private func layer(_ style: Style, _ xml: inout XMLDocument) {
        let edges = MapExtent(bounds, zooms: MercatorMatrix.zooms).bounds
        xml.element("Layer") { xml in
            xml.element("ows:Title", [], style.title)
            xml.element("ows:WGS84BoundingBox") { xml in
                xml.element("ows:LowerCorner", [], "\(edges[0]) \(edges[1])")
                xml.element("ows:UpperCorner", [], "\(edges[2]) \(edges[3])")
            }
            xml.element("ows:Identifier", [], style.name)
            xml.element("Style", [("isDefault", "true")]) { $0.element("ows:Identifier", [], "default") }
            xml.element("Format", [], "image/png")
            xml.element("TileMatrixSetLink") { $0.element("TileMatrixSet", [], Self.matrixSet) }
            let path = "\(style.name)/default/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"
            xml.empty(
                "ResourceURL",
                [
                    ("format", "image/png"), ("resourceType", "tile"),
                    ("template", "\(base)/wmts/1.0.0/\(path)\(suffix)"),
                ])
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
