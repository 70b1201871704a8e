import Database

// The table `favourite` of the primary store: the places of venues that persons keep, in their order.

/// A place of a venue that a person has kept.
public struct StoredFavourite: Sendable, Equatable {
    /// The id of the venue.
    public let venue: String
    /// The id of the place.
    public let place: String
    /// The name that the person gave it; nil for the place's own.
    public let name: String?

    public init(venue: String, place: String, name: String?) {
        self.venue = venue
        self.place = place
        self.name = name
    }
}

/// What became of a change of a favourite.
public enum FavouriteChange: Sendable, Equatable {
    case done
    /// The venue, or the favourite that was to be changed, does not exist.
    case missing
    /// The person has as many as are kept: `FavouriteChange.limit`.
    case tooMany

    /// Of each person. A list that is longer is not one of favourites.
    public static let limit = 200
}

extension TrackSnapshot {
    /// The favourites of a person, nil for the owner, in their order.
    public func favourites(of person: String?) throws -> [StoredFavourite] {
        guard let number = try personNumber(orOwner: person) else { return [] }
        return try session.rows(
            """
            SELECT v.id, f.place, f.name FROM favourite f JOIN venue v ON v.number = f.venue WHERE f.person = $1
            ORDER BY f.position, f.place
            """, [.integer(number)]
        ) { StoredFavourite(venue: $0.text(0), place: $0.text(1), name: $0.textOrNil(2)) }
    }
}

extension TrackDatabase {
    /// Keeps a place for a person, nil for the owner, or replaces the name of one that is kept. `position` counts from 0;
    /// nil adds it at the end, or leaves it where it is.
    public func keep(_ favourite: StoredFavourite, of person: String?, position: Int?) throws -> FavouriteChange {
        try changeFavourites(of: person) { writer, number, list in
            guard
                let venue = try writer.session.integer(
                    "SELECT number FROM venue WHERE id = $1", [.text(favourite.venue)])
            else { return .missing }
            let known = list.firstIndex(of: favourite.place)
            guard known != nil || list.count < FavouriteChange.limit else { return .tooMany }
            try writer.session.run(
                """
                INSERT INTO favourite (person, place, venue, name, position) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (person, place) DO UPDATE SET venue = excluded.venue, name = excluded.name
                """,
                [
                    .integer(number), .text(favourite.place), .integer(venue), .text(orNull: favourite.name),
                    .integer(Int64(list.count)),
                ])
            if known == nil { list.append(favourite.place) }
            Self.move(favourite.place, to: position, in: &list)
            return .done
        }
    }

    /// Changes the name, the position or both of a favourite.
    public func changeFavourite(
        _ place: String, of person: String?, name: EditedValue<String>, position: Int?
    ) throws -> FavouriteChange {
        try changeFavourites(of: person) { writer, number, list in
            guard list.contains(place) else { return .missing }
            if case .set(let name) = name {
                try writer.session.run(
                    "UPDATE favourite SET name = $1 WHERE person = $2 AND place = $3",
                    [.text(orNull: name), .integer(number), .text(place)])
                // The former name is overwritten.
                try writer.requestErasure()
            }
            Self.move(place, to: position, in: &list)
            return .done
        }
    }

    /// Removes a favourite.
    public func removeFavourite(_ place: String, of person: String?) throws -> FavouriteChange {
        let change = try changeFavourites(of: person) { writer, number, list in
            guard let index = list.firstIndex(of: place) else { return .missing }
            try writer.session.run(
                "DELETE FROM favourite WHERE person = $1 AND place = $2", [.integer(number), .text(place)])
            list.remove(at: index)
            try writer.requestErasure()
            return .done
        }
        if change == .done { try eraseRemoved() }
        return change
    }

    /// Changes the favourites of a person, whose places `body` gets and leaves in their order.
    private func changeFavourites(
        of person: String?, _ body: (inout TrackWriter, Int64, inout [String]) throws -> FavouriteChange
    ) throws -> FavouriteChange {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> FavouriteChange in
                let former = try TrackSnapshot(session: writer.session).favourites(of: person).map(\.place)
                var places = former
                let number = try writer.person(person)
                let change = try body(&writer, number, &places)
                guard change == .done, places != former else { return change }
                for (position, place) in places.enumerated() where former.firstIndex(of: place) != position {
                    try writer.session.run(
                        "UPDATE favourite SET position = $1 WHERE person = $2 AND place = $3",
                        [.integer(Int64(position)), .integer(number), .text(place)])
                }
                return change
            }
        }
    }

    /// Moves an element to a position, or to the end if there are fewer.
    private static func move(_ place: String, to position: Int?, in list: inout [String]) {
        guard let position, let index = list.firstIndex(of: place) else { return }
        list.remove(at: index)
        list.insert(place, at: min(max(0, position), list.count))
    }
}
