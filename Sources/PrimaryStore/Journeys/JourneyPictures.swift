import Database

// The table `journey_picture` of the primary store: pictures of routes, places, persons and rewards.

/// What a picture of the table shows. The numbers are stored.
enum PicturedThing: Int64 {
    case route
    case place
    case person
    case reward
}

/// Something that can have a picture.
public enum PictureSubject: Sendable, Hashable {
    case route(String)
    case place(String, ofRoute: String)
    /// A person by name; nil for the owner.
    case person(String?)
    case reward(String)
}

extension TrackSnapshot {
    /// The picture that was given to something; nil if there is none.
    public func picture(of subject: PictureSubject) throws -> [UInt8]? {
        guard let (thing, number) = try pictured(subject) else { return nil }
        return try session.first(
            "SELECT bytes FROM journey_picture WHERE thing = $1 AND number = $2",
            [.integer(thing.rawValue), .integer(number)]
        ) { $0.blob(0) }
    }

    fileprivate func pictured(_ subject: PictureSubject) throws -> (PicturedThing, Int64)? {
        switch subject {
        case .route(let id):
            try session.integer("SELECT number FROM route WHERE id = $1", [.text(id)]).map { (.route, $0) }
        case .place(let id, let route):
            try session.integer(
                """
                SELECT p.number FROM route_place p JOIN route r ON r.number = p.route WHERE p.id = $1 AND r.id = $2
                """, [.text(id), .text(route)]
            ).map { (.place, $0) }
        case .person(let name): try personNumber(orOwner: name).map { (.person, $0) }
        case .reward(let id):
            try session.integer("SELECT number FROM reward WHERE id = $1", [.text(id)]).map { (.reward, $0) }
        }
    }
}

extension TrackDatabase {
    /// Sets or removes the picture of something, and overwrites the former one; false if the thing does not exist.
    public func setPicture(_ bytes: [UInt8]?, of subject: PictureSubject) throws -> Bool {
        let isSet = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                // A person may have nothing yet.
                if case .person(let name) = subject { _ = try writer.person(name) }
                guard let (thing, number) = try TrackSnapshot(session: writer.session).pictured(subject) else {
                    return false
                }
                try writer.setPicture(bytes, of: thing, number)
                return true
            }
        }
        if isSet { try eraseRemoved() }
        return isSet
    }
}

extension TrackWriter {
    func setPicture(_ bytes: [UInt8]?, of thing: PicturedThing, _ number: Int64) throws {
        let key: [Value] = [.integer(thing.rawValue), .integer(number)]
        try session.run("DELETE FROM journey_picture WHERE thing = $1 AND number = $2", key)
        if session.changedRows > 0 { try requestErasure() }
        guard let bytes else { return }
        try session.run("INSERT INTO journey_picture VALUES ($1, $2, $3)", key + [.blob(bytes)])
    }
}
