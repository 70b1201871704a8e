public import HTTPCore
public import TileDrawing
package import TileMath

/// A request for a tile, and the revision in its URL, if any: with the current one, the answer never changes.
public struct TileTarget: Hashable, Sendable {
    /// The requested tile.
    public package(set) var request: TileRequest
    /// The parameter `v`.
    public let revision: String?

    /// Reads `/tiles/[{style}/]{z}/{x}/{y}[@2x].png` with its parameters; `.webp` for this encoding.
    ///
    /// A path that names no tile is a `404`: coordinates out of range, or numbers not in plain decimal digits. A
    /// parameter that is malformed or sent twice is a `400`; unknown parameters are ignored. Reading a URL without a
    /// query allocates nothing except the style's name.
    public init(_ target: RequestTarget, as encoding: TileEncoding = .png) throws(Problem) {
        var request = try Self.read(target, encoding == .png ? Self.ending : Self.webPEnding)
        request.encoding = encoding
        guard let query = target.query else {
            self.request = request
            revision = nil
            return
        }
        if let revision = Self.onlyRevision(query) {
            self.request = request
            self.revision = revision
            return
        }
        let parameters = try TileParameters(target)
        self.request = TileRequest(
            style: request.style, tile: request.tile, scale: request.scale, parameters: parameters)
        self.request.encoding = encoding
        revision = parameters.revision
    }

    /// A tile of a style with the parameters of a query, for protocols with paths of their own.
    package init(
        style: String, tile: TileCoordinate, parameters: TileParameters, encoding: TileEncoding = .png
    ) {
        request = TileRequest(style: style, tile: tile, parameters: parameters)
        request.encoding = encoding
        revision = parameters.revision
    }

    /// As the other initializer, for the tiles of one name, which are drawn by a handler of their own.
    package init(_ target: RequestTarget, name: String) throws(Problem) {
        try self.init(target)
        guard request.style == name else { throw Self.noSuchTile(of: name, ".png") }
    }

    /// The tile of `/tiles/{name}/{z}/{x}/{y}` with an ending other than that of pictures.
    package static func tile(_ target: RequestTarget, name: String, ending: String) throws(Problem) -> TileCoordinate {
        let request = try read(target, Array(ending.utf8))
        guard request.style == name, request.scale == .single else { throw noSuchTile(of: name, ending) }
        return request.tile
    }

    /// The revision of a query that contains nothing else, as sent by every web map that uses our TileJSON.
    private static func onlyRevision(_ query: ArraySlice<UInt8>) -> String? {
        guard query.starts(with: revisionStart) else { return nil }
        let value = query.dropFirst(revisionStart.count)
        let isPlain = value.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            default: false
            }
        }
        return isPlain ? String(validating: value, as: UTF8.self) : nil
    }

    private static let revisionStart = Array("v=".utf8)

    private static let noSuchTile = Problem.notFound(
        "no such tile; tiles are /tiles/{z}/{x}/{y}.png or /tiles/{style}/{z}/{x}/{y}.png, z from 0 to 22, x and y below 2^z"
    )

    static func noSuchTile(of name: String, _ ending: String) -> Problem {
        .notFound(
            "no such tile; the path is /tiles/\(name)/{z}/{x}/{y}\(ending), z from 0 to 22, x and y below 2^z")
    }

    private static let start = Array("/tiles/".utf8)
    private static let ending = Array(".png".utf8)
    private static let webPEnding = Array(".webp".utf8)
    private static let double = Array("@2x".utf8)

    init(_ request: TileRequest, revision: String?) {
        self.request = request
        self.revision = revision
    }

    /// Reads a path without its query.
    static func read(_ target: RequestTarget, _ ending: [UInt8]) throws(Problem) -> TileRequest {
        guard target.path.contains(UInt8(ascii: "%")) else { return try read(target.path, ending) }
        // An encoded slash belongs to its segment, and no style has one in its name.
        guard let segments = target.segments, !segments.contains(where: { $0.contains("/") }) else {
            throw noSuchTile
        }
        return try read(Array(("/" + segments.joined(separator: "/")).utf8)[...], ending)
    }

    private static func read(_ path: ArraySlice<UInt8>, _ ending: [UInt8]) throws(Problem) -> TileRequest {
        guard path.starts(with: start), path.count > start.count + ending.count,
            path.suffix(ending.count).elementsEqual(ending)
        else { throw noSuchTile }
        var rest = path.dropFirst(start.count).dropLast(ending.count)
        var scale = TileScale.single
        if rest.suffix(double.count).elementsEqual(double) {
            scale = .double
            rest = rest.dropLast(double.count)
        }
        guard let y = takeLastNumber(&rest), let x = takeLastNumber(&rest), let z = takeLastNumber(&rest),
            let zoom = ZoomLevel(z), let tile = TileCoordinate(zoom: zoom, x: x, y: y)
        else { throw noSuchTile }
        // What is left is empty, or `style/` without its slash.
        guard !rest.contains(UInt8(ascii: "/")) else { throw noSuchTile }
        if rest.isEmpty {
            // `/tiles//1/2/3.png` has an empty style name.
            guard path[path.startIndex + start.count] != UInt8(ascii: "/") else { throw noSuchTile }
            return TileRequest(tile: tile, scale: scale)
        }
        guard let style = String(validating: rest, as: UTF8.self) else { throw noSuchTile }
        return TileRequest(style: style, tile: tile, scale: scale)
    }

    /// The largest coordinate, 2^22 − 1, has 7 digits.
    private static let tooManyDigits = 8

    /// Removes `/{number}` (at the start of the path: `{number}`) from the end: decimal digits without sign or leading
    /// zero.
    private static func takeLastNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var number = 0
        var placeValue = 1
        var digits = 0
        while let byte = rest.last, byte != UInt8(ascii: "/") {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < tooManyDigits else { return nil }
            number += Int(byte - UInt8(ascii: "0")) * placeValue
            placeValue *= 10
            digits += 1
            rest.removeLast()
        }
        guard digits > 0, digits == 1 || number >= placeValue / 10 else { return nil }
        if !rest.isEmpty { rest.removeLast() }
        return number
    }
}

extension TileRequest {
    /// A request for a tile with the parameters of a query.
    package init(style: String, tile: TileCoordinate, scale: TileScale = .single, parameters: TileParameters) {
        self.init(
            style: style, selection: parameters.selection, tile: tile, scale: scale, minus: parameters.minus,
            span: parameters.span, ramp: parameters.ramp)
        theme = parameters.theme
        hasDecorations = parameters.hasDecorations
    }
}
