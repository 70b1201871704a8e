import Digest
import HTTPCore
import OpenAPI
import Poster
import RequestHandling
import Text
import TileDrawing
import TileMath

/// Answers `/v1/picture`: a picture of a part of the map, as tiles show it.
struct PictureHandler: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/picture", for: .read, as: Self.picture, answer)
    }

    private func answer(_ request: Request) throws -> HandlerResult { try answer(request, request.target) }

    /// The box of everything on the map; nil if nothing is.
    var bounds: BoundingBox? { context.status.bounds }

    /// Answers with the picture that the parameters of a target describe. Draws on the queue of posters; stops when the client
    /// disconnects.
    func answer(_ request: Request, _ target: RequestTarget) throws -> HandlerResult {
        let parameters = try PictureParameters(target)
        try context.checkReadiness()
        do { try renderer.check(parameters.request.tile) } catch { throw Problem.problem(of: error) }
        return context.queues.posters.answerCancellably { [context, renderer] isDisconnected in
            let picture = MapPicture(parameters.request, renderer: renderer, isCancelled: isDisconnected)
            var response = Response.png([], context.tiles.cacheControl(request.audience, isCurrent: false))
            response.set(.disposition, "inline; filename=\"map.png\"")
            for _ in 0..<Self.attempts {
                let digest = try picture.digest()
                let tag = ETag(digest)
                if request.alreadyHas(tag) { return validated(response, for: request, tag: tag) { [] } }
                let bytes = try picture.png()
                // A change while the picture was drawn would give some tiles of before and some of after it.
                if try picture.digest() == digest { return validated(response, for: request, tag: tag) { bytes } }
            }
            throw Problem.unavailable("the map changes too fast; send the request again", retryAfterSeconds: 1)
        }
    }

    /// Drawings, if the map changes under each of them.
    private static let attempts = 3

    private static let picture = APIOperation(
        "a picture of a part of the map", .tiles,
        detail:
            "The place is `bbox`, with `zoom` for exactly this box in the pixels of the zoom level's tiles, or with `size` "
            + "for the deepest zoom level at which the box fits; or `center` with `zoom` and `size`. Without `base=map`, "
            + "the background is transparent.",
        parameters: [
            .bounds,
            APIParameter(
                "center", .tuple([.longitude, .latitude]), "Longitude and latitude in degrees", example: "13.4,52.5"),
            APIParameter("zoom", .zoom, "The zoom level", example: "12"),
            APIParameter(
                "size", .pattern(PictureParameters.sizePattern),
                "Width and height on the screen; with `@2x`, the picture has twice as many pixels each way",
                example: "640x480"),
            APIParameter("style", .text(), "A style, as in `/styles`", example: "heat"),
            APIParameter(
                "base", .choice(["map", "none"], default: "none"), "Land, water, borders and names below the tiles"),
        ] + .selection + .appearance, answers: [APIResponse("The picture", .png)], traits: [.canBeMissing, .hasETag])
}

/// The parameters of a picture.
struct PictureParameters {
    let request: MapPicture.Request

    private static let names: Set<String> = ["bbox", "center", "zoom", "size", "style", "base"]
    /// If only a place is given.
    private static let usualSize = (width: 1024, height: 768)
    private static let double = "@2x"

    /// The texts of `size` that are read, as a regular expression.
    static let sizePattern: String = {
        let single = NumberPattern.integers(MapPicture.sides)
        let half = NumberPattern.integers(1...MapPicture.sides.upperBound / 2)
        return "^((\(single))x(\(single))|(\(half))x(\(half))\(double))$"
    }()

    /// Reads the parameters of a request; what is missing, malformed or too large is a `400` that says what is allowed.
    init(_ target: RequestTarget) throws(Problem) {
        let parameters = try QueryParameters(target, Self.names)
        let zoom = try parameters.zoom("zoom")
        let (size, scale) = try Self.size(parameters)
        let place: Place
        switch (try parameters.box("bbox"), try Self.center(parameters)) {
        case (let box?, nil):
            guard zoom == nil || size == nil else {
                throw Problem.badRequest("bbox needs zoom or size, not both: one of them follows from the other")
            }
            if let zoom { place = try Place(box, zoom) } else { place = try Place(box, size ?? Self.usualSize) }
        case (nil, let center?):
            guard let zoom else { throw Problem.badRequest("center needs zoom") }
            place = Place(center, zoom, size ?? Self.usualSize)
        default: throw Problem.badRequest("give one place: bbox, or center with zoom")
        }
        let tile = TileRequest(
            style: parameters["style"] ?? TileRequest.defaultStyle, tile: TileCoordinate(northWestOf: place.zoom),
            scale: scale, parameters: try TileParameters(target))
        let factor = scale.rawValue
        request = MapPicture.Request(
            tile, columns: factor * place.columns.lowerBound..<factor * place.columns.upperBound,
            rows: factor * place.rows.lowerBound..<factor * place.rows.upperBound,
            base: try parameters.choice("base") ?? .none)
    }

    private typealias Size = (width: Int, height: Int)

    private static func size(_ parameters: QueryParameters) throws(Problem) -> (Size?, TileScale) {
        guard let text = parameters["size"] else { return (nil, .single) }
        let scale: TileScale = text.hasSuffix(double) ? .double : .single
        let sides = MapPicture.sides.lowerBound...MapPicture.sides.upperBound / scale.rawValue
        let numbers = text.dropLast(scale == .double ? double.count : 0).split(
            separator: "x", omittingEmptySubsequences: false
        ).map { $0.first == "0" ? nil : QueryParameters.digits($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1], sides.contains(width),
            sides.contains(height)
        else {
            throw Problem.badRequest(
                "size has to be WIDTHxHEIGHT of 1 to \(MapPicture.sides.upperBound) pixels each, "
                    + "or WIDTHxHEIGHT@2x of half as many")
        }
        return ((width, height), scale)
    }

    private static func center(_ parameters: QueryParameters) throws(Problem) -> GeoPoint? {
        try parameters.value("center", "longitude,latitude in degrees") { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                FixedDecimal(String($0))?.double
            }
            guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1] else { return nil }
            return GeoPoint(longitude: longitude, latitude: latitude)
        }
    }

    /// A rectangle of pixels of a zoom level, in tiles of 256 pixels.
    private struct Place {
        let zoom: ZoomLevel
        let columns: Range<Int>
        let rows: Range<Int>

        /// Exactly a box.
        init(_ box: BoundingBox, _ zoom: ZoomLevel) throws(Problem) {
            let edges = try Edges(box)
            self.zoom = zoom
            let side = Self.side(zoom)
            // At least a pixel, however small the box is.
            let (left, top) = (Int((edges.left * side).rounded()), Int((edges.top * side).rounded()))
            columns = left..<max(left + 1, Int((edges.right * side).rounded()))
            rows = top..<max(top + 1, Int((edges.bottom * side).rounded()))
            let limit = MapPicture.sides.upperBound
            guard columns.count <= limit, rows.count <= limit else {
                throw Problem.badRequest(
                    "the bbox has \(columns.count) by \(rows.count) pixels at zoom level \(zoom), and the limit is "
                        + "\(limit) each way; choose a smaller box or zoom")
            }
        }

        /// A box in the middle of a picture, at the deepest zoom level at which it fits.
        init(_ box: BoundingBox, _ size: Size) throws(Problem) {
            let edges = try Edges(box)
            let fits = { (zoom: ZoomLevel) in
                (edges.right - edges.left) * Self.side(zoom) <= Double(size.width)
                    && (edges.bottom - edges.top) * Self.side(zoom) <= Double(size.height)
            }
            let levels = (0...ZoomLevel.deepest.number).compactMap { ZoomLevel($0) }
            guard let deepest = levels.last(where: fits) else {
                throw Problem.badRequest("the bbox has more than \(size.width)x\(size.height) pixels at zoom level 0")
            }
            self.init(
                x: (edges.left + edges.right) / 2, y: (edges.top + edges.bottom) / 2, deepest, size)
        }

        init(_ center: GeoPoint, _ zoom: ZoomLevel, _ size: Size) {
            let limit = BoundingBox.mercatorLatitude
            let point = WorldPoint(longitude: center.longitude, latitude: min(max(center.latitude, -limit), limit))
            self.init(
                x: Double(point.x) / Double(WorldPoint.side), y: Double(point.y) / Double(WorldPoint.side), zoom, size)
        }

        /// Around a point, as shares of the world's width and height.
        private init(x: Double, y: Double, _ zoom: ZoomLevel, _ size: Size) {
            self.zoom = zoom
            let left = Int((x * Self.side(zoom) - Double(size.width) / 2).rounded())
            let top = Int((y * Self.side(zoom) - Double(size.height) / 2).rounded())
            columns = left..<left + size.width
            rows = top..<top + size.height
        }

        private static func side(_ zoom: ZoomLevel) -> Double {
            Double(TileCoordinate.cellsPerSide * zoom.tilesPerSide)
        }
    }

    /// The edges of a box as shares of the world's width and height.
    private struct Edges {
        let left: Double
        let right: Double
        let top: Double
        let bottom: Double

        init(_ box: BoundingBox) throws(Problem) {
            let limit = BoundingBox.mercatorLatitude
            guard box.west != box.east, box.south < box.north, box.south < limit, box.north > -limit else {
                throw Problem.badRequest("the bbox has no area on the map, which ends at \(limit)°")
            }
            left = (box.west + 180) / 360
            // Beyond 1 if the box crosses 180°.
            right = (box.east + 180) / 360 + (box.crossesAntimeridian ? 1 : 0)
            top = Self.northing(box.north)
            bottom = Self.northing(box.south)
        }

        private static func northing(_ latitude: Double) -> Double {
            let limit = BoundingBox.mercatorLatitude
            let point = WorldPoint(longitude: 0, latitude: min(max(latitude, -limit), limit))
            return min(1, max(0, Double(point.y) / Double(WorldPoint.side)))
        }
    }
}
