import HTTPCore
import OpenAPI
import PhotoFiles
import PhotoLocating
import PhotoMatching
import Pins
import PrimaryStore
import RequestHandling
import TileMath
import TrackStore

/// Answers `GET /v1/pins/{id}/photo`, and makes pins of uploaded photos.
struct PinPhotoHandler: RequestHandler {
    let context: HandlerContext
    let access: PinAccess
    private let zones = PlaceZones()

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/pins/{id}/photo", for: .read, as: Self.pinPhoto, photo)
    }

    // MARK: Reading

    /// A picture of a pin's photo. The original has the camera's number and the exact place: only the author and the
    /// owner get it. For everybody else it does not exist, and neither do photos of locked pins.
    private func photo(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let size = try Self.size(request.target)
        return context.queues.reading.answer {
            let reader = PinReader(request.caller)
            let pin = try access.pin(path["id"], for: reader)
            guard try access.mayRead(pin, reader), size != .original || reader.isAuthor(of: pin),
                let photo = try library.database.photo(ofPin: pin.id),
                let bytes = try library.database.picture(ofPin: pin.id, size)
            else { throw PinAccess.noSuchPin }
            var response = Response.content(bytes, type: size == .original ? photo.contentType : "image/jpeg")
            if size == .original { response.set(.disposition, "attachment") }
            return validated(response, for: request)
        }
    }

    private static func size(_ target: RequestTarget) throws(Problem) -> PinPhoto.Size {
        try QueryParameters(target).choice("size") ?? .screen
    }

    // MARK: Uploading

    /// Stores a pin with a photo. If its author has a pin with the same photo, that one is returned.
    ///
    /// The place is that of the body, else that of the photo, else that of the author's tracks at the photo's time.
    /// Throws a `422` if it is not known.
    func add(_ bytes: [UInt8], _ body: PinBody, by reader: PinReader) throws -> (pin: Pin, isNew: Bool) {
        do {
            let file = try PhotoFile(bytes: bytes)
            var metadata = try file.metadata()
            if let time = body.newTime {
                metadata.readings = [ClockReading(shown: time, meaning: .utc, field: "time")]
                metadata.stamp.instant = nil
            }
            let position = try position(of: metadata, body, reader)
            let photo = try PinnedPhoto(
                file, metadata, at: position, person: reader.person, keeping: .everything)
            let content = body.applied(to: photo.content)
            let now = TrackDatabase.systemClock()
            let added = try library.database.addPin(content, photo.photo) { !$0.isHidden && !$0.isExpired(at: now) }
            return (added.pin, added.isNew)
        } catch let error as PhotoError {
            throw Problem(.unprocessable, "the photo cannot be read: \(error)")
        }
    }

    private func position(
        of metadata: PhotoMetadata, _ body: PinBody, _ reader: PinReader
    ) throws -> PinnedPhoto.Position {
        let given = body.place.flatMap { GeoPoint(longitude: $0.degrees.longitude, latitude: $0.degrees.latitude) }
        // A member finds out only where they were themselves: a photo can claim any time. Nobody has the number -1.
        let number = try reader.person.map { name in
            try library.database.personNumber(named: name) ?? -1
        }
        let timelines = try LibraryTimelines(library, person: number)
        let matcher = try PhotoMatcher(library, timelines, zones: zones)
        guard let located = try matcher.locate([PhotoMatcher.Photo(metadata, givenPlace: given)]).first else {
            throw Problem.internalServerError
        }
        if let place = body.place {
            return PinnedPhoto.Position(place: place, time: located.best?.instant, method: .hand, radiusMetres: nil)
        }
        guard let position = PinnedPhoto.Position(located) else {
            let reason = located.reason ?? "the place is not known"
            throw Problem(.unprocessable, "the photo cannot be located: \(reason); give lon and lat")
        }
        return position
    }

    private static let pinPhoto = APIOperation(
        "a picture of a pin's photo", .pins,
        detail: "`thumb` and `screen` are JPEG without metadata; only its author and the owner get the original.",
        parameters: [.id, APIParameter("size", .words(of: PinPhoto.Size.self, default: .screen), "Which picture")],
        answers: [APIResponse("The picture", APIContent("image/jpeg"))], traits: [.canBeMissing, .hasETag])
}
