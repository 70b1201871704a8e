import Text

/// A link of a document of OGC API (OGC 19-072, 7.2, after RFC 8288).
struct OGCLink {
    let relation: String
    let type: String
    let title: String
    let address: String
    var isTemplate = false

    /// The relation of a name that OGC has registered.
    static func registered(_ name: String) -> String { "http://www.opengis.net/def/rel/ogc/1.0/\(name)" }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.add("rel", relation)
            json.add("type", type)
            json.add("title", title)
            json.add("href", address)
            if isTemplate { json.add("templated", true) }
        }
    }
}

extension JSONWriter {
    mutating func links(_ links: [OGCLink]) {
        array("links", links) { json, link in link.write(to: &json) }
    }
}
