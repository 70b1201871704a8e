internal import SQLite
public import TrackQuery
internal import Tracks

/// What the owner says of tracks. It stands beside what was recorded, which stays as it is and shows again when it is
/// taken back.
public struct TrackEdit: Sendable, Equatable {
    /// What they are called from now on; the empty text gives back the recorded name, nil leaves it.
    public var name: String?
    /// What was done, in lower case; likewise.
    public var activity: String?
    /// Tags to add, in lower case.
    public var addedTags: [String] = []
    /// Tags to take away.
    public var removedTags: [String] = []

    /// Nothing.
    public init() {}

    /// Characters of a tag and of an activity.
    public static let tagCharacters = 40
    /// Characters of a name.
    public static let nameCharacters = 200

    /// Whether a text can be a tag or an activity: letters, digits, spaces and `-_.`, no space at its ends.
    public static func isTag(_ text: String) -> Bool {
        (1...tagCharacters).contains(text.count) && text.first != " " && text.last != " "
            && text.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) }
    }

    /// Whether a text can be a name: one line of it.
    public static func isName(_ text: String) -> Bool {
        (1...nameCharacters).contains(text.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension TrackDatabase {
    /// Says something of tracks; ids that name none are passed over. Gives the tracks that are others now, as they are.
    ///
    /// The grid follows at the next catching up: activities and conditions of layers may admit them or not.
    public func edit(_ ids: [String], _ edit: TrackEdit) throws -> [Track] {
        try write { writer in
            try writer.flush()
            return try writer.connection.transaction { try writer.edit(ids, edit) }
        }
    }
}

extension TrackWriter {
    fileprivate func edit(_ ids: [String], _ edit: TrackEdit) throws -> [Track] {
        let snapshot = TrackSnapshot(connection: connection)
        var draft = ChangeLog.Draft()
        var edited: [Track] = []
        for id in ids {
            guard let before = try snapshot.track(id: id, for: .owner) else { continue }
            try apply(edit, to: before.number)
            guard let now = try snapshot.track(number: before.number), now != before else { continue }
            if now.activity != before.activity {
                draft.changed.insert(now.number)
            } else {
                draft.described.insert(now.number)
            }
            edited.append(now)
        }
        try ChangeLog.append(draft, time: now(), connection)
        return edited
    }

    private func apply(_ edit: TrackEdit, to number: Int64) throws {
        for tag in edit.addedTags {
            try connection.run("INSERT OR IGNORE INTO tag VALUES (?, ?)", [.integer(number), .text(tag)])
        }
        for tag in edit.removedTags {
            try connection.run("DELETE FROM tag WHERE track = ? AND name = ?", [.integer(number), .text(tag)])
        }
        guard edit.name != nil || edit.activity != nil else { return }
        try connection.run("INSERT OR IGNORE INTO edit VALUES (?, NULL, NULL)", [.integer(number)])
        for (column, text) in [("name", edit.name), ("activity", edit.activity)] {
            guard let text else { continue }
            try connection.run(
                "UPDATE edit SET \(column) = ? WHERE track = ?",
                [.text(orNull: text.isEmpty ? nil : text), .integer(number)])
        }
        try connection.run(
            "DELETE FROM edit WHERE track = ? AND name IS NULL AND activity IS NULL", [.integer(number)])
    }

    /// Name and activity as recorded, whatever the owner says.
    func recordedNames(of number: Int64) throws -> (name: String?, activity: String?) {
        try connection.first("SELECT name, activity FROM track WHERE number = ?", [.integer(number)]) {
            (name: $0.textOrNil(0), activity: $0.textOrNil(1))
        } ?? (nil, nil)
    }

    /// What was said of a track is said of the one that it is part of now; where that has been called something, it stays so.
    func moveEdits(from number: Int64, to other: Int64) throws {
        for table in ["tag", "edit"] {
            try connection.run(
                "UPDATE OR IGNORE \(table) SET track = ? WHERE track = ?", [.integer(other), .integer(number)])
        }
        try forgetEdits(of: number)
    }

    /// Nothing is said of a track any more.
    func forgetEdits(of number: Int64) throws {
        for table in ["tag", "edit"] {
            try connection.run("DELETE FROM \(table) WHERE track = ?", [.integer(number)])
        }
    }
}

extension Track {
    /// What conditions ask of it.
    public var facts: TrackFacts {
        var facts = TrackFacts()
        facts.activity = activity ?? ""
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
