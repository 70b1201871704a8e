import Database
public import TrackQuery
import Tracks

/// A layer of the operator: a named condition on tracks.
public struct LayerDefinition: Sendable, Equatable {
    /// The number in grids, assigned downwards from 254; activities are numbered upwards from 1.
    public var number: UInt8
    /// The name of the layer.
    public var name: String
    /// The condition that its tracks fulfil.
    public var condition: TrackCondition

    /// The name of the built-in layer of all tracks.
    public static let everything = "all"
    /// The name of the layer of tracks that others have shared, and of the folder of their library.
    public static let inbox = "inbox"
    /// The highest number that activities and layers share.
    static let maxNumber: Int64 = 254

    /// Whether a text is a valid layer name: 1–40 letters, digits, spaces and `-_.`, without a space at either end or a
    /// leading dash.
    public static func isName(_ text: String) -> Bool {
        TrackEdit.isTag(text) && text.first != "-"
    }
}

/// Why a layer cannot be created, as one sentence: where: what; what to do.
public enum LayerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name contains characters that are not allowed.
    case badName(String)
    /// There is a layer with this name.
    case exists(String)
    /// There is an activity with this name, which is a layer already.
    case isActivity(String)
    /// Activities and layers use all numbers.
    case noNumberLeft(activities: Int, layers: Int)

    public var description: String {
        switch self {
        case .badName(let name):
            "'\(name)': is not a valid layer name; use up to \(TrackEdit.tagCharacters) letters, digits, spaces and -_."
        case .exists(let name):
            "'\(name)': a layer with this name exists; use another name, or remove that layer first"
        case .isActivity(let name):
            "'\(name)': an activity with this name has a layer already; use another name"
        case .noNumberLeft(let activities, let layers):
            "layers: \(activities) activities and \(layers) layers are the maximum of a library; remove a layer first"
        }
    }
}

extension TrackSnapshot {
    /// The layers of the operator, by name.
    public func layers() throws -> [LayerDefinition] {
        try session.rows("SELECT number, name, condition FROM layer ORDER BY name") { row in
            do {
                return LayerDefinition(
                    number: UInt8(truncatingIfNeeded: row.integer(0)), name: row.text(1),
                    condition: try TrackCondition(parsing: row.text(2)))
            } catch let error as ConditionError {
                throw LibraryError.damaged(
                    path: session.databaseName,
                    what: "the condition of the layer '\(row.text(1))' cannot be read (\(error))"
                )
            }
        }
    }

    /// Calls `body` with the facts of each track that conditions test, by track number; about a million tracks a
    /// second.
    public func forEachFacts(_ body: (_ number: Int64, TrackFacts) throws -> Void) throws {
        try session.forEach(
            """
            SELECT t.number, coalesce(e.activity, t.activity), p.name, t.device, coalesce(e.name, t.name), t.source,
            t.metres, t.start, t.finish, \(Track.tagList(session)) FROM \(Track.tables) WHERE t.state = 0 ORDER BY t.number
            """
        ) { row in
            var facts = TrackFacts()
            facts.activity = row.textOrNil(1) ?? ""
            facts.person = row.textOrNil(2) ?? ""
            facts.device = row.textOrNil(3) ?? ""
            facts.name = row.textOrNil(4) ?? ""
            facts.source = row.text(5)
            facts.metres = row.real(6)
            facts.start = row.integerOrNil(7)
            if let start = row.integerOrNil(7), let end = row.integerOrNil(8) {
                facts.seconds = (Double(end) - Double(start)) / 1000
            }
            facts.tags = Track.tags(row.textOrNil(9))
            try body(row.integer(0), facts)
        }
    }
}

extension TrackDatabase {
    /// The layers of the operator, by name.
    public func layers() throws -> [LayerDefinition] { try read { try $0.layers() } }

    /// Creates a layer; throws `LayerError` if its name is taken or no number is free.
    public func addLayer(name: String, condition: TrackCondition) throws -> LayerDefinition {
        guard LayerDefinition.isName(name) else { throw LayerError.badName(name) }
        return try write { writer in
            try writer.session.transaction { try writer.addLayer(name: name, condition: condition) }
        }
    }

    /// Removes a layer; returns false if there is none with the name.
    public func removeLayer(name: String) throws -> Bool {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.removeLayer(name: name) }
        }
    }
}

extension TrackWriter {
    fileprivate func addLayer(name: String, condition: TrackCondition) throws -> LayerDefinition {
        let snapshot = TrackSnapshot(session: session)
        let layers = try snapshot.layers()
        guard name != LayerDefinition.everything, name != LayerDefinition.inbox,
            !layers.contains(where: { $0.name == name })
        else {
            throw LayerError.exists(name)
        }
        guard try !snapshot.activities().contains(where: { $0.rawValue == name }) else {
            throw LayerError.isActivity(name)
        }
        let activities = Int64(Activity.allCases.count)
        let taken = Set(layers.map { Int64($0.number) })
        let free = stride(from: LayerDefinition.maxNumber, to: activities, by: -1).first { !taken.contains($0) }
        guard let free else {
            throw LayerError.noNumberLeft(activities: Int(activities), layers: layers.count)
        }
        try session.run(
            "INSERT INTO layer VALUES ($1, $2, $3)", [.integer(free), .text(name), .text(condition.text)])
        var draft = ChangeLog.Draft()
        draft.layers.insert(free)
        try ChangeLog.append(draft, time: now(), session)
        return LayerDefinition(number: UInt8(truncatingIfNeeded: free), name: name, condition: condition)
    }

    fileprivate func removeLayer(name: String) throws -> Bool {
        let snapshot = TrackSnapshot(session: session)
        guard let number = try session.integer("SELECT number FROM layer WHERE name = $1", [.text(name)]) else {
            return false
        }
        try session.run("DELETE FROM layer WHERE number = $1", [.integer(number)])
        var draft = ChangeLog.Draft()
        draft.layers.insert(number)
        // In earlier versions, a layer could have the number of an activity, which gets it now.
        if let activity = Activity(number: UInt8(truncatingIfNeeded: number)) {
            try snapshot.forEachTrack { track in
                if track.activity == activity { draft.changed.insert(track.number) }
            }
        }
        try ChangeLog.append(draft, time: now(), session)
        return true
    }
}
