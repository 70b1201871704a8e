import Files
import HTTPCore
import OpenAPI
import Pins
import PrimaryStore
import RequestHandling
import Text
import TrackStore

/// Answers `/v1/pins` and `/v1/pins/{id}`.
struct PinHandler: RequestHandler {
    let context: HandlerContext
    let access: PinAccess
    let photos: PinPhotoHandler
    let layers: PinLayers
    private let changes = ChangeQueue("tileserve.pins", timeoutSeconds: Self.timeoutSeconds)
    /// One at a time: a photo of 50 megapixels needs 200 MB while its pictures are made.
    private let uploads = ChangeQueue("tileserve.uploads", timeoutSeconds: Self.uploadTimeoutSeconds)

    /// A removal takes a fraction of a second, unless another server is stuck.
    private static let timeoutSeconds = 30.0
    /// A photo takes a second or two.
    private static let uploadTimeoutSeconds = 60.0
    static let entryLimit = 1000
    static let defaultEntries = 100

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        let body = BodyPolicy.memory(limit: PinBody.byteLimit)
        routes.on(.get, "/v1/pins", for: .read, as: .listPins, list)
        routes.on(
            .post, "/v1/pins", for: .contribute, takes: .file(limit: PinForm.byteLimit), as: .addPin, add)
        routes.on(.get, "/v1/pins/{id}", for: .read, as: .pin, show)
        routes.on(.patch, "/v1/pins/{id}", for: .contribute, takes: body, as: .editPin, edit)
        routes.on(.delete, "/v1/pins/{id}", for: .contribute, as: .removePin, remove)
    }

    private func list(_ request: Request) throws -> HandlerResult {
        let parameters = try PinParameters(request.target)
        let limit = try parameters.limit(in: 1...Self.entryLimit) ?? Self.defaultEntries
        return context.queues.reading.answer {
            let filter = try parameters.filter(library.calendar(), layers)
            let reader = PinReader(request.caller)
            let page = try library.database.read { snapshot in
                try snapshot.pins(filter, limit: limit, after: parameters.after, now: TrackDatabase.systemClock()) {
                    reader.isOwner || !$0.isHidden
                }
            }
            guard let page else { throw Problem.badRequest("after has to be the value of next in a previous list") }
            var object = JSONObject()
            let locked = try access.locked(page.pins, for: reader)
            object.add("pins", objects: page.pins.map { $0.json(hidesContent: locked.contains($0.id)) })
            if let next = page.next { object.add("next", next) }
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private func show(_ request: Request, _ path: PathParameters) -> HandlerResult {
        context.queues.reading.answer {
            let reader = PinReader(request.caller)
            return validated(try response(of: access.pin(path["id"], for: reader), reader), for: request)
        }
    }

    /// Adds a pin: a JSON object, or a form with the same members and the file `photo`.
    private func add(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let reader = PinReader(request.caller)
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(.unsupportedMediaType, "Content-Encoding is not supported here; send the body uncompressed")
        }
        guard case .file(let body) = request.content,
            let boundary = try FormPart.boundary(of: request.headers[.contentType])
        else {
            let content = try PinBody(Self.smallBody(request.content)).content(person: reader.person)
            return changes.answer { try created((try library.database.addPin(content), true), reader) }
        }
        return uploads.answer {
            let form = try withExtendedLifetime(body) { try PinForm(path: body.path, boundary: boundary) }
            let members = try PinBody(fields: form.fields)
            guard let photo = form.photo else {
                return try created((try library.database.addPin(members.content(person: reader.person)), true), reader)
            }
            return try created(photos.add(photo, members, by: reader), reader)
        }
    }

    /// The bytes of a body that is not a form.
    private static func smallBody(_ content: RequestContent) throws -> [UInt8] {
        guard case .file(let body) = content else { return content.bytes }
        return try withExtendedLifetime(body) {
            guard let bytes = try FileSource(path: body.path).readAll(limit: PinBody.byteLimit) else {
                throw BodyPolicy.memory(limit: PinBody.byteLimit).tooLongProblem
            }
            return bytes
        }
    }

    /// `201` with a new pin, or `200` with one that has the same photo.
    private func created(_ result: (pin: Pin, isNew: Bool), _ reader: PinReader) throws -> OutgoingResponse {
        context.showChange()
        var response = try response(of: result.pin, reader)
        response.status = result.isNew ? .created : .ok
        response.set(.location, "/v1/pins/\(result.pin.id)")
        response.forbidStoring()
        return .response(response)
    }

    private func edit(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        try context.checkReadiness()
        let body = try PinBody(request.content.bytes)
        let reader = PinReader(request.caller)
        return changes.answer {
            let before = try own(path["id"], reader)
            try request.checkPrecondition(JSONResponse.tag(of: response(of: before, reader)))
            guard let pin = try library.database.editPin(before.id, body.edit) else { throw PinAccess.noSuchPin }
            context.showChange()
            var response = try response(of: pin, reader)
            response.set(.eTag, JSONResponse.tag(of: response).description)
            response.forbidStoring()
            return .response(response)
        }
    }

    /// Removes a pin: `204` when it is removed everywhere and overwritten, `202` if a part of that is pending.
    private func remove(_ request: Request, _ path: PathParameters) -> HandlerResult {
        let reader = PinReader(request.caller)
        return changes.answer {
            try context.checkReadiness()
            let pin = try own(path["id"], reader)
            try request.checkPrecondition(JSONResponse.tag(of: response(of: pin, reader)))
            let removal = try library.removePins([pin.id])
            context.changes.show()
            return try removal.reply(of: pin.id.description)
        }
    }

    /// A pin that the reader may change.
    private func own(_ id: String, _ reader: PinReader) throws -> Pin {
        let pin = try access.pin(id, for: reader)
        guard reader.isAuthor(of: pin) else { throw PinAccess.notOwn }
        return pin
    }

    private func response(of pin: Pin, _ reader: PinReader) throws -> Response {
        let mayRead = try access.mayRead(pin, reader)
        let picture = mayRead ? try PinPictureDetails(pin, library, for: reader) : nil
        return JSONResponse.response(pin.fullJSON(hidesContent: !mayRead, picture: picture))
    }
}
