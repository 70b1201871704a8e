import Foundation
import HTTPCore
import PrimaryStore
import Testing
import TrackStore
import Tracks

@testable import OpenAPI
@testable import TileService

private typealias HTTPMethod = HTTPCore.Method

@Suite struct OpenAPITests {
    private typealias Object = [String: Any]

    private func document(_ town: Town) throws -> Object {
        let response = town.get("/openapi.json")
        #expect(response.status == .ok && response[.contentType] == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? Object)
    }

    /// Method, path and operation of all operations.
    private func operations(_ document: Object) throws -> [(method: String, path: String, operation: Object)] {
        let paths = try #require(document["paths"] as? Object)
        return paths.sorted { $0.key < $1.key }.flatMap { path, item in
            (item as? Object ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, path, $0.value as? Object ?? [:]) }
        }
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
        let seen = try operations(try document(town)).map { "\($0.method.uppercased()) \($0.path)" }
        #expect(seen.sorted() == (expected + options).sorted() && seen.count > 80)
        for route in routes where route.method != .get {
            #expect(route.operation.body.isEmpty == (route.body == .nothing), "\(route.pattern)")
        }
    }

    /// A request of an operation with its examples, and with a value of one parameter.
    private func target(_ path: String, _ operation: Object, id: String, _ given: (name: String, value: String)?)
        -> String
    {
        var path = path
        for (name, value) in [
            ("{id}", id), ("{style}", "heat"), ("{z}", "1"), ("{x}", "1"), ("{y}", "0"), ("{number}", "1"),
            ("{device}", "phone"), ("{name}", "site.css"), ("{token}", "x"), ("{app}", "osmand"),
        ] { path = path.replacing(name, with: value) }
        var query: [String] = []
        for parameter in operation["parameters"] as? [Object] ?? [] where parameter["in"] as? String == "query" {
            let name = parameter["name"] as? String ?? ""
            let value: String
            if name == given?.name {
                value = given?.value ?? ""
            } else if parameter["required"] != nil {
                value = parameter["example"] as? String ?? ""
            } else if name == "track", given?.name == "marks" {
                value = id
            } else {
                continue
            }
            query.append(name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// Values of a parameter that are valid, and some that are not.
    private func values(_ parameter: Object) -> (valid: [String], invalid: [String]) {
        let schema = parameter["schema"] as? Object ?? [:]
        let example = (parameter["example"] as? String).map { [$0] } ?? []
        if let choices = schema["enum"] as? [String] { return (choices, ["no-such-value", ""]) }
        if let reference = schema["$ref"] as? String, reference.hasSuffix("/Date") {
            return (example, ["yesterday", "2023-13-01"])
        }
        switch schema["type"] as? String {
        case "integer":
            let bounds = [schema["minimum"], schema["maximum"]].compactMap { $0 as? Int }
            return (bounds.map(String.init), ["many"] + bounds.enumerated().map { "\($1 + ($0 == 0 ? -1 : 1))" })
        case "number":
            let bounds = [schema["minimum"], schema["maximum"]].compactMap { $0 as? Double }
            return (bounds.map { "\($0)" }, ["far"] + bounds.map { "\($0 * 1.01)" })
        default: return (example, [])
        }
    }

    @Test func `the server accepts what the document says that is valid, and refuses the rest`() throws {
        let town = try Town { $0.eventStreams = 500 }
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        var tried = 0
        for (method, path, operation) in try operations(try document(town)) where method == "get" {
            let isRecording = (operation["tags"] as? [String])?.first == "recording"
            guard !isRecording else { continue }
            #expect(town.get(target(path, operation, id: id, nil)).status != .badRequest, "\(path)")
            for parameter in operation["parameters"] as? [Object] ?? [] where parameter["in"] as? String == "query" {
                let name = parameter["name"] as? String ?? ""
                let (valid, invalid) = values(parameter)
                for value in valid {
                    let target = target(path, operation, id: id, (name, value))
                    let answer = town.get(target)
                    #expect(answer.status != .badRequest, "\(target): \(answer.text)")
                    if case .events(let channel) = answer.body { channel.close() }
                }
                for value in invalid {
                    let target = target(path, operation, id: id, (name, value))
                    #expect(town.get(target).status == .badRequest, "\(target)")
                }
                tried += valid.count + invalid.count
            }
        }
        #expect(tried > 150)
    }

    /// What of a JSON value does not match a schema: types, required members and choices.
    private func faults(_ value: Any, _ given: Object, _ document: Object, _ place: String) -> [String] {
        var schema = given
        if let name = (given["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
            let schemas = (document["components"] as? Object)?["schemas"] as? Object
            schema = schemas?[name] as? Object ?? [:]
        }
        let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
        let type =
            switch value {
            case is [Any]: ["array"]
            case is Object: ["object"]
            case is String: ["string"]
            case is NSNull: ["null"]
            default: ["integer", "number", "boolean"]
            }
        if !types.isEmpty, Set(types).isDisjoint(with: type) { return ["\(place) is \(type), not \(types)"] }
        if let choices = schema["enum"] as? [String], let text = value as? String, !choices.contains(text) {
            return ["\(place) is \(text)"]
        }
        if let list = value as? [Any], let items = schema["items"] as? Object {
            return list.prefix(5).flatMap { faults($0, items, document, place + "[]") }
        }
        guard let object = value as? Object else { return [] }
        let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
        return missing.map { "\(place) has no \($0)" }
            + (schema["properties"] as? Object ?? [:]).flatMap { name, schema in
                object[name].map { faults($0, schema as? Object ?? [:], document, "\(place).\(name)") } ?? []
            }
    }

    @Test func `answers have the types that the document says`() throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        let document = try document(town)
        var compared = 0
        for (method, path, operation) in try operations(document) where method == "get" {
            let content = ((operation["responses"] as? Object)?["200"] as? Object)?["content"] as? Object
            guard let schema = (content?["application/json"] as? Object)?["schema"] as? Object else { continue }
            let target = target(path, operation, id: id, nil)
            let answer = town.get(target)
            guard answer.status == .ok else { continue }
            let value = try JSONSerialization.jsonObject(with: Data(answer.bytes), options: .fragmentsAllowed)
            #expect(faults(value, schema, document, target) == [])
            compared += 1
        }
        #expect(compared > 25)
    }

    @Test func `OPTIONS is answered for every path, with the methods of the document`() throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        var methods: [String: Set<String>] = [:]
        for (method, path, _) in try operations(try document(town)) {
            methods[path, default: []].insert(method.uppercased())
        }
        for (path, described) in methods {
            let answer = town.get(target(path, [:], id: id, nil), method: .options)
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
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        for (method, path, operation) in try operations(try document(town)) {
            let security = try #require(operation["security"] as? [Object])
            // The token of PhoneTrack is in the path, that of a login in the body.
            guard !security.contains(where: \.isEmpty) else { continue }
            let request = Request(
                try #require(HTTPMethod(rawValue: method.uppercased())), target(path, operation, id: id, nil),
                headers: [(.host, "localhost"), (HeaderName("X-Forwarded-For"), "192.0.2.7")])
            #expect((town.server.ask(request).status == .unauthorized) == !security.isEmpty, "\(method) \(path)")
            let responses = try #require(operation["responses"] as? Object)
            #expect((responses["401"] != nil) == !security.isEmpty, "\(method) \(path)")
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
