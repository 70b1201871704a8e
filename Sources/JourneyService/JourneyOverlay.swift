import Caching
import Digest
import HTTPCore
import JPEG
import JourneyRendering
import Journeys
import Locking
import OpenAPI
import PNG
import PrimaryStore
import RequestHandling
import Text
import TileDrawing
import TileMath
import TileRendering
import TrackStore

/// The tiles `/tiles/journey/…`: the ways of journeys, what is done of them, places and figures.
struct JourneyOverlay: Overlay {
    let book: JourneyBook

    /// Journeys of one tile.
    private static let limit = 20

    struct Query: Sendable {
        let journeys: [String]
        let asof: DateText?
        let person: LibraryPerson
    }

    var description: OverlayDescription {
        var about = OverlayDescription(
            "journey", "Journeys", of: "journeys", .journeys,
            [
                APIParameter(
                    "journey", .set(.element, limit: Self.limit), "Up to \(Self.limit) ids, separated by commas",
                    isRequired: true, example: "5f2dd97f41d2268a5b0c1d2e3f405160"),
                JourneyOperations.asof, .theme("The map below"),
            ])
        about.summary = "journeys along their routes"
        about.detail = """
            What is left is grey, what is done has the colours of a ramp. A tile is the same until the figure has moved by half \
            a pixel.
            """
        about.dependsOnMap = false
        return about
    }

    func query(_ request: Request) throws(Problem) -> Query {
        let parameters = try QueryParameters(request.target)
        guard let ids = try parameters.trackIDs("journey", limit: Self.limit) else {
            throw Problem.badRequest("journey is missing; it has to be one id, or several separated by commas")
        }
        return Query(
            journeys: ids, asof: try parameters.date("asof"),
            person: try LibraryPerson.required(request.caller, for: JourneyProblem.things))
    }

    func content(_ query: Query) throws -> [JourneyState] {
        let now = try book.instant(query.asof)
        return try query.journeys.map { try book.state(try book.journey($0, for: query.person), at: now) }
    }

    func bounds(_ content: [JourneyState], _ status: ServerStatus) -> BoundingBox? {
        .enclosing(content.compactMap(\.known.bounds))
    }

    func picture(_ request: TileRequest, of content: [JourneyState]) throws -> OverlayPicture {
        let journeys = try content.map { state in
            DrawnJourney(
                try state.known.prepared.value.get(), metres: state.progress.metres,
                reached: state.progress.unlocked.count, figure: try figure(of: state.journey))
        }
        let tile = JourneyTile(request.tile, request.scale, theme: request.theme, of: journeys)
        let empty = request.scale.emptyPicture
        return .planned(tile.digest) { try tile.png() ?? empty }
    }

    /// The picture of the person; the standard figure for a team.
    private func figure(of journey: StoredJourney) throws -> JourneyFigure {
        guard journey.members.count == 1 else { return .standard }
        let person = journey.members[0].name
        let (bytes, name) = try book.library.database.read { snapshot in
            (try snapshot.picture(of: .person(person)), try snapshot.profile(of: person).shownName)
        }
        let key = ContentDigest(of: bytes ?? Array(name.utf8))
        return try figures.value(for: key, cost: { _ in 1 }) {
            // A picture that cannot be read must not hide the journey.
            JourneyFigure(
                try bytes.flatMap { try? Self.picture($0) } ?? PersonPicture(name: name).image(side: Self.side))
        }
    }

    /// Twice as many pixels as the larger figure has.
    private static let side = 128

    /// The pixels of a JPEG file, opaque.
    private static func picture(_ bytes: [UInt8]) throws -> RGBAImage {
        let picture = try JPEGCodec.decode(bytes, side: side, pixelLimit: 1 << 20)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(picture.width * picture.height * 4)
        for pixel in stride(from: 0, to: picture.pixels.count, by: 3) {
            pixels += picture.pixels[pixel..<pixel + 3]
            pixels.append(.max)
        }
        return RGBAImage(width: picture.width, height: picture.height, bytes: pixels)
    }

    private let figures = SharedCache<ContentDigest, JourneyFigure>(costLimit: 500)

    init(_ book: JourneyBook) {
        self.book = book
    }
}
