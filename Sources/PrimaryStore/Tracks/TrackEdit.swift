internal import Database
public import TrackQuery

/// The owner's changes to tracks. They are stored beside what was recorded, which is not changed and shows again when
/// an edit is removed.
public struct TrackEdit: Sendable, Equatable {
    /// The new name; an empty text restores the recorded name, nil leaves the name unchanged.
    public var name: String?
    /// The new activity, in lower case; empty and nil as for the name.
    public var activity: String?
    /// Tags to add, in lower case.
    public var addedTags: [String] = []
    /// Tags to remove.
    public var removedTags: [String] = []

    /// An edit that changes nothing.
    public init() {}

    /// The maximum length of a tag or an activity, in Unicode scalars: one character can have any number of them.
    public static let tagCharacters = 40
    /// The maximum length of a name, in Unicode scalars.
    public static let nameCharacters = 200

    /// Whether a text is a valid tag or activity: letters, digits, spaces and `-_.`, without a space at either end.
    public static func isTag(_ text: String) -> Bool {
        (1...tagCharacters).contains(text.unicodeScalars.count) && text.first != " " && text.last != " "
            && text.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) }
    }

    /// A text as a tag or activity, in lower case; nil if it is not a valid one.
    public static func tag(_ text: String) -> String? { isTag(text) ? text.lowercased() : nil }

    /// Whether a text is a valid name: no control characters, so one line.
    public static func isName(_ text: String) -> Bool {
        (1...nameCharacters).contains(text.unicodeScalars.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension TrackDatabase {
    /// Edits tracks; ids that name no track are skipped. Returns the tracks that changed, in their new state.
    ///
    /// The grid follows with its next update, because activities and the conditions of layers may change.
    public func edit(_ ids: [String], _ edit: TrackEdit) throws -> [Track] {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.edit(ids, edit) }
        }
    }
}

extension TrackWriter {
    fileprivate func edit(_ ids: [String], _ edit: TrackEdit) throws -> [Track] {
        let snapshot = TrackSnapshot(session: session)
        var draft = ChangeLog.Draft()
        var edited: [Track] = []
        for id in ids {
            guard let before = try snapshot.track(id: id) else { continue }
            try apply(edit, to: before.number)
            guard let now = try snapshot.track(number: before.number), now != before else { continue }
            // Tiles contain activities. Names and tags matter only to conditions of layers, which the grid compares
            // when it is updated (`tracksChangingLayers`).
            if now.activityWord != before.activityWord {
                draft.changed.insert(now.number)
            } else {
                draft.metadataChanged.insert(now.number)
            }
            edited.append(now)
        }
        try ChangeLog.append(draft, time: now(), session)
        return edited
    }

    private func apply(_ edit: TrackEdit, to number: Int64) throws {
        for tag in edit.addedTags {
            try session.run(
                "INSERT INTO tag VALUES ($1, $2) ON CONFLICT DO NOTHING", [.integer(number), .text(tag)])
        }
        for tag in edit.removedTags {
            try session.run("DELETE FROM tag WHERE track = $1 AND name = $2", [.integer(number), .text(tag)])
        }
        guard edit.name != nil || edit.activity != nil else { return }
        try session.run(
            "INSERT INTO edit VALUES ($1, NULL, NULL) ON CONFLICT DO NOTHING", [.integer(number)])
        let updates = [
            ("UPDATE edit SET name = $1 WHERE track = $2", edit.name),
            ("UPDATE edit SET activity = $1 WHERE track = $2", edit.activity),
        ]
        for (sql, text) in updates {
            guard let text else { continue }
            try session.run(sql, [.text(orNull: text.isEmpty ? nil : text), .integer(number)])
        }
        try session.run(
            "DELETE FROM edit WHERE track = $1 AND name IS NULL AND activity IS NULL", [.integer(number)])
    }

    /// Name and activity as recorded, without the owner's edits.
    func recordedNames(of number: Int64) throws -> (name: String?, activity: String?) {
        try session.first("SELECT name, activity FROM track WHERE number = $1", [.integer(number)]) {
            (name: $0.textOrNil(0), activity: $0.textOrNil(1))
        } ?? (nil, nil)
    }

    /// Deletes all edits of a track.
    func deleteEdits(of number: Int64) throws {
        try session.batch([
            Query("DELETE FROM tag WHERE track = $1", [.integer(number)]),
            Query("DELETE FROM edit WHERE track = $1", [.integer(number)]),
        ])
    }
}

extension Track {
    /// The facts that conditions test.
    public var facts: TrackFacts {
        var facts = TrackFacts()
        facts.activity = activityWord ?? ""
        facts.person = personName ?? ""
        facts.device = device ?? ""
        facts.name = name ?? ""
        facts.source = source
        facts.tags = tags
        facts.metres = metres
        facts.seconds = seconds
        facts.start = start
        return facts
    }
}
