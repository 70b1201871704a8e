import HTTPCore
import OpenAPI
import PhotoFiles
import PhotoLocating
import PhotoMatching
import RequestHandling
import TrackStore

/// Answers `POST /v1/photos/locate`: when and where a photo was taken.
struct PhotoHandler: RequestHandler {
    let context: HandlerContext
    private let zones = PlaceZones()

    /// A raw photo of 100 megapixels has about 100 MB; of a video only a part is needed, but it is sent as a whole.
    static let byteLimit = 128 << 20

    func add(to routes: inout Routes) {
        routes.on(
            .post, "/v1/photos/locate", for: .read, takes: .file(limit: Self.byteLimit), as: Self.locatePhoto, locate)
    }

    /// Nothing of the photo is stored; its file is removed after the answer.
    private func locate(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        guard case .file(let body) = request.content else {
            throw Problem.badRequest("there is no photo; send one as the body")
        }
        let library = context.library
        // The timelines of a large library take 100 MB, so one request at a time reads them.
        return context.queues.long.answerCancellably { isDisconnected in
            let metadata = try withExtendedLifetime(body) { try Self.metadata(body.path) }
            let timelines = try LibraryTimelines(library, isCancelled: isDisconnected)
            let matcher = try PhotoMatcher(library, timelines, zones: zones)
            let located = try matcher.locate([PhotoMatcher.Photo(metadata)])
            guard let found = located.first else { throw Problem.internalServerError }
            var response = JSONResponse.response(found.json)
            response.forbidStoring()
            return .response(response)
        }
    }

    private static func metadata(_ path: String) throws -> PhotoMetadata {
        do {
            return try PhotoFile(path: path).metadata()
        } catch let error as PhotoError {
            throw Problem(.unprocessable, "the photo cannot be read: \(error)")
        }
    }

    private static let locatePhoto = APIOperation(
        "when and where a photo was taken", .tracks,
        detail: "From its metadata and the tracks; the photo is not stored.",
        body: [APIContent("application/octet-stream")],
        answers: [APIResponse("The most likely time and place, and all candidates", .json(locatedPhoto))])

    /// What is not known is null.
    private static let locatedPhoto = APISchema.object([
        ("time", .text().orNull), ("zone?", .text()), ("timeSource?", .text().orNull), ("lon?", .longitude.orNull),
        ("lat?", .latitude.orNull), ("radius?", .amount.orNull), ("method?", .text().orNull),
        ("track?", .text().orNull),
        ("person?", .text().orNull), ("reason", .text().orNull), ("doubt?", .text()), ("candidates", .list(.object())),
    ]).named("LocatedPhoto")
}
