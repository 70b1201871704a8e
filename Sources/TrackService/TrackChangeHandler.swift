import HTTPCore
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TrackStore

/// Answers `DELETE` and `PATCH` of tracks.
struct TrackChangeHandler: RequestHandler {
    let context: HandlerContext
    private let queue = ChangeQueue("tileserve.changes", timeoutSeconds: Self.timeoutSeconds)

    /// Limit in bytes of a patch: a name and hundreds of tags.
    private static let patchBytes = 64 * 1024
    /// A removal takes a fraction of a second, unless another server is stuck.
    private static let timeoutSeconds = 30.0

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        routes.on(
            .patch, "/v1/tracks/{id}", for: .change, takes: .memory(limit: Self.patchBytes), as: Self.editTrack, patch)
        routes.on(.delete, "/v1/tracks/{id}", for: .change, as: Self.removeTrack, remove)
    }

    /// Removes a track: `204` when it is removed everywhere and its points are overwritten, `202` if a part of that is
    /// pending.
    private func remove(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        try context.checkReadiness()
        return queue.answer {
            guard let track = try library.database.track(id: path["id"]) else { throw Problem.noSuchTrack }
            try library.entry(of: track).checkPrecondition(request)
            let removal = try library.remove([track.id], drop: context.changes.dropPictures)
            context.changes.show()
            return try removal.reply(of: track.id)
        }
    }

    /// Edits a track with a JSON merge patch (RFC 7396) of `name`, `activity` and `tags`. Answers with the track.
    private func patch(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        try context.checkReadiness()
        let patch = try TrackPatch(request.content.bytes)
        return queue.answer {
            guard let track = try library.database.track(id: path["id"]) else { throw Problem.noSuchTrack }
            try library.entry(of: track).checkPrecondition(request)
            if try !library.database.edit([track.id], patch.edit(of: track)).isEmpty { context.showChange() }
            guard let now = try library.database.track(id: track.id) else {
                throw Problem.noSuchTrack
            }
            let entry = library.entry(of: now)
            var response = JSONResponse.response(entry.json)
            response.set(.eTag, entry.tag.description)
            response.forbidStoring()
            return .response(response)
        }
    }

    private static let editTrack = APIOperation(
        "edits name, activity and tags", .changes, detail: "A JSON merge patch (RFC 7396).",
        parameters: [.id, .ifMatch("track")],
        body: [.json(trackPatch), APIContent("application/merge-patch+json", trackPatch)],
        answers: [APIResponse("The track", .json(.track))], traits: .canBeMissing)

    private static let removeTrack = APIOperation(
        "removes a track", .changes, parameters: [.id, .ifMatch("track")], answers: .removal, traits: .canBeMissing)

    private static let trackPatch = APISchema.object(
        [
            ("name?", .pattern(#"^[^\x00-\x1f\x7f-\x9f]{0,\#(TrackEdit.nameCharacters)}$"#).orNull),
            ("activity?", tag.orEmpty),
            ("tags?", .either([.list(tag, limit: TrackPatch.tagLimit), .null])),
        ], isClosed: true
    ).named("TrackPatch")

    /// Of ASCII, letters, digits, and spaces within; of other characters, letters and digits, too.
    private static let tag: APISchema = {
        let others = #"\x00-\x1f!-,/:-@\[-\^`{-\x9f"#
        return .text(
            pattern: "^[^ \(others)]([^\(others)]*[^ \(others)])?$", maxLength: TrackEdit.tagCharacters)
    }()
}

/// A merge patch of a track.
struct TrackPatch: Equatable {
    /// nil leaves it unchanged; empty restores what was recorded.
    private(set) var name: String?
    private(set) var activity: String?
    /// The complete new set; nil leaves the tags unchanged.
    private(set) var tags: Set<String>?

    /// Reads a patch; the `400` names each member that is wrong.
    init(_ bytes: [UInt8]) throws(Problem) {
        var members = try BodyMembers(bytes)
        name = Self.text(
            members.text("name", "a line of up to \(TrackEdit.nameCharacters) characters") {
                TrackEdit.isName($0) ? $0 : nil
            })
        activity = Self.text(members.text("activity", Self.tagRule) { TrackEdit.tag($0) })
        tags = members.value("tags", "a list, each \(Self.tagRule)", Self.tags)
        try members.check()
    }

    private static let tagRule = "up to \(TrackEdit.tagCharacters) letters, digits, spaces and -_."
    /// More is not a sensible set of labels.
    fileprivate static let tagLimit = 100

    private static func text(_ edited: EditedValue<String>) -> String? {
        edited == .keep ? nil : edited.newValue ?? ""
    }

    private static func tags(_ value: JSONValue) -> Set<String>? {
        if value.isNull { return [] }
        guard case .list(let list) = value, list.count <= tagLimit else { return nil }
        let tags = list.compactMap { element in
            if case .text(let text) = element { TrackEdit.tag(text) } else { nil }
        }
        return tags.count == list.count ? Set(tags) : nil
    }

    /// The edit that makes `track` agree with the patch.
    func edit(of track: Track) -> TrackEdit {
        var edit = TrackEdit()
        edit.name = name
        edit.activity = activity
        if let tags {
            edit.addedTags = tags.subtracting(track.tags).sorted()
            edit.removedTags = Set(track.tags).subtracting(tags).sorted()
        }
        return edit
    }
}

extension APITag {
    static let changes = APITag("changes", "Imports, edits and removals")
}
