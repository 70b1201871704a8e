import HTTPCore
import OpenAPI
import Poster
import RequestHandling
import TileDrawing

/// Answers `/v1/poster`.
struct PosterHandler: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/poster", for: .read, as: Self.poster, answer)
    }

    /// Draws a poster on a queue of its own; stops when the client disconnects.
    private func answer(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let poster = try PosterRequest(request.target)
        return context.queues.posters.answerCancellably { [renderer] isDisconnected in
            do {
                let drawing = try Poster(poster, renderer: renderer, isCancelled: isDisconnected)
                let headers = [
                    ResponseHeader(.contentType, poster.format.mediaType),
                    ResponseHeader(
                        HeaderName("Content-Disposition"), "inline; filename=\"poster.\(poster.format.rawValue)\""),
                    ResponseHeader(.cacheControl, "private, no-store"),
                ]
                return .response(Response(status: .ok, headers: headers, body: .bytes(try drawing.bytes())))
            } catch let error as PosterError {
                throw Problem.badRequest(error.description)
            }
        }
    }

    private static let poster = APIOperation(
        "a map to print", .tiles,
        detail: "The map fills the page around the box; lines and letters have the same width in millimetres at every "
            + "resolution. A PNG has at most \(PosterRequest.pixelLimit / 1_000_000) million pixels.",
        parameters: [
            .box(example: "5.9,45.8,10.5,47.8"),
            APIParameter(
                "paper", .pattern(PaperSize.pattern), "A size (\(PaperSize.names.joined(separator: ", "))), or `WxHmm`",
                example: "A3"),
            APIParameter(
                "dpi", .integer(PosterRequest.resolutions, default: PosterRequest.defaultDPI), "Pixels an inch of a PNG"
            ), APIParameter("format", .words(of: PosterRequest.Format.self, default: .pdf), "The file format"),
            APIParameter("title", .text(maxLength: PosterRequest.titleLimit), "The title below the map"),
            APIParameter("style", .text(), "A style, as in `/styles`", example: "heat"), .theme("The background"),
            APIParameter(
                "base", .words(of: PosterRequest.Base.self, default: .map),
                "Land, water, borders and names below the heat, or nothing"),
        ] + .selection,
        answers: [APIResponse("The poster", PosterRequest.Format.allCases.map { APIContent($0.mediaType) })],
        traits: .canBeMissing)
}

extension PaperSize {
    /// The texts that are read, as a regular expression.
    fileprivate static let pattern: String = {
        let (least, most) = (Int(sides.lowerBound), Int(sides.upperBound))
        let side = "0*((\(NumberPattern.integers(least...most - 1)))([.][0-9]*)?|\(most)([.]0*)?)"
        let words = names + names.map { $0.lowercased() }
        return "^(\(words.joined(separator: "|"))|\(side)x\(side)mm)$"
    }()
}

extension PosterRequest {
    private static let names: Set<String> = ["bbox", "paper", "dpi", "format", "title", "style", "theme", "base"]

    /// Reads the parameters of a request; one that is missing, malformed or sent twice is a `400` that says what is
    /// allowed.
    init(_ target: RequestTarget) throws(Problem) {
        let parameters = try QueryParameters(target, Self.names)
        guard let box = try parameters.box("bbox") else { throw Problem.badRequest("bbox is missing") }
        self.init(box: box)
        if let text = parameters["paper"] {
            guard let size = PaperSize(text) else { throw Problem.badRequest("paper \(PaperSize.expectation)") }
            paper = size
        }
        dpi = try parameters.number("dpi", in: Self.resolutions) ?? dpi
        format = try parameters.choice("format") ?? format
        theme = try parameters.choice("theme") ?? theme
        base = try parameters.choice("base") ?? base
        title = parameters["title"] ?? title
        style = parameters["style"] ?? style
        selection = try TileParameters(target).selection
        do { try check() } catch { throw Problem.badRequest(error.description) }
    }
}
