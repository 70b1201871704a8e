import Files
import HTTPCore
import JourneyFiles
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TrackStore

/// What a person has, to be written into one file.
package struct ExportedPerson: Sendable {
    private let content: PersonContent
    private let visits: [PersonFile.Visit]

    fileprivate init(_ content: PersonContent, _ visits: [PersonFile.Visit]) {
        (self.content, self.visits) = (content, visits)
    }

    /// Writes the file, replacing one that exists.
    package func write(to path: String) throws {
        try AtomicFile.write(try bytes(), to: path)
    }

    /// The bytes of the file.
    package func bytes() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/person.sqlite"
        try PersonFile.write(content, visited: visits, to: path)
        return try AtomicFile.read(path) ?? []
    }

    /// How much it is, for the user.
    package var text: String {
        DisplayText.list(
            [
                DisplayText.count(content.routes.count, "route"), DisplayText.count(content.journeys.count, "journey"),
                DisplayText.count(content.sessions.count, "session"),
                DisplayText.count(content.rewards.count, "reward"),
            ], "and")
    }
}

extension JourneyBook {
    /// What a person, nil for the owner, has at an instant. Descriptions and pictures of places that the person has not
    /// reached are left out unless `showsAll`.
    package func exported(_ person: String?, at now: Int64, showsAll: Bool) throws -> ExportedPerson {
        var content = try library.database.read { try $0.content(of: person, at: now) }
        let passport = try passport(of: person.map { .member($0) } ?? .owner, at: now)
        if !showsAll {
            for index in content.routes.indices {
                let route = content.routes[index]
                let open = passport.count(ofRoute: route.id)
                for place in route.placeIDs.indices.dropFirst(open) {
                    content.routes[index].route.places[place].description = nil
                    content.routes[index].route.places[place].tags = []
                    content.routes[index].route.places[place].credit = nil
                    content.routes[index].placePictures[route.placeIDs[place]] = nil
                }
            }
        }
        var visits: [PersonFile.Visit] = []
        for journey in try library.database.read({ try $0.journeys(of: person) }).reversed() {
            let state = try state(journey, at: now)
            visits += state.progress.unlocked.map { unlock in
                PersonFile.Visit(
                    journey: journey.id, place: state.known.stored.placeIDs[unlock.place], instant: unlock.instant)
            }
        }
        return ExportedPerson(content, visits)
    }
}

/// Answers `/v1/persons/{name}/export.sqlite`.
struct PersonFileHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/persons/{name}/export.sqlite", for: .read, as: Self.operation) { request, path in
            let caller = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
            return context.queues.long.answer {
                let person = try book.person(path["name"], for: caller)
                let file = try book.exported(person, at: book.now(), showsAll: caller == .owner)
                return .response(
                    JourneyHandler.unstored(
                        .content(try file.bytes(), type: Self.type, fileName: "journeys.sqlite")))
            }
        }
    }

    private static let type = "application/vnd.sqlite3"

    private static let operation = APIOperation(
        "what a person has, as one SQLite file", .journeys,
        detail: """
            Routes, places, journeys, sessions, visited places and rewards; the manual's page journeys has the tables. \
            Descriptions and pictures of places that a member has not reached are left out.
            """,
        parameters: [PersonHandler.name], answers: [APIResponse("The file", APIContent(type))], traits: .canBeMissing)
}
