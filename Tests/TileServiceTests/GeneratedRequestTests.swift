import Foundation
import HTTPCore
import PrimaryStore
import TestSupport
import Testing
import TileMath
import TrackStore
import Tracks

@testable import TileService

/// Requests that are generated from `/openapi.json`, and what the server makes of them. `Scripts/check-api` does the same
/// with more requests.
@Suite struct GeneratedRequestTests {
    private typealias Object = [String: Any]

    private let town: Town
    private let document: Object
    private let schema: JSONSchema
    private let operations: [DescribedOperation]
    /// Values of parameters that exist in the library, by name.
    private let known: [String: [String]]
    /// What valid requests may be refused for.
    private let exceptions: [Regex<AnyRegexOutput>]

    init() throws {
        town = try Town { $0.eventStreams = 10_000 }
        let bytes = Data(town.get("/openapi.json").bytes)
        document = try #require(try JSONSerialization.jsonObject(with: bytes) as? Object)
        schema = JSONSchema(document)
        // WMTS reports errors as XML, as its standard demands: `ProtocolTests` checks them.
        operations = try DescribedOperation.all(document).filter { !$0.path.hasPrefix("/wmts") }
        let ids = try #require(try town.library.database.tracks(limit: 3)?.tracks.map(\.id))
        let tile = try Town.tile(14)
        known = [
            "id": ids, "style": ["heat", "lines", "dots"], "z": ["14", "0"], "x": ["\(tile.x)", "0"],
            "y": ["\(tile.y)", "0"], "track": ids, "layer": ["all"], "year": ["2019"], "code": ["DE"],
            "collectionId": ["heat", "tracks"], "tileMatrixSetId": ["WebMercatorQuad"], "tileMatrix": ["14", "0"],
            "tileRow": ["\(tile.y)", "0"], "tileCol": ["\(tile.x)", "0"], "from": ["2019-06-01"],
            "bbox": ["13.3,52.4,13.5,52.6"], "lon": ["13.4"], "lat": ["52.5"],
        ]
        let file = URL(filePath: #filePath).appending(path: "../../../Scripts/api-exceptions.tsv").standardized
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        exceptions = try lines.map { try Regex("^(\($0.split(separator: "\t")[0]))$") }
    }

    private func detail(_ answer: Response) -> String {
        let problem = try? JSONSerialization.jsonObject(with: Data(answer.bytes)) as? Object
        return problem?["detail"] as? String ?? ""
    }

    private func ask(_ operation: DescribedOperation, _ target: String, body: (type: String, text: String)? = nil)
        -> Response
    {
        var headers: [(HeaderName, String)] = [(.host, "localhost")]
        if let body { headers.append((.contentType, body.type)) }
        let answer = town.server.ask(
            Request(
                operation.method, target, headers: headers,
                content: body.map { .bytes(Array($0.text.utf8)) } ?? .none))
        if case .events(let channel) = answer.body { channel.close() }
        return answer
    }

    /// Values of the parameters of an operation that their schemas allow.
    private func values(_ operation: DescribedOperation, _ values: inout SchemaValues) -> [String: String] {
        var result: [String: String] = [:]
        for parameter in operation.parameters where DescribedOperation.place(parameter) != "header" {
            let name = DescribedOperation.name(parameter)
            let isPath = DescribedOperation.place(parameter) == "path"
            guard isPath || values.random.once(in: 3) else { continue }
            if let known = known[name], values.random.once(in: 2) {
                result[name] = known[values.random.below(known.count)]
            } else {
                result[name] = values.text(DescribedOperation.schema(parameter))
            }
        }
        return result
    }

    /// A body of JSON that the schema of an operation allows.
    private func body(_ operation: DescribedOperation, _ values: inout SchemaValues) -> (type: String, text: String)? {
        let content = (operation.object["requestBody"] as? Object)?["content"] as? Object ?? [:]
        let types = content.keys.filter { $0.hasSuffix("json") && (content[$0] as? Object)?["schema"] != nil }.sorted()
        guard !types.isEmpty else { return nil }
        let type = types[values.random.below(types.count)]
        let schema = (content[type] as? Object)?["schema"] as? Object ?? [:]
        return (type, values.json(schema))
    }

    /// An answer to a valid request fits the document, and is no refusal except for a rule that no schema can say.
    private func check(_ operation: DescribedOperation, _ answer: Response, _ request: String) {
        #expect(answer.status.code < 500, "\(request): \(answer.text)")
        #expect(operation.faults(answer, document, schema) == [], "\(request)")
        guard answer.status == .badRequest else { return }
        let detail = detail(answer)
        #expect(exceptions.contains { detail.wholeMatch(of: $0) != nil }, "\(request): \(detail)")
    }

    @Test func `valid requests are not refused, and their answers are as described`() throws {
        var values = SchemaValues(schema: schema, random: SeededRandom(seed: 1))
        var found: [Int: Int] = [:]
        for operation in operations where operation.method == .get {
            for _ in 0..<12 {
                let target = operation.target(self.values(operation, &values))
                let answer = ask(operation, target)
                check(operation, answer, target)
                found[answer.status.code, default: 0] += 1
            }
        }
        #expect(found[200, default: 0] > 400 && found[404, default: 0] > 50, "\(found)")
    }

    @Test func `valid changes are not refused, and their answers are as described`() throws {
        var values = SchemaValues(schema: schema, random: SeededRandom(seed: 2))
        var changes = 0
        // Bodies of apps and files are described as objects or bytes only.
        for operation in operations where ![.get, .options].contains(operation.method) {
            for _ in 0..<10 {
                let target = operation.target(self.values(operation, &values))
                let body = body(operation, &values)
                guard operation.object["requestBody"] == nil || body != nil else { break }
                let answer = ask(operation, target, body: body)
                check(operation, answer, "\(operation.label) \(target) \(body?.text ?? "")")
                changes += answer.status.code < 300 ? 1 : 0
            }
        }
        #expect(changes > 30, "\(changes)")
    }

    @Test func `values that a schema does not allow are refused with a problem`() throws {
        var values = SchemaValues(schema: schema, random: SeededRandom(seed: 3))
        var refused = 0
        // Recording apps are told of refused points in an answer of their protocol.
        for operation in operations where operation.method == .get && operation.tag != "recording" {
            var valid: [String: String] = [:]
            for parameter in operation.parameters where DescribedOperation.place(parameter) == "path" {
                let name = DescribedOperation.name(parameter)
                valid[name] = known[name]?[0] ?? DescribedOperation.example(parameter)
            }
            for parameter in operation.parameters where DescribedOperation.place(parameter) != "header" {
                let name = DescribedOperation.name(parameter)
                for text in values.invalidTexts(DescribedOperation.schema(parameter)) {
                    var given = valid
                    given[name] = text
                    let target = operation.target(given)
                    let answer = ask(operation, target)
                    let isPath = DescribedOperation.place(parameter) == "path"
                    #expect(
                        answer.status == .badRequest || isPath && answer.status == .notFound,
                        "\(target): \(answer.status.code) \(text)")
                    #expect(operation.faults(answer, document, schema) == [], "\(target)")
                    #expect(!detail(answer).isEmpty, "\(target)")
                    refused += 1
                }
            }
        }
        #expect(refused > 1000, "\(refused)")
    }
}
