public import HTTPCore
import Locking
public import TileDrawing
import TileMath

/// Answers requests for tiles.
struct TileHandler: Sendable {
    private let renderer: TileRenderer
    private let cache: TileCache<TileRequest>
    private let serverStatus: Locked<ServerStatus>
    private let cacheControl: CacheControl

    init(_ context: HandlerContext, _ cache: TileCache<TileRequest>) {
        renderer = context.renderer
        self.cache = cache
        serverStatus = context.serverStatus
        let configuration = context.configuration
        cacheControl = CacheControl(
            configuration.allowsPublicReading ? .everyone : .reader, configuration.tileFreshness)
    }

    /// Adds the route.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/tiles/**.png", for: .read) { request, _ in try answer(request) }
    }

    /// Answers from memory at once; otherwise when the tile is drawn.
    private func answer(_ request: Request) throws(Problem) -> HandlerResult {
        let target = try TileTarget(request.target)
        // Checked before the cache is read: what is in memory afterwards belongs to this revision.
        let isCurrent = isCurrent(target.revision)
        if let tile = cache.find(target.request) {
            return .ready(tile.reply(to: request, isCurrent: isCurrent))
        }
        try serverStatus.withLock { $0 }.checkReadiness()
        do { try renderer.check(target.request) } catch { throw Problem.problem(of: error) }
        return .deferred(
            Deferred { [self] completion in
                cache.draw(
                    target.request, plan: { try plan(target.request) }, has: { request.alreadyHas($0) },
                    reply: { outcome in
                        // The grid may have changed while the tile was drawn from its previous state.
                        let isCurrent = isCurrent && self.isCurrent(target.revision)
                        completion(reply(outcome, to: request, isCurrent: isCurrent))
                    })
            })
    }

    private func isCurrent(_ revision: String?) -> Bool {
        guard let revision else { return false }
        return serverStatus.withLock { $0.revision == revision }
    }

    private func plan(_ request: TileRequest) throws -> TilePlan {
        // A request from just before the start of a rebuild is answered like one after it.
        try serverStatus.withLock { $0 }.checkReadiness()
        return TilePlan(eTag: ETag(try renderer.digest(of: request))) {
            let picture = try renderer.picture(request)
            let tag = ETag(picture.digest)
            var tile = CachedTile(
                eTag: tag, response: prepared(picture.bytes, tag, cacheControl),
                immutableResponse: prepared(picture.bytes, tag, lastingControl))
            tile.timing = picture.timing
            return tile
        }
    }

    private func reply(_ outcome: TileResult, to request: Request, isCurrent: Bool) -> OutgoingResponse {
        switch outcome {
        case .tile(let tile, .hit): return tile.reply(to: request, isCurrent: isCurrent)
        case .tile(let tile, _):
            var response = tile.reply(to: request, isCurrent: isCurrent).response
            response.set(.serverTiming, tile.timing.header)
            response.cacheResult = tile.timing.fromDisk ? .disk : .miss
            return .response(response)
        case .unchanged(let tag):
            return .response(
                Response(
                    status: .notModified,
                    headers: [
                        ResponseHeader(.eTag, tag.description),
                        ResponseHeader(.cacheControl, (isCurrent ? lastingControl : cacheControl).description),
                        ResponseHeader(.serverTiming, "cache;desc=miss"),
                    ], cacheResult: .miss))
        case .failed(let problem): return .response(problem.response)
        }
    }

    /// For URLs with the current revision: cacheable for ever, unless caching is disabled.
    private var lastingControl: CacheControl {
        cacheControl.freshness == .none ? cacheControl : CacheControl(cacheControl.audience, .immutable)
    }

    private func prepared(_ picture: [UInt8], _ tag: ETag, _ cacheControl: CacheControl) -> PreparedResponse {
        var response = Response.png(picture, tag: tag, cacheControl)
        response.set(.serverTiming, "cache;desc=hit")
        response.cacheResult = .hit
        return PreparedResponse(response)
    }
}

extension CachedTile {
    /// The response to `request`: `304` if the client has the tile already, else the tile; cacheable for ever if the
    /// URL has the current revision.
    public func reply(to request: Request, isCurrent: Bool = false) -> OutgoingResponse {
        let response = isCurrent ? immutableResponse : response
        return request.alreadyHas(eTag) ? .notModified(response) : .prepared(response)
    }
}

extension TileTiming {
    /// The header `Server-Timing`: milliseconds, to a thousandth.
    var header: String {
        guard !fromDisk else { return "cache;desc=disk, grid;dur=\(Self.text(grid))" }
        return "cache;desc=miss, grid;dur=\(Self.text(grid)), draw;dur=\(Self.text(draw)), "
            + "encode;dur=\(Self.text(encode))"
    }

    private static func text(_ milliseconds: Double) -> String {
        let microseconds = Int((milliseconds * 1000).rounded())
        return "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())"
    }
}

/// A request for a tile, and the revision in its URL, if any: with the current one, the answer never changes.
public struct TileTarget: Hashable, Sendable {
    /// The requested tile.
    public let request: TileRequest
    /// The parameter `v`.
    public let revision: String?

    /// Reads `/tiles/[{style}/]{z}/{x}/{y}[@2x].png` with its parameters.
    ///
    /// A path that names no tile is a `404`: coordinates out of range, or numbers not in plain decimal digits. A
    /// parameter that is malformed or sent twice is a `400`; unknown parameters are ignored. Reading a URL without a
    /// query allocates nothing except the style's name.
    public init(_ target: RequestTarget) throws(Problem) {
        let request = try Self.read(target, Self.ending)
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
        revision = parameters.revision
    }

    /// As the other initializer, for the tiles of one name, which are drawn by a handler of their own.
    init(_ target: RequestTarget, name: String) throws(Problem) {
        try self.init(target)
        guard request.style == name else { throw Self.noSuchTile(of: name, ".png") }
    }

    /// The tile of `/tiles/{name}/{z}/{x}/{y}` with an ending other than that of pictures.
    static func tile(_ target: RequestTarget, name: String, ending: String) throws(Problem) -> TileCoordinate {
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

    private static func noSuchTile(of name: String, _ ending: String) -> Problem {
        .notFound(
            "no such tile; the path is /tiles/\(name)/{z}/{x}/{y}\(ending), z from 0 to 22, x and y below 2^z")
    }

    private static let start = Array("/tiles/".utf8)
    private static let ending = Array(".png".utf8)
    private static let double = Array("@2x".utf8)

    /// Reads a path without its query.
    private static func read(_ target: RequestTarget, _ ending: [UInt8]) throws(Problem) -> TileRequest {
        guard target.path.contains(UInt8(ascii: "%")) else { return try read(target.path, ending) }
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
    init(style: String, tile: TileCoordinate, scale: TileScale = .single, parameters: TileParameters) {
        self.init(
            style: style, selection: parameters.selection, tile: tile, scale: scale, minus: parameters.minus,
            span: parameters.span, ramp: parameters.ramp)
        theme = parameters.theme
        hasDecorations = parameters.hasDecorations
    }
}
