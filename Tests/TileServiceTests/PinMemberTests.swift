import Digest
import Dispatch
import Foundation
import HTTPCore
import Pins
import PrimaryStore
import TestLibrary
import Testing
import TileService
import TrackStore
import Tracks

@Suite("Pins of members") struct PinMemberTests {
    /// Tokens whose text is a role, or the name of a person.
    struct Register: TokenRegistry {
        func authorization(for token: String) -> Authorization? {
            let caller: Caller =
                switch token {
                case "owner": .owner
                case "viewer": .viewer
                case "recorder": .recorder(device: "phone", person: "ada")
                default: .member(person: token)
                }
            return Authorization(tokenID: token, caller: caller)
        }

        func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {}
    }

    private func town() throws -> Town {
        try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = Register()
        }
    }

    private func ask(_ town: Town, _ who: String?, _ method: Method, _ path: String, _ json: String? = nil) -> Response
    {
        Self.ask(town.server, who, method, path, json)
    }

    private static func ask(
        _ server: TileServer, _ who: String?, _ method: Method, _ path: String, _ json: String? = nil
    ) -> Response {
        var headers: [(HeaderName, String)] = [(.host, "192.0.2.1")]
        if let who { headers.append((.authorization, "Bearer \(who)")) }
        return server.ask(
            Request(method, path, headers: headers, content: json.map { .bytes(Array($0.utf8)) } ?? .none))
    }

    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    private static let roles = [nil, "viewer", "recorder", "bea", "ada", "owner"]

    /// What can be the matter with a pin that bea has written.
    private enum State: CaseIterable {
        case open, here, been, hidden, expired, removed, unknown, malformed
    }

    /// The path of a pin in a state.
    private func path(_ town: Town, _ state: State) throws -> String {
        switch state {
        case .unknown: return "/v1/pins/00112233445566778899aabbccddeeff"
        case .malformed: return "/v1/pins/nonsense"
        default: break
        }
        var content = PinContent(try #require(PinPlace(longitude: 8, latitude: 47)), source: .hand, located: .hand)
        content.person = "bea"
        content.caption = "the secret"
        content.visibility = state == .here ? .here : state == .been ? .been : .open
        if state == .expired { content.expires = 1000 }
        let original = (0..<100).map { _ in UInt8.random(in: 0...255) }
        let photo = PinPhoto(
            digest: ContentDigest(of: original), contentType: "image/jpeg", byteCount: 100, method: .hand)
        let pictures: [PinPhoto.Size: [UInt8]] = [.original: original, .screen: [1, 2], .thumb: [3]]
        let pin = try town.library.database.addPin(content, PhotoContent(photo, pictures: pictures)).pin
        if state == .hidden {
            for person in ["x", "y", "z"] { _ = try town.library.database.setReport(true, of: person, on: pin.id) }
        }
        if state == .removed { _ = try town.library.database.markRemoved(pins: [pin.id]) }
        return "/v1/pins/\(pin.id)"
    }

    private struct Action {
        var method: Method
        var ending: String
        var body: String?
        var success: Int
        /// Who may do it at all.
        var roles: Set<String>
        /// Whether only the author and the owner may.
        var isOwn = false
        /// Whether it does not exist for others than the author and the owner.
        var isAuthorOnly = false
        /// Whether it needs the content.
        var needsContent = false
    }

    private static let members: Set<String> = ["bea", "ada", "owner"]
    private static let readers: Set<String> = ["viewer", "recorder", "bea", "ada", "owner"]
    private static let actions = [
        Action(method: .get, ending: "", success: 200, roles: readers),
        Action(method: .patch, ending: "", body: #"{"category":"x"}"#, success: 200, roles: members, isOwn: true),
        Action(method: .put, ending: "/vote", success: 204, roles: members),
        Action(method: .delete, ending: "/vote", success: 204, roles: members),
        Action(method: .put, ending: "/report", success: 204, roles: members),
        Action(method: .delete, ending: "/report", success: 204, roles: members),
        Action(method: .get, ending: "/comments", success: 200, roles: readers, needsContent: true),
        Action(method: .get, ending: "/photo", success: 200, roles: readers, needsContent: true),
        Action(method: .get, ending: "/photo?size=thumb", success: 200, roles: readers, needsContent: true),
        Action(method: .get, ending: "/photo?size=original", success: 200, roles: readers, isAuthorOnly: true),
        Action(
            method: .post, ending: "/comments", body: #"{"text":"hello"}"#, success: 201, roles: members,
            needsContent: true),
        Action(method: .post, ending: "/restore", success: 204, roles: ["owner"]),
        Action(method: .delete, ending: "", success: 204, roles: members, isOwn: true),
    ]

    @Test func `Every route, role and state of a pin`() throws {
        let town = try town()
        let missing = ask(town, "owner", .get, try path(town, .unknown))
        #expect(missing.status == .notFound)
        var refusals: [String: [UInt8]] = [:]
        for state in State.allCases {
            for action in Self.actions {
                for role in Self.roles {
                    let path = try path(town, state) + action.ending
                    let response = ask(town, role, action.method, path, action.body)
                    let label = "\(action.method) \(action.ending) \(state) \(role ?? "nobody")"
                    var expected = action.success
                    let isOwner = role == "owner"
                    let isGone =
                        switch state {
                        case .removed, .unknown, .malformed: true
                        case .hidden: !isOwner
                        case .expired: !isOwner && role != "bea"
                        default: false
                        }
                    let isLocked = (state == .here || state == .been) && !isOwner && role != "bea"
                    if role == nil {
                        expected = 401
                    } else if !action.roles.contains(role ?? "") {
                        expected = 403
                    } else if isGone || action.needsContent && isLocked
                        || action.isAuthorOnly && !isOwner && role != "bea"
                    {
                        expected = 404
                    } else if action.isOwn, !isOwner, role != "bea" {
                        expected = 403
                    }
                    #expect(response.status.code == expected, "\(label)")
                    if expected == 404 {
                        #expect(response.bytes == missing.bytes, "\(label)")
                        #expect(
                            response.headers.map { "\($0)" } == missing.headers.map { "\($0)" }, "\(label)")
                    }
                    if expected == 403, !action.roles.contains(role ?? "") {
                        let key = "\(action.method) \(action.ending)"
                        #expect(refusals[key, default: response.bytes] == response.bytes, "\(label)")
                        refusals[key] = response.bytes
                    }
                    if expected == 200, action.ending.isEmpty, action.method == .get {
                        let pin = try object(response)
                        #expect(pin["caption"] as? String == (isLocked ? nil : "the secret"), "\(label)")
                        #expect((pin["comments"] is NSNull) == isLocked, "\(label)")
                        #expect((pin["lon"] as? Double) == 8, "\(label)")
                        #expect(pin["photo"] as? Bool == !isLocked && (pin["pictures"] == nil) == isLocked, "\(label)")
                    }
                }
            }
        }
    }

    @Test func `Lists, tiles and exports show what each may see`() throws {
        let town = try town()
        for state in State.allCases { _ = try path(town, state) }
        for role in Self.roles.compactMap({ $0 }) {
            let list = ask(town, role, .get, "/v1/pins")
            let pins = try #require(try object(list)["pins"] as? [[String: Any]])
            let shown = pins.count { $0["caption"] as? String == "the secret" }
            // Expired pins are in no list; hidden ones only in the owner's.
            #expect(pins.count == (role == "owner" ? 4 : 3), "\(role)")
            #expect(shown == (role == "owner" ? 4 : role == "bea" ? 3 : 1), "\(role)")
            let tile = try object(ask(town, role, .get, "/tiles/pins/0/0/0.json"))
            let clusters = try #require(tile["bubbles"] as? [[String: Any]])
            #expect(clusters.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 3, "\(role)")
            let gpx = ask(town, role, .get, "/v1/export?format=gpx").text
            let exported = gpx.components(separatedBy: "the secret").count - 1
            #expect(exported == (role == "owner" ? 5 : 1), "\(role)")
        }
    }

    @Test func `A member adds pins as the person of the token`() throws {
        let town = try town()
        let made = ask(town, "bea", .post, "/v1/pins", #"{"lon":1,"lat":2}"#)
        #expect(made.status == .created)
        #expect(try object(made)["person"] as? String == "bea")
        #expect(ask(town, "viewer", .post, "/v1/pins", #"{"lon":1,"lat":2}"#).status == .forbidden)
        #expect(ask(town, "recorder", .post, "/v1/pins", #"{"lon":1,"lat":2}"#).status == .forbidden)
        #expect(try object(ask(town, "owner", .post, "/v1/pins", #"{"lon":1,"lat":2}"#))["person"] is NSNull)
    }

    @Test func `Each person has one vote, also if a hundred come at once`() throws {
        let town = try town()
        let path = try path(town, .open)
        let server = town.server
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            _ = Self.ask(server, "ada", .put, path + "/vote")
        }
        #expect(try object(ask(town, "viewer", .get, path))["score"] as? Int == 1)
        _ = ask(town, "bea", .put, path + "/vote")
        _ = ask(town, "owner", .put, path + "/vote")
        #expect(try object(ask(town, "viewer", .get, path))["score"] as? Int == 3)
        for _ in 0..<2 { #expect(ask(town, "ada", .delete, path + "/vote").status == .noContent) }
        #expect(try object(ask(town, "viewer", .get, path))["score"] as? Int == 2)
    }

    @Test func `The third report hides a pin, until the owner restores it`() throws {
        let town = try town()
        let path = try path(town, .open)
        func isShown() -> Bool { ask(town, "viewer", .get, path).status == .ok }
        for _ in 0..<5 { #expect(ask(town, "x", .put, path + "/report", #"{"reason":"spam"}"#).status == .noContent) }
        _ = ask(town, "y", .put, path + "/report")
        _ = ask(town, "y", .delete, path + "/report")
        _ = ask(town, "z", .put, path + "/report")
        #expect(isShown())
        _ = ask(town, "y", .put, path + "/report")
        #expect(!isShown())
        #expect(try object(ask(town, "owner", .get, path))["hidden"] as? Bool == true)
        #expect(ask(town, "y", .delete, path + "/report").status == .notFound)
        #expect(ask(town, "owner", .post, path + "/restore").status == .noContent)
        #expect(isShown())
        // Those whose reports were handled cannot hide it again.
        for person in ["x", "y", "z"] { _ = ask(town, person, .put, path + "/report") }
        #expect(isShown())
        for person in ["u", "v", "w"] { _ = ask(town, person, .put, path + "/report") }
        #expect(!isShown())
    }

    @Test(arguments: ["", "{}", #"{"text":""}"#, #"{"text":" "}"#, #"{"text":7}"#, #"{"text":"a","more":1}"#, "[]"])
    func `A body that is no comment is refused`(body: String) throws {
        let town = try town()
        let path = try path(town, .open) + "/comments"
        #expect(ask(town, "ada", .post, path, body).status == .badRequest)
        let long = String(repeating: "a", count: 2001)
        #expect(ask(town, "ada", .post, path, #"{"text":"\#(long)"}"#).status == .badRequest)
        #expect(ask(town, "ada", .post, path, #"{"text":"\#(long.dropLast())"}"#).status == .created)
        let comments = try #require(try object(ask(town, "viewer", .get, path))["comments"] as? [[String: Any]])
        #expect(comments.count == 1 && comments[0]["person"] as? String == "ada")
    }

    @Test func `Members vote for comments, and comments are sorted by their votes`() throws {
        let town = try town()
        let path = try path(town, .open) + "/comments"
        for text in ["one", "two", "three"] { _ = ask(town, "ada", .post, path, #"{"text":"\#(text)"}"#) }
        func comments(_ query: String = "") throws -> [[String: Any]] {
            try #require(try object(ask(town, "viewer", .get, path + query))["comments"] as? [[String: Any]])
        }
        func texts(_ query: String) throws -> [String] { try comments(query).compactMap { $0["text"] as? String } }
        let ids = try comments().compactMap { $0["id"] as? Int }
        for (person, index) in [("ada", 2), ("bea", 2), ("bea", 2), ("owner", 1)] {
            #expect(ask(town, person, .put, "\(path)/\(ids[index])/vote").status == .noContent)
        }
        #expect(try comments().map { $0["score"] as? Int } == [0, 1, 2])
        #expect(try texts("?sort=score") == ["three", "two", "one"])
        #expect(try texts("?sort=time") == ["one", "two", "three"] && texts("") == texts("?sort=time"))
        for _ in 0..<2 { #expect(ask(town, "bea", .delete, "\(path)/\(ids[2])/vote").status == .noContent) }
        // Of equal ones the oldest is first.
        #expect(try texts("?sort=score") == ["two", "three", "one"])
        for query in ["?sort=x", "?sort=", "?sort=score&sort=time"] {
            #expect(ask(town, "viewer", .get, path + query).status == .badRequest, "\(query)")
        }
        for (person, status) in [(nil, Status.unauthorized), ("viewer", .forbidden), ("recorder", .forbidden)] {
            #expect(ask(town, person, .put, "\(path)/\(ids[0])/vote").status == status)
        }
        for id in ["0", "999", "x", "-1", "+\(ids[0])", "0\(ids[0])", "99999999999999999999"] {
            #expect(ask(town, "ada", .put, "\(path)/\(id)/vote").status == .notFound, "\(id)")
        }
        let other = try self.path(town, .open) + "/comments"
        #expect(ask(town, "ada", .put, "\(other)/\(ids[0])/vote").status == .notFound)
        // The comments of a locked pin do not exist for others.
        let locked = try self.path(town, .been) + "/comments"
        let made = try object(ask(town, "bea", .post, locked, #"{"text":"secret"}"#))
        let secret = try #require(made["id"] as? Int)
        let refusal = ask(town, "ada", .put, "\(locked)/\(secret)/vote")
        #expect(refusal.status == .notFound && refusal.bytes == ask(town, "ada", .get, locked).bytes)
        #expect(ask(town, "ada", .put, "\(locked)/999/vote").bytes == refusal.bytes)
        #expect(ask(town, "bea", .put, "\(locked)/\(secret)/vote").status == .noContent)
    }

    /// Stores a person's points at seconds before now.
    private func record(
        _ town: Town, _ person: String, _ points: [(seconds: Int64, lon: Double, lat: Double, accuracy: Int64)]
    ) throws {
        let now = TrackDatabase.systemClock()
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: points.map { Int64($0.lon * 1e7) },
            latitudes: points.map { Int64($0.lat * 1e7) }, times: points.map { now - $0.seconds * 1000 },
            segmentStarts: [],
            fields: [FieldColumn(name: "hacc", values: .numbers(places: 0, points.map(\.accuracy)))])
        try town.library.database.add([chunk], RecordingHeader(person: person, device: "phone", source: "r"))
    }

    @Test func `Content for those who are here needs a near, recent, accurate and possible point`() throws {
        let cases: [(String, [(seconds: Int64, lon: Double, lat: Double, accuracy: Int64)], Bool)] = [
            ("here", [(60, 8.0005, 47, 10)], true),
            ("too far", [(60, 8.002, 47, 10)], false),
            ("too old", [(700, 8, 47, 10)], false),
            ("inaccurate", [(60, 8, 47, 150)], false),
            ("jumped", [(70, 20, 47, 10), (60, 8, 47, 10)], false),
            ("flown in", [(4000, 9, 47, 10), (60, 8, 47, 10)], true),
            ("from the future", [(-600, 8, 47, 10)], false),
        ]
        for (name, points, isHere) in cases {
            let town = try town()
            let path = try path(town, .here)
            try record(town, "ada", points)
            let pin = try object(ask(town, "ada", .get, path))
            #expect((pin["caption"] as? String == "the secret") == isHere, "\(name)")
            #expect(try object(ask(town, "cid", .get, path))["caption"] is NSNull, "\(name)")
            #expect((ask(town, "ada", .get, path + "/comments").status == .ok) == isHere, "\(name)")
        }
    }

    @Test func `Content for those who have been there needs a track that came near`() throws {
        let town = try town()
        let path = try path(town, .been)
        func isRead(_ who: String) throws -> Bool {
            try object(ask(town, who, .get, path))["caption"] as? String == "the secret"
        }
        #expect(try !isRead("ada"))
        // Past the pin, between two points 800 m apart.
        try record(town, "ada", [(900_000, 7.995, 47.0005, 10), (899_900, 8.005, 47.0005, 10)])
        #expect(try isRead("ada"))
        #expect(try !isRead("cid"))
        try record(town, "cid", [(900_000, 7.995, 47.002, 10), (899_900, 8.005, 47.002, 10)])
        #expect(try !isRead("cid"))
        _ = try town.library.remove(try town.library.database.tracks(limit: 100)?.tracks.map(\.id) ?? []) {
            _ in
        }
        #expect(try !isRead("ada"))
    }

    @Test func `A member records as the person of the token`() throws {
        let town = try town()
        let sent = ask(
            town, "bea", .post, "/v1/record/phone", #"{"points":[{"t":1700000000,"lon":13.4,"lat":52.5}]}"#)
        #expect(sent.status == .ok)
        #expect(ask(town, "viewer", .post, "/v1/record/phone", "{}").status == .forbidden)
        #expect(ask(town, "bea", .delete, "/v1/tracks/x").status == .forbidden)
        #expect(ask(town, "bea", .post, "/v1/record/phone/flush").status.code < 300)
        let persons = try town.library.database.tracks(limit: 100)?.tracks.compactMap(\.personName)
        #expect(persons == ["bea"])
    }
}
