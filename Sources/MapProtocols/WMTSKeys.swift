import HTTPCore
import RequestHandling
import TileMath

/// The key–value pairs of a request; names are in upper case.
struct WMTSKeys {
    private let values: [String: String]

    static let names: Set<String> = [
        "SERVICE", "REQUEST", "VERSION", "ACCEPTVERSIONS", "LAYER", "STYLE", "FORMAT", "TILEMATRIXSET", "TILEMATRIX",
        "TILEROW", "TILECOL", "SECTIONS", "UPDATESEQUENCE", "ACCEPTFORMATS",
    ]

    init(_ values: [String: String]) { self.values = values }

    init(_ target: RequestTarget) throws {
        var values: [String: String] = [:]
        for parameter in try target.parameters() {
            let name = parameter.name.uppercased()
            guard Self.names.contains(name) else { continue }
            guard values.updateValue(parameter.value, forKey: name) == nil else {
                throw WMTSException(.invalidValue, name, "it is given twice")
            }
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }

    /// A value that must be given.
    func value(_ name: String) throws(WMTSException) -> String {
        guard let value = values[name] else { throw WMTSException(.missingValue, name, "it is missing") }
        return value
    }

    /// Throws unless the value is one of these, in any case.
    func check(
        _ name: String, _ allowed: [String], code: WMTSException.Code = .invalidValue
    ) throws(WMTSException) {
        let value = try value(name).lowercased()
        guard !allowed.contains(where: { $0.lowercased() == value }) else { return }
        throw WMTSException(code, name, "it has to be \(allowed.filter { !$0.isEmpty }.joined(separator: " or "))")
    }

    /// The tile of matrix, row and column, at one of the zoom levels of a layer.
    func tile(in zooms: ClosedRange<Int>) throws(WMTSException) -> TileCoordinate {
        guard let number = Self.number(try value("TILEMATRIX")), zooms.contains(number), let zoom = ZoomLevel(number)
        else {
            throw WMTSException(
                .invalidValue, "TILEMATRIX",
                "it has to be a number from \(zooms.lowerBound) to \(zooms.upperBound)")
        }
        func place(_ name: String) throws(WMTSException) -> Int {
            guard let place = Self.number(try value(name)) else {
                throw WMTSException(.invalidValue, name, "it has to be a number")
            }
            guard place < zoom.tilesPerSide else {
                throw WMTSException(.tileOutOfRange, name, "it has to be below \(zoom.tilesPerSide)")
            }
            return place
        }
        let (row, column) = (try place("TILEROW"), try place("TILECOL"))
        guard let tile = TileCoordinate(zoom: zoom, x: column, y: row) else {
            throw WMTSException(.tileOutOfRange, "TILEROW", "there is no such tile")
        }
        return tile
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.count <= 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

/// An error of WMTS: an ExceptionReport (OGC 06-121r3, clause 8) with status 400.
struct WMTSException: Error, Equatable {
    enum Code: String {
        case missingValue = "MissingParameterValue"
        case invalidValue = "InvalidParameterValue"
        case operationNotSupported = "OperationNotSupported"
        case tileOutOfRange = "TileOutOfRange"
    }

    let code: Code
    /// The name of the parameter.
    let locator: String
    let text: String

    init(_ code: Code, _ locator: String, _ text: String) {
        self.code = code
        self.locator = locator
        self.text = text
    }

    var response: Response {
        var xml = XMLDocument()
        xml.element(
            "ExceptionReport",
            [("xmlns", "http://www.opengis.net/ows/1.1"), ("version", "1.1.0"), ("xml:lang", "en")]
        ) { xml in
            xml.element("Exception", [("exceptionCode", code.rawValue), ("locator", locator)]) { xml in
                xml.element("ExceptionText", [], "\(locator): \(text)")
            }
        }
        var response = Response.content(xml.bytes, type: "application/xml")
        response.status = .badRequest
        response.forbidStoring()
        return response
    }
}
