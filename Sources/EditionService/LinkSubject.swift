package import Editions
package import HTTPCore
package import Links
package import PrimaryStore
import TrackQuery
package import TrackStore
import Tracks

/// What a link shows: an edition that exists, or some tracks or a layer, for which an edition is made.
package struct LinkSubject: Sendable {
    package enum Content: Sendable, Equatable {
        /// The name of an edition.
        case edition(String)
        /// Ids of tracks.
        case tracks([String])
        /// The name of a layer, whose condition stays as it is when the link is made.
        case layer(String)
    }

    private let content: Content
    private let rule: EditionRule
    private let zones: [RequestedZone]

    /// `rule` and `zones` are those of an edition that is made, which hides every place that ever had a zone as well.
    package init(_ content: Content, rule: EditionRule, zones: [RequestedZone]) {
        self.content = content
        self.rule = rule
        self.zones = zones
    }

    /// Makes a link to it with `add`. An edition that does not exist is made, and goes with the link; if there is no link in the
    /// end, it is removed. Throws a `LinkSubjectError`, or what `add` throws.
    package func makeLink<Made>(
        _ label: String, _ kind: LinkKind, in library: Library, _ add: (LinkRequest) throws -> Made
    ) throws -> Made {
        let request = try linkRequest(label, kind, in: library)
        do {
            return try add(request)
        } catch {
            if request.ownsEdition { try library.removeEdition(named: request.edition) }
            throw error
        }
    }

    private func linkRequest(_ label: String, _ kind: LinkKind, in library: Library) throws -> LinkRequest {
        let database = library.database
        var rule = rule
        switch content {
        case .edition(let name):
            guard let edition = try database.edition(named: name) else { throw LinkSubjectError.noEdition(name) }
            return LinkRequest(label: label, edition: edition.name, kind: kind)
        case .tracks(let ids):
            rule.tracks = try ids.map { id in
                guard let track = try database.track(id: id) else { throw LinkSubjectError.noTrack(id) }
                return track.id
            }
        case .layer(let name): rule.condition = try Self.condition(ofLayer: name, database)
        }
        let edition = try database.addLinkEdition(rule: rule, zones: zones)
        var request = LinkRequest(label: label, edition: edition.name, kind: kind)
        request.ownsEdition = true
        return request
    }

    /// nil for all tracks.
    private static func condition(ofLayer name: String, _ database: TrackDatabase) throws -> TrackCondition? {
        if name == LayerDefinition.everything { return nil }
        if let own = try database.layers().first(where: { $0.name == name }) { return own.condition }
        guard let activity = Activity(rawValue: name) else { throw LinkSubjectError.noLayer(name) }
        return try TrackCondition(parsing: "activity = \"\(activity.rawValue)\"")
    }
}

/// Something that a link is to show does not exist.
package enum LinkSubjectError: Error, Equatable, Sendable, CustomStringConvertible, ProblemError {
    case noEdition(String)
    case noTrack(String)
    case noLayer(String)

    package var description: String {
        switch self {
        case .noEdition(let name): "\(name.prefix(40)): no such edition"
        case .noTrack(let id): "\(id.prefix(40)): no such track"
        case .noLayer(let name): "\(name.prefix(40)): no such layer"
        }
    }

    package var problem: Problem? { .notFound(description) }
}
