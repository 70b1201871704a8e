import Digest
import HTTPCore
import OpenAPI
import Pins
import PrimaryStore
import Replay
import RequestHandling
import Scene
import SceneRendering
import Styling
import Text
import TileDrawing
import TileMath
import TrackStore
import Tracks

/// Answers `/v1/scene.png`, `.svg` and `.json`: tracks in three dimensions.
struct SceneHandler: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer
    /// Which pins a caller may read.
    let readablePins: @Sendable (Caller) -> @Sendable (Pin) -> Bool

    private enum Form: String, CaseIterable {
        case png, svg, json

        var type: String {
            switch self {
            case .png: "image/png"
            case .svg: "image/svg+xml"
            case .json: "application/json"
            }
        }
    }

    func add(to routes: inout Routes) {
        for form in Form.allCases {
            routes.on(.get, "/v1/scene.\(form.rawValue)", for: .read, as: Self.operation(form)) { request, _ in
                try answer(request, form)
            }
        }
    }

    /// What a request asks for.
    private struct Query: Sendable {
        var tracks: [String]
        var height: SceneHeight
        var view: SceneView
        var hasCommonStart: Bool
        var theme: Theme
    }

    private static func query(_ target: RequestTarget) throws(Problem) -> Query {
        let parameters = try QueryParameters(target)
        guard let tracks = try parameters.trackIDs("track", limit: SceneLimits.tracks) else {
            throw Problem.badRequest("track is missing; it has to be one id, or several separated by commas")
        }
        var view = SceneView()
        view.azimuth = try number("azimuth", in: 0...360, parameters) ?? view.azimuth
        view.tilt = try number("tilt", in: SceneView.tilts, parameters) ?? view.tilt
        view.stretch = try number("stretch", in: stretches, parameters)
        if let size = try parameters.size("size", in: SceneView.sizes) {
            (view.width, view.height) = size
        }
        let start = try parameters.value("start", "common") { $0 == "common" ? true : nil }
        return Query(
            tracks: tracks, height: try parameters.choice("height") ?? .elevation, view: view,
            hasCommonStart: start ?? false, theme: try parameters.choice("theme") ?? .light)
    }

    private static let stretches = 0.01...10_000.0
    private static let side = NumberPattern.integers(SceneView.sizes)
    private static let sizes = "\(SceneView.sizes.lowerBound) to \(SceneView.sizes.upperBound)"

    private static func number(
        _ name: String, in range: ClosedRange<Double>, _ parameters: QueryParameters
    ) throws(Problem) -> Double? {
        try parameters.value(name, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            FixedDecimal(text).flatMap { range.contains($0.double) ? $0.double : nil }
        }
    }

    private func answer(_ request: Request, _ form: Form) throws -> HandlerResult {
        try context.checkReadiness()
        let query = try Self.query(request.target)
        return context.queues.long.answerCancellably { isDisconnected in
            let scene = try scene(query, for: request.caller, isDisconnected)
            let bytes: [UInt8]
            switch form {
            case .json: bytes = Array(scene.json.text.utf8)
            case .png, .svg:
                let ground = SceneGround(renderer: renderer, theme: query.theme)
                let picture = ScenePicture(
                    scene, map: ground.map(of: scene),
                    ground: try ground.pictures(of: scene, isCancelled: isDisconnected), theme: query.theme)
                bytes = form == .png ? try picture.png() : try picture.svg()
            }
            // Two SVG documents of the same scene differ, because cairo numbers their elements.
            let tag =
                form == .svg
                ? ETag(ContentDigest(of: Array("\(scene.json.text) \(query.theme) \(context.status.revision)".utf8)))
                : nil
            return validated(.content(bytes, type: form.type), for: request, tag: tag)
        }
    }

    private func scene(
        _ query: Query, for caller: Caller, _ isDisconnected: @escaping WorkQueue.DisconnectCheck
    ) throws -> Scene {
        guard var source = try TrackReplaySource(context.library, isCancelled: isDisconnected) else {
            throw Problem.noSuchLayer
        }
        let mayRead = readablePins(caller)
        source.admitsPhoto = mayRead
        if !caller.isOwner { source.admitsContent = mayRead }
        var tracks: [SceneTrack] = []
        var posts: [ScenePost] = []
        for id in query.tracks {
            guard let track = try source.track(id: id) else { throw Problem.noSuchTrack }
            do {
                let course = try RecordedCourse(of: track, from: source)
                tracks.append(SceneTrack(track, course))
                posts += course.posts
            } catch ReplayError.noSuchTrack {
                throw Problem.noSuchTrack
            }
            if let start = track.start, let end = track.end {
                let first = ReplayPhoto.Order(time: start - 1, number: .max)
                let photos = try source.photos(after: first, of: track, limit: SceneLimits.posts)
                posts += photos.filter { $0.order.time <= end }.map { ScenePost($0) }
            }
        }
        let scene = Scene(
            tracks, posts: posts, height: query.height, view: query.view, hasCommonStart: query.hasCommonStart,
            calendar: try context.library.calendar())
        guard let scene else { throw Problem(.conflict, "no point of these tracks has a time") }
        return scene
    }

    private static func operation(_ form: Form) -> APIOperation {
        APIOperation(
            "tracks in three dimensions, as \(form.rawValue.uppercased())", .scene,
            detail: """
                A parallel projection: from above (`tilt=90`) with north up (`azimuth=0`) it is the map. Full hours, marked \
                points and photos stand as posts.
                """,
            parameters: [
                APIParameter(
                    "track", .set(.element, limit: SceneLimits.tracks),
                    "Up to \(SceneLimits.tracks) ids, separated by commas", isRequired: true,
                    example: "a2B3c4D5e6"),
                APIParameter(
                    "height", .words(of: SceneHeight.self, default: .elevation),
                    "What stands for height: the elevation, the time since the beginning, or the speed"),
                APIParameter(
                    "azimuth", .number(0...360), "The direction in which one looks, in degrees; 315 without it"),
                APIParameter(
                    "tilt", .number(SceneView.tilts), "Degrees above the ground from which one looks; 35 without it"),
                APIParameter(
                    "stretch", .number(stretches),
                    "How many times as high as wide heights are; without it the relief is an eighth of the width"),
                APIParameter(
                    "size", .pattern("^(\(side))x(\(side))$"), "Pixels, \(sizes) each; 1024x768 without it",
                    example: "800x600"),
                APIParameter("start", .choice(["common"]), "Counts the time of each track from its own beginning"),
                .theme("The background"),
            ], answers: [APIResponse("The scene", APIContent(form.type))], traits: [.canBeMissing, .hasETag])
    }
}

extension APITag {
    fileprivate static let scene = APITag("scene", "Tracks in three dimensions")
}

extension SceneTrack {
    fileprivate init(_ track: ReplayTrack, _ course: RecordedCourse) {
        self.init(
            id: track.id, name: track.name,
            segments: course.parts.map { part in
                part.map { point in
                    ScenePoint(
                        WorldPoint(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7),
                        time: point.time, elevation: point.elevation.map { Double($0) / 10 })
                }
            })
    }
}

extension RecordedCourse {
    /// Points that somebody marked.
    fileprivate var posts: [ScenePost] {
        parts.joined().filter(\.isMarked).map { point in
            ScenePost(
                .mark, at: WorldPoint(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7),
                time: point.time, label: point.name)
        }
    }
}

extension ScenePost {
    fileprivate init(_ photo: ReplayPhoto) {
        self.init(
            .photo, at: WorldPoint(longitude: Double(photo.longitude) / 1e7, latitude: Double(photo.latitude) / 1e7),
            time: photo.order.time, label: photo.caption)
    }
}
