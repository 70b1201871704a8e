import HTTPCore
import OpenAPI
import PrimaryStore
import RequestHandling
import Stays
import Text
import TrackStore

/// Answers changes of the names of places where persons stayed: `/v1/stays/places/{id}`, where the id is a position.
struct StayNameHandler: RequestHandler {
    let context: HandlerContext
    private let changes = ChangeQueue("tileserve.stay-names", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: a name whose characters are all escaped.
    private static let byteLimit = 4096

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        routes.on(
            .put, "/v1/stays/places/{id}", for: .change, takes: .memory(limit: Self.byteLimit), as: Self.nameStays, name
        )
        routes.on(.delete, "/v1/stays/places/{id}", for: .change, as: Self.removeStayName, removeName)
    }

    private func name(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try QueryParameters(request.target)["person"] ?? ""
        let position = try Self.position(path["id"])
        let name = StayName(
            longitude: position.longitude, latitude: position.latitude, name: try Self.name(in: request.content.bytes))
        return changes.answer {
            try context.checkReadiness()
            let named = try library.database.nameStays(at: name, of: person.isEmpty ? nil : person)
            var json = JSONWriter()
            json.object { json in
                json.add("id", StayPlace.id(longitude: named.longitude, latitude: named.latitude))
                json.add("person", person)
                json.add("lon", Int64(named.longitude), places: 7)
                json.add("lat", Int64(named.latitude), places: 7)
                json.add("name", named.name)
            }
            json.raw("\n")
            var response = JSONResponse.response(bytes: json.bytes)
            response.forbidStoring()
            return .response(response)
        }
    }

    private func removeName(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try QueryParameters(request.target)["person"] ?? ""
        let position = try Self.position(path["id"])
        return changes.answer {
            try context.checkReadiness()
            let isRemoved = try library.database.removeStayName(
                longitude: position.longitude, latitude: position.latitude, of: person.isEmpty ? nil : person)
            guard isRemoved else { throw Problem.notFound("no place of this person has a name here") }
            return .response(Response(status: .noContent))
        }
    }

    private static func position(_ id: String) throws(Problem) -> (longitude: Int32, latitude: Int32) {
        guard let position = StayPlace.position(id: id) else {
            throw Problem.notFound("the id of a place is its position, LON,LAT in degrees")
        }
        return position
    }

    /// The only member of the body.
    private static func name(in bytes: [UInt8]) throws(Problem) -> String {
        var members = try BodyMembers(bytes)
        let name = members.value("name", "a line of 1 to \(StayName.limit) characters", isRequired: true) { value in
            if case .text(let text) = value { StayName.text(text) } else { nil }
        }
        try members.check()
        return name ?? ""
    }

    private static let place = [
        APIParameter(
            "id", .tuple([.longitude, .latitude]), "The position, `LON,LAT` in degrees", in: .path,
            example: "13.3904,52.5081"),
        APIParameter("person", .text(), "Whose place it is; empty for the owner"),
    ]

    private static let nameStays = APIOperation(
        "names a place", .statistics,
        detail: """
            The id is the position, `LON,LAT` in degrees. All stays within 50 m of it have the name; the name of a \
            place that is as near is replaced, and its position stays.
            """,
        parameters: place,
        body: [
            .json(
                .object(
                    [
                        (
                            "name",
                            .text(
                                pattern: #"^[^\x00-\x1f\x7f-\x9f]*(?=[^\x00-\x1f\x7f-\x9f])\S[^\x00-\x1f\x7f-\x9f]*$"#,
                                maxLength: StayName.limit)
                        )
                    ], isClosed: true))
        ],
        answers: [
            APIResponse(
                "The name and its position",
                .json(
                    .object([
                        ("id", .text()), ("person", .text()), ("lon", .longitude), ("lat", .latitude),
                        ("name", .text()),
                    ])))
        ], traits: .canBeMissing)

    private static let removeStayName = APIOperation(
        "removes the name of a place", .statistics, parameters: place,
        answers: [APIResponse("It has no name any more", nil, status: .noContent)], traits: .canBeMissing)
}
