import HTTPCore
import Poster
import TileDrawing
import TileMath

/// Answers `/v1/poster`.
struct PosterHandler: Sendable {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Adds the route.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/poster", for: .read) { request, _ in try answer(request) }
    }

    /// Draws a poster on the queue of long answers; stops when the client disconnects.
    private func answer(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let poster = try PosterRequest(request.target)
        return context.queues.long.answerCancellably { [context] isDisconnected in
            do {
                let drawing = try Poster(poster, renderer: context.renderer, isCancelled: isDisconnected)
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
}

extension PosterRequest {
    private static let names: Set<String> = ["bbox", "paper", "dpi", "format", "title", "style", "theme", "base"]

    /// Reads the parameters of a request; one that is missing, malformed or sent twice is a `400` that says what is
    /// allowed.
    init(_ target: RequestTarget) throws(Problem) {
        var values: [String: String] = [:]
        for parameter in try target.parameters() where Self.names.contains(parameter.name) {
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw Problem.badRequest("\(parameter.name) is given twice")
            }
        }
        guard let box = values["bbox"].flatMap({ BoundingBox(text: $0) }) else {
            throw Problem.badRequest("bbox has to be W,S,E,N in degrees")
        }
        self.init(box: box)
        if let text = values["paper"] {
            guard let size = PaperSize(text) else { throw Problem.badRequest("paper \(PaperSize.expectation)") }
            paper = size
        }
        if let text = values["dpi"] {
            guard let number = Int(text), Self.resolutions.contains(number) else {
                throw Problem.badRequest(
                    "dpi has to be \(Self.resolutions.lowerBound) to \(Self.resolutions.upperBound)")
            }
            dpi = number
        }
        format = try Self.choice(values["format"], "format") ?? format
        theme = try Self.choice(values["theme"], "theme") ?? theme
        base = try Self.choice(values["base"], "base") ?? base
        title = values["title"] ?? title
        style = values["style"] ?? style
        selection = try TileParameters(target).selection
        do { try check() } catch { throw Problem.badRequest(error.description) }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String?, _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("\(name) has to be one of \(names)")
        }
        return choice
    }
}
