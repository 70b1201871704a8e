public import HTTPCore
public import TileLog
public import TileMath
public import Tracks

/// Which tile is wanted, and how: all that a picture depends on besides the library, and the key under which it is kept.
public struct TileRequest: Hashable, Sendable {
    /// Pixels along a side of a tile.
    public enum Scale: Int, Hashable, Sendable, CaseIterable {
        /// 256 pixels.
        case single = 1
        /// 512 pixels, for screens with twice as many of them (`@2x`).
        case double = 2
    }

    /// Whose counts span the scale.
    public enum Span: String, Hashable, Sendable, CaseIterable {
        /// Those of all time, so that equal counts look equal in every window.
        case all
        /// Those of the window, for contrast.
        case window
    }

    /// The style's name, as the URL has it; whether there is such a style is not known here.
    public var style: String
    /// Of which tracks and which time.
    public var selection: TileSelection
    /// Where.
    public var tile: TileCoordinate
    /// How large.
    public var scale: Scale
    /// What is taken away from the window's counts, where their difference is asked for.
    public var minus: TimeWindow?
    /// Whose counts span the scale; all time's where neither a window nor tracks are asked for.
    public var span: Span
    /// The name of a ramp to take instead of the style's.
    public var ramp: String?
    /// Whether the ways of the tracks named are marked: where they begin, lead and end.
    public var hasMarks: Bool

    /// The style of URLs that name none.
    public static let defaultStyle = "heat"
    /// The layer of URLs that name none: every accepted track.
    public static let defaultLayer = TileSelection.defaultLayer

    /// A request with these parts.
    public init(
        style: String = defaultStyle, selection: TileSelection, tile: TileCoordinate, scale: Scale = .single,
        minus: TimeWindow? = nil, span: Span = .all, ramp: String? = nil, hasMarks: Bool = false
    ) {
        self.style = style
        self.selection = selection
        self.tile = tile
        self.scale = scale
        self.minus = minus
        self.span = selection.isWholeLayer ? .all : span
        self.ramp = ramp
        self.hasMarks = hasMarks
    }

    /// A request for all tracks of a layer.
    public init(
        style: String = defaultStyle, layer: String = defaultLayer, tile: TileCoordinate, scale: Scale = .single,
        window: TimeWindow = .allTime
    ) {
        self.init(style: style, selection: TileSelection(layer: layer, window: window), tile: tile, scale: scale)
    }

    /// A request for a tile as a query wants it.
    init(style: String, tile: TileCoordinate, scale: Scale = .single, parameters: TileParameters) {
        self.init(
            style: style, selection: parameters.selection, tile: tile, scale: scale, minus: parameters.minus,
            span: parameters.span, ramp: parameters.ramp, hasMarks: parameters.hasMarks)
    }

    /// The layer's name.
    public var layer: String { selection.layer }
    /// Who asks.
    public var viewer: Viewer { selection.viewer }

    /// Whether a style and a layer say all: the pictures that are kept on disk and prerendered.
    var isPlain: Bool { selection.isWholeLayer && minus == nil && ramp == nil }
}

/// A request for a tile and the revision its URL names, if any: with the current one the answer never changes.
public struct TileTarget: Hashable, Sendable {
    /// What is wanted.
    public let request: TileRequest
    /// The parameter `v`.
    public let revision: String?

    /// Reads `/tiles/[{style}/]{z}/{x}/{y}[@2x].png` with its parameters.
    ///
    /// A path that names no tile is a `404`: coordinates that do not exist, and numbers written otherwise than in plain
    /// decimal digits. A parameter that is malformed, or sent twice, is a `400`; unknown parameters are passed over. A URL
    /// without a query is read without making anything but the style's name.
    public init(_ target: RequestTarget) throws(Problem) {
        var request: TileRequest
        if target.path.contains(UInt8(ascii: "%")) {
            guard let segments = target.segments, !segments.contains(where: { $0.contains("/") }) else {
                throw Self.noSuchTile
            }
            request = try Self.read(Array(("/" + segments.joined(separator: "/")).utf8)[...])
        } else {
            request = try Self.read(target.path)
        }
        guard let query = target.query else {
            self.request = request
            revision = nil
            return
        }
        if let revision = Self.loneRevision(query) {
            self.request = request
            self.revision = revision
            return
        }
        let parameters = try TileParameters(target)
        self.request = TileRequest(
            style: request.style, tile: request.tile, scale: request.scale, parameters: parameters)
        revision = parameters.revision
    }

    /// The revision of a query that holds nothing else, as those of every web map that goes by our TileJSON do.
    private static func loneRevision(_ query: ArraySlice<UInt8>) -> String? {
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

    private static let start = Array("/tiles/".utf8)
    private static let ending = Array(".png".utf8)
    private static let double = Array("@2x".utf8)

    private static func read(_ path: ArraySlice<UInt8>) throws(Problem) -> TileRequest {
        guard path.starts(with: start), path.count > start.count + ending.count,
            path.suffix(ending.count).elementsEqual(ending)
        else { throw noSuchTile }
        var rest = path.dropFirst(start.count).dropLast(ending.count)
        var scale = TileRequest.Scale.single
        if rest.suffix(double.count).elementsEqual(double) {
            scale = .double
            rest = rest.dropLast(double.count)
        }
        guard let y = takeLastNumber(&rest), let x = takeLastNumber(&rest), let z = takeLastNumber(&rest),
            let zoom = ZoomLevel(z), let tile = TileCoordinate(zoom: zoom, x: x, y: y)
        else { throw noSuchTile }
        // What is left is nothing, or `style/` with the slash cut off.
        guard !rest.contains(UInt8(ascii: "/")) else { throw noSuchTile }
        if rest.isEmpty {
            // `/tiles//1/2/3.png` has a style without a name.
            guard path[path.startIndex + start.count] != UInt8(ascii: "/") else { throw noSuchTile }
            return TileRequest(tile: tile, scale: scale)
        }
        guard let style = String(validating: rest, as: UTF8.self) else { throw noSuchTile }
        return TileRequest(style: style, tile: tile, scale: scale)
    }

    /// More digits than the largest coordinate, 2^22 − 1, has.
    private static let tooManyDigits = 8

    /// Takes `/{number}` (at the start of the path: `{number}`) off the end: decimal digits without sign or leading zero.
    private static func takeLastNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var number = 0
        var place = 1
        var digits = 0
        while let byte = rest.last, byte != UInt8(ascii: "/") {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < tooManyDigits else { return nil }
            number += Int(byte - UInt8(ascii: "0")) * place
            place *= 10
            digits += 1
            rest.removeLast()
        }
        guard digits > 0, digits == 1 || number >= place / 10 else { return nil }
        if !rest.isEmpty { rest.removeLast() }
        return number
    }
}
