import Foundation
import HTTPCore
import PrimaryStore
import Testing
import TrackStore
import Tracks

@testable import OpenAPI
@testable import TileService

@Suite struct OpenAPITests {
    private typealias Object = [String: Any]

    private func document(_ town: Town) throws -> Object {
        let response = town.get("/openapi.json")
        #expect(response.status == .ok && response[.contentType] == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? Object)
    }

    @Test func `the document obeys the rules of OpenAPI 3.1`() throws {
        let rules = OpenAPIRules(try document(try Town()))
        #expect(rules.faults.isEmpty, "\(rules.faults.joined(separator: "\n"))")
    }

    @Test func `a document that breaks a rule is noticed`() throws {
        let text = town(try Town())
        for (sound, broken) in [
            ("3.1.0", "3.0.0"), ("#/components/schemas/Track\"", "#/components/schemas/Trucks\""),
            ("\"getV1Tracks\"", "\"getV1TracksId\""),
            ("\"name\":\"id\",\"in\":\"path\"", "\"name\":\"ID\",\"in\":\"path\""),
            ("\"type\":\"integer\"", "\"type\":\"number of things\""), ("\"bearer\":[]", "\"bear\":[]"),
            ("\"304\":", "\"3O4\":"), ("\"summary\":", "\"summery\":"),
        ] {
            let bytes = Data(text.replacing(sound, with: broken, maxReplacements: 1).utf8)
            let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? Object)
            #expect(!OpenAPIRules(document).faults.isEmpty, "\(broken)")
        }
    }

    private func town(_ town: Town) -> String { town.get("/openapi.json").text }

    @Test func `the document has the operations of all routes, and no others`() throws {
        let town = try Town()
        let routes = town.server.routes
        let expected = routes.flatMap { route in
            (route.operation.paths ?? [route.pattern]).map { "\(route.method.rawValue) \($0)" }
        }
        let options = Set(routes.flatMap { $0.operation.paths ?? [$0.pattern] }).map { "OPTIONS \($0)" }
        let seen = try DescribedOperation.all(try document(town)).map(\.label)
        #expect(seen.sorted() == (expected + options).sorted() && seen.count > 80)
        for route in routes where route.method != .get {
            #expect(route.operation.body.isEmpty == (route.body == .nothing), "\(route.pattern)")
        }
    }

    /// Values of the parameters in paths.
    private func known(_ town: Town) throws -> [String: String] {
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        return [
            "id": id, "style": "heat", "z": "1", "x": "1", "y": "0", "number": "1", "device": "phone",
            "name": "site.css", "app": "osmand", "collectionId": "heat", "tileMatrixSetId": "WebMercatorQuad",
            "tileMatrix": "1", "tileRow": "0", "tileCol": "1",
        ]
    }

    @Test func `OPTIONS is answered for every path, with the methods of the document`() throws {
        let town = try Town()
        let known = try known(town)
        let operations = try DescribedOperation.all(try document(town))
        for operation in operations where operation.method == .options {
            let path = operation.path
            let described = Set(operations.filter { $0.path == path }.map(\.method.rawValue))
            let answer = town.get(operation.target(known), method: .options)
            #expect(answer.status == .noContent, "\(path)")
            let allowed = Set((answer[.allow] ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) })
            // The paths of PhoneTrack share a pattern, and so their methods.
            let isShared = path.contains("phonetrack")
            #expect(
                isShared ? allowed.isSuperset(of: described) : allowed.subtracting(["HEAD"]) == described, "\(path)")
        }
    }

    @Test func `operations need a token exactly where the document says so`() throws {
        let town = try Town { $0.allowsPublicReading = false }
        let known = try known(town)
        for operation in try DescribedOperation.all(try document(town)) {
            let security = try #require(operation.object["security"] as? [Object])
            // The token of PhoneTrack is in the path, that of a login in the body.
            guard !security.contains(where: \.isEmpty) else { continue }
            let request = Request(
                operation.method, operation.target(known),
                headers: [(.host, "localhost"), (HeaderName("X-Forwarded-For"), "192.0.2.7")])
            #expect((town.server.ask(request).status == .unauthorized) == !security.isEmpty, "\(operation.label)")
            let responses = try #require(operation.object["responses"] as? Object)
            #expect((responses["401"] != nil) == !security.isEmpty, "\(operation.label)")
        }
    }

    @Test func `the document is the same at every request, and has an ETag`() throws {
        let town = try Town()
        let first = town.get("/openapi.json")
        let tag = try #require(first[.eTag])
        #expect(town.get("/openapi.json").bytes == first.bytes)
        #expect(town.get("/openapi.json", [(.ifNoneMatch, tag)]).status == .notModified)
        #expect(town.get("/openapi.json", [(HeaderName("X-Forwarded-For"), "192.0.2.7")]).status == .ok)
        #expect(first.text.contains(#""url":".""#) && first.text.contains(#""version":"1.2.3""#))
    }
}
