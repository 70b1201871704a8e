import Database
import Digest
public import Journeys
import Text
public import TileMath

// The tables `route` and `route_place` of the primary store: lines with places, along which journeys lead.

/// A stored route.
public struct StoredRoute: Sendable, Equatable {
    package let number: Int64
    /// The id that the route has in every library.
    public let id: String
    /// Counts the changes of the route.
    public let revision: Int64
    public let route: JourneyRoute
    /// The ids of its places, in their order.
    public let placeIDs: [String]
    package let placeNumbers: [Int64]

    /// The position of a place; nil if the route has none with this id.
    public func place(id: String) -> Int? { placeIDs.firstIndex(of: id) }
}

/// What a stored route is, without its line and places.
public struct RouteStamp: Sendable, Hashable {
    public let id: String
    /// Counts the changes of the route.
    public let revision: Int64

    public init(id: String, revision: Int64) {
        self.id = id
        self.revision = revision
    }
}

extension TrackSnapshot {
    /// The routes, by name.
    public func routeStamps() throws -> [RouteStamp] {
        try session.rows("SELECT id, revision FROM route ORDER BY name, id") {
            RouteStamp(id: $0.text(0), revision: $0.integer(1))
        }
    }

    /// The id of the route that was added with this content; nil if there is none.
    public func routeID(of route: JourneyRoute) throws -> String? {
        let digest = ContentDigest(of: Array(route.json.text.utf8))
        return try session.first("SELECT id FROM route WHERE digest = $1", [.blob(digest.bytes)]) { $0.text(0) }
    }

    /// The route with this id as it is now; nil if there is none.
    public func routeStamp(id: String) throws -> RouteStamp? {
        try session.first("SELECT id, revision FROM route WHERE id = $1", [.text(id)]) {
            RouteStamp(id: $0.text(0), revision: $0.integer(1))
        }
    }

    /// The route with this id; nil if there is none.
    public func route(id: String) throws -> StoredRoute? {
        let row = try session.first(
            "SELECT number, id, revision, name, level, single, line FROM route WHERE id = $1", [.text(id)]
        ) { row in
            (
                number: row.integer(0), id: row.text(1), revision: row.integer(2), name: row.text(3),
                level: Int(row.integer(4)), isSingle: row.integer(5) != 0, line: row.blob(6)
            )
        }
        guard let row else { return nil }
        let places = try places(ofRoute: row.number)
        do throws(JourneyError) {
            let route = try JourneyRoute(
                row.name, level: row.level, isSingle: row.isSingle, line: RouteCoding.line(row.line),
                places: places.map(\.place))
            return StoredRoute(
                number: row.number, id: row.id, revision: row.revision, route: route, placeIDs: places.map(\.id),
                placeNumbers: places.map { $0.number ?? 0 })
        } catch {
            throw LibraryError.damaged(
                path: session.databaseName, what: "the route \(row.id) cannot be read (\(error.reason))")
        }
    }

    fileprivate func places(ofRoute number: Int64) throws -> [RouteDraft.Place] {
        try session.rows(
            """
            SELECT number, id, longitude, latitude, name, description, tags, credit, seconds FROM route_place
            WHERE route = $1 ORDER BY position, number
            """, [.integer(number)]
        ) { row in
            guard let point = RouteCoding.point(row.integer(2), row.integer(3)) else {
                throw LibraryError.damaged(path: session.databaseName, what: "a place of a route is not on Earth")
            }
            let place = JourneyPlace(
                row.text(4), at: point, description: row.textOrNil(5), tags: RouteCoding.tags(row.text(6)),
                credit: row.textOrNil(7), seconds: row.integerOrNil(8).map { Int($0) })
            return RouteDraft.Place(number: row.integer(0), id: row.text(1), place: place)
        }
    }
}

/// A route that is being changed.
public struct RouteDraft: Sendable {
    public struct Place: Sendable {
        fileprivate let number: Int64?
        public let id: String
        public var place: JourneyPlace
    }

    public var name: String
    public var level: Int
    public var isSingle: Bool
    /// Its own line; nil if it leads straight from place to place.
    public var line: [GeoPoint]?
    public private(set) var places: [Place]

    fileprivate init(_ route: JourneyRoute, hasOwnLine: Bool, places: [Place]) {
        (name, level, isSingle) = (route.name, route.level, route.isSingle)
        line = hasOwnLine ? route.line : nil
        self.places = places
    }

    /// Adds a place at a position, or at the end; returns its id.
    @discardableResult
    public mutating func add(_ place: JourneyPlace, at position: Int?) -> String {
        let added = Place(number: nil, id: RandomID.text(), place: place)
        places.insert(added, at: min(max(0, position ?? places.count), places.count))
        return added.id
    }

    /// Changes a place; false if there is none with this id.
    public mutating func change(_ id: String, position: Int?, _ body: (inout JourneyPlace) -> Void) -> Bool {
        guard let index = places.firstIndex(where: { $0.id == id }) else { return false }
        body(&places[index].place)
        if let position {
            let place = places.remove(at: index)
            places.insert(place, at: min(max(0, position), places.count))
        }
        return true
    }

    /// Removes a place; false if there is none with this id.
    public mutating func remove(_ id: String) -> Bool {
        guard let index = places.firstIndex(where: { $0.id == id }) else { return false }
        places.remove(at: index)
        return true
    }

    fileprivate func checked() throws(JourneyError) -> JourneyRoute {
        try JourneyRoute(name, level: level, isSingle: isSingle, line: line ?? [], places: places.map(\.place))
    }
}

/// What became of a removal of a route.
public enum RouteRemoval: Sendable {
    case done
    case missing
    /// Journeys lead along it.
    case used(Int)
}

extension TrackDatabase {
    /// Adds a route, under an id of its own unless one is given; if the same route was added before, or there is one with
    /// this id, nothing changes. Returns its id.
    public func add(_ route: JourneyRoute, id: String? = nil, source: String) throws -> (id: String, isNew: Bool) {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction {
                try writer.addRoute(route, id: id, placeIDs: nil, source: source)
            }
        }
    }

    /// Changes a route. `body` returns false if there is nothing to change; what it leaves is checked. Returns nil if there
    /// is no route with this id, or `body` returned false. Throws a `JourneyError`.
    public func changeRoute(_ id: String, _ body: (inout RouteDraft) throws -> Bool) throws -> StoredRoute? {
        let changed = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> StoredRoute? in
                let session = writer.session
                let snapshot = TrackSnapshot(session: session)
                guard let stored = try snapshot.route(id: id) else { return nil }
                let former = try snapshot.places(ofRoute: stored.number)
                let hasOwnLine = stored.route.line != stored.route.places.map(\.point)
                var draft = RouteDraft(stored.route, hasOwnLine: hasOwnLine, places: former)
                guard try body(&draft) else { return nil }
                let route = try draft.checked()
                try session.run(
                    """
                    UPDATE route SET name = $1, level = $2, single = $3, line = $4, revision = revision + 1
                    WHERE number = $5
                    """,
                    [
                        .text(route.name), .integer(route.level), .integer(route.isSingle ? 1 : 0),
                        .blob(draft.line == nil ? [] : RouteCoding.bytes(route.line)), .integer(stored.number),
                    ])
                let kept = Set(draft.places.compactMap(\.number))
                for number in former.compactMap(\.number) where !kept.contains(number) {
                    try writer.deletePlace(number)
                }
                for (position, place) in zip(draft.places.indices, draft.places) {
                    let checked = RouteDraft.Place(
                        number: place.number, id: place.id, place: route.places[position])
                    try writer.put(checked, ofRoute: stored.number, at: position)
                }
                // Former names and descriptions are overwritten.
                try writer.requestErasure()
                return try snapshot.route(id: id)
            }
        }
        if changed != nil { try eraseRemoved() }
        return changed
    }

    /// Removes a route with its places and pictures, and overwrites them on the disk, unless journeys lead along it.
    public func removeRoute(_ id: String) throws -> RouteRemoval {
        let removal = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> RouteRemoval in
                let session = writer.session
                guard let number = try session.integer("SELECT number FROM route WHERE id = $1", [.text(id)]) else {
                    return .missing
                }
                let journeys = try session.integer("SELECT count(*) FROM journey WHERE route = $1", [.integer(number)])
                if let journeys, journeys > 0 { return .used(Int(journeys)) }
                for place in try session.rows(
                    "SELECT number FROM route_place WHERE route = $1", [.integer(number)], { $0.integer(0) })
                {
                    try writer.deletePlace(place)
                }
                try writer.setPicture(nil, of: .route, number)
                try session.run("DELETE FROM route WHERE number = $1", [.integer(number)])
                try writer.requestErasure()
                return .done
            }
        }
        if case .done = removal { try eraseRemoved() }
        return removal
    }

    /// Adds routes that every library has from the beginning, once: those that the owner removes stay removed.
    public func addBuiltInRoutes(_ routes: @autoclosure () -> [(id: String, route: JourneyRoute)]) throws {
        guard try read({ try Meta.integer(Self.builtInRoutes, $0.session) }) == nil else { return }
        let routes = routes()
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                guard try Meta.integer(Self.builtInRoutes, writer.session) == nil else { return }
                for (id, route) in routes {
                    // Places have the same ids in every library, so that files of persons fit elsewhere.
                    let placeIDs = route.places.indices.map { "\(id)-\($0 + 1)" }
                    _ = try writer.addRoute(route, id: id, placeIDs: placeIDs, source: "tileserve")
                }
                try Meta.set(Self.builtInRoutes, to: .integer(1), writer.session)
            }
        }
    }

    private static let builtInRoutes = "built_in_routes"
}

extension TrackWriter {
    /// Adds a route unless it is there: under the id, or with the same content.
    func addRoute(
        _ route: JourneyRoute, id: String?, placeIDs: [String]?, source: String
    ) throws -> (id: String, isNew: Bool) {
        let digest = ContentDigest(of: Array(route.json.text.utf8))
        if let id, try session.integer("SELECT number FROM route WHERE id = $1", [.text(id)]) != nil {
            return (id, false)
        }
        if id == nil, let known = try TrackSnapshot(session: session).routeID(of: route) { return (known, false) }
        let isStraight = route.line == route.places.map(\.point)
        let new = id ?? RandomID.text()
        let number = try session.inserted(
            """
            INSERT INTO route (id, revision, name, level, single, line, source, digest, time)
            VALUES ($1, 0, $2, $3, $4, $5, $6, $7, $8) RETURNING number
            """,
            [
                .text(new), .text(route.name), .integer(route.level), .integer(route.isSingle ? 1 : 0),
                .blob(isStraight ? [] : RouteCoding.bytes(route.line)), .text(source), .blob(digest.bytes),
                .integer(now()),
            ])
        for (position, place) in route.places.enumerated() {
            let id = placeIDs?[position] ?? RandomID.text()
            try put(RouteDraft.Place(number: nil, id: id, place: place), ofRoute: number, at: position)
        }
        return (new, true)
    }

    fileprivate func put(_ place: RouteDraft.Place, ofRoute route: Int64, at position: Int) throws {
        let facts = place.place
        let values: [Value] = [
            .integer(position), .integer(RouteCoding.units(facts.point.longitude)),
            .integer(RouteCoding.units(facts.point.latitude)), .text(facts.name), .text(orNull: facts.description),
            .text(RouteCoding.text(ofTags: facts.tags)), .text(orNull: facts.credit),
            .integer(orNull: facts.seconds.map { Int64($0) }),
        ]
        guard let number = place.number else {
            return try session.run(
                """
                INSERT INTO route_place
                (position, longitude, latitude, name, description, tags, credit, seconds, id, route)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                """, values + [.text(place.id), .integer(route)])
        }
        try session.run(
            """
            UPDATE route_place SET position = $1, longitude = $2, latitude = $3, name = $4, description = $5,
            tags = $6, credit = $7, seconds = $8 WHERE number = $9
            """, values + [.integer(number)])
    }

    /// Deletes a place; sessions that led there lead to the next place.
    fileprivate func deletePlace(_ number: Int64) throws {
        try setPicture(nil, of: .place, number)
        try session.run("UPDATE focus_session SET place = NULL WHERE place = $1", [.integer(number)])
        try session.run("DELETE FROM route_place WHERE number = $1", [.integer(number)])
    }
}
