package import HTTPCore
import Text

/// An OpenAPI document of routes, each with its operation.
package struct OpenAPIDocument {
    /// The version of the specification, and the URL of the server relative to the document.
    package enum Specification {
        case openAPI31
        /// For standards that know no later one. Schemas must have no tuples and no null, which came with 3.1.
        case openAPI30(server: String)

        fileprivate var version: String {
            switch self {
            case .openAPI31: "3.1.0"
            case .openAPI30: "3.0.3"
            }
        }

        fileprivate var server: String {
            switch self {
            case .openAPI31: "."
            case .openAPI30(let server): server
            }
        }
    }

    private typealias Path = (path: String, routes: [RouteDescription<APIOperation>])

    private let paths: [Path]
    /// In the order in which routes use them.
    private let tags: [APITag]
    private let title: String
    private let version: String
    private let introduction: String
    private let specification: Specification

    /// A document of these routes. Its text depends on their order only in the order of tags.
    package init(
        _ routes: [RouteDescription<APIOperation>], title: String, version: String, introduction: String,
        specification: Specification = .openAPI31
    ) {
        var paths: [String: [RouteDescription<APIOperation>]] = [:]
        var tags: [APITag] = []
        for route in routes {
            for path in route.operation.paths ?? [route.pattern] { paths[path, default: []].append(route) }
            if !tags.contains(route.operation.tag) { tags.append(route.operation.tag) }
        }
        self.paths = paths.map { path, routes in
            (path, routes.sorted { $0.method.rawValue < $1.method.rawValue })
        }.sorted { $0.path < $1.path }
        self.tags = tags
        self.title = title
        self.version = version
        self.introduction = introduction
        self.specification = specification
    }

    /// The document as JSON.
    package var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("openapi", specification.version)
            json.object("info") { json in
                json.member("title", title)
                json.member("version", version.isEmpty ? "0" : version)
                json.member("description", introduction)
            }
            json.array("servers", [specification.server]) { json, url in json.object { $0.member("url", url) } }
            json.array("tags", tags) { json, tag in
                json.object { json in
                    json.member("name", tag.name)
                    json.member("description", tag.detail)
                }
            }
            json.object("paths") { json in
                for (path, routes) in paths {
                    json.object(path) { json in
                        for route in routes {
                            json.key(route.method.rawValue.lowercased())
                            OperationWriter(route: route, path: path).write(to: &json)
                        }
                        if let route = routes.first {
                            json.key("options")
                            OperationWriter(route: route, path: path).writeOptions(to: &json)
                        }
                    }
                }
            }
            json.object("components") { writeComponents(to: &$0) }
        }
        json.raw("\n")
        return json.bytes
    }

    /// The schemas with a name, as JSON, by name.
    private var schemas: [(name: String, json: String)] {
        var named: [String: String] = [:]
        APISchema.problem.collect(in: &named)
        for operation in paths.flatMap({ $0.routes.map(\.operation) }) {
            for schema in operation.parameters.map(\.schema) { schema.collect(in: &named) }
            for content in operation.body + operation.answers.flatMap(\.contents) {
                content.schema?.collect(in: &named)
            }
        }
        return named.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func writeComponents(to json: inout JSONWriter) {
        json.object("schemas") { json in
            for (name, schema) in schemas {
                json.key(name)
                json.raw(schema)
            }
        }
        json.object("responses") { json in
            json.object("Problem") { json in
                json.member("description", "A problem; its detail says what would be valid")
                json.key("content")
                APIContent.write([APIContent("application/problem+json", .problem)], to: &json)
            }
        }
        json.object("securitySchemes") { json in
            for security in APISecurity.allCases {
                guard let scheme = security.scheme else { continue }
                json.object(security.rawValue) { json in
                    json.member("type", scheme.type)
                    for (name, value) in scheme.members { json.member(name, value) }
                    json.member("description", scheme.detail)
                }
            }
        }
    }
}

/// One operation of the document.
private struct OperationWriter {
    let route: RouteDescription<APIOperation>
    let path: String

    private var operation: APIOperation { route.operation }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("operationId", operation.id ?? operationID(of: route.method.rawValue.lowercased()))
            json.array("tags", [operation.tag.name]) { $0.add($1) }
            json.member("summary", operation.summary)
            if let detail = operation.detail { json.member("description", detail) }
            if !parameters.isEmpty {
                json.array("parameters", parameters) { json, parameter in parameter.write(to: &json) }
            }
            if !operation.body.isEmpty {
                json.object("requestBody") { json in
                    json.member("description", "At most \(route.body.limit) bytes")
                    json.add("required", !operation.traits.contains(.hasOptionalBody))
                    json.key("content")
                    APIContent.write(operation.body, to: &json)
                }
            }
            json.object("responses") { writeResponses(to: &$0) }
            json.array("security", operation.security ?? APISecurity.usual(route.permission)) { json, security in
                json.object { json in
                    guard security != .none else { return }
                    json.key(security.rawValue)
                    json.raw("[]")
                }
            }
        }
    }

    /// The operation OPTIONS of the path, which the router answers for every route: also what browsers ask before a request
    /// from a page of another origin.
    func writeOptions(to json: inout JSONWriter) {
        json.object { json in
            json.member("operationId", operationID(of: "options"))
            json.array("tags", [operation.tag.name]) { $0.add($1) }
            json.member("summary", "the methods of this path, in Allow")
            let inPath = parameters.filter { $0.place == .path }
            if !inPath.isEmpty {
                // The router does not read them.
                json.array("parameters", inPath) { json, parameter in
                    APIParameter(parameter.name, .text(), parameter.detail, in: .path).write(to: &json)
                }
            }
            json.object("responses") { json in
                json.object("204") { $0.member("description", "The methods") }
                json.object("default") { $0.member("$ref", "#/components/responses/Problem") }
            }
            json.array("security", [()]) { json, _ in json.object { _ in } }
        }
    }

    /// The method and the words of the path: `getV1TracksIdGpx`.
    private func operationID(of method: String) -> String {
        let words = path.split { !$0.isLetter && !$0.isNumber }
        // A path with a slash at its end has the words of the path without it.
        let index = path.hasSuffix("/") && !words.isEmpty ? "Index" : ""
        return method + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + index
    }

    /// The parameters of the operation, without those of other paths of the route.
    private var parameters: [APIParameter] {
        operation.parameters.filter { $0.place != .path || path.contains("{\($0.name)}") }
    }

    private func writeResponses(to json: inout JSONWriter) {
        for answer in operation.answers {
            json.object("\(answer.status.code)") { json in
                json.member("description", answer.detail)
                guard !answer.contents.isEmpty else { return }
                json.key("content")
                APIContent.write(answer.contents, to: &json)
            }
        }
        if operation.traits.contains(.hasETag) {
            json.object("304") { $0.member("description", "The client has it already (If-None-Match)") }
        }
        if let refusal = operation.refusal {
            json.object("400") { json in
                json.member("description", "What is wrong, as the standard of this operation has it")
                json.key("content")
                APIContent.write([refusal], to: &json)
            }
        }
        for status in problems where status != 400 || operation.refusal == nil {
            json.object("\(status)") { $0.member("$ref", "#/components/responses/Problem") }
        }
        json.object("default") { $0.member("$ref", "#/components/responses/Problem") }
    }

    private var problems: [Int] {
        var statuses: [Int] = []
        let takesInput = route.body != .nothing || parameters.contains { $0.place != .path }
        if takesInput { statuses.append(400) }
        if route.permission != .nothing { statuses.append(401) }
        if ![.nothing, .read].contains(route.permission) { statuses.append(403) }
        if operation.traits.contains(.canBeMissing) { statuses.append(404) }
        if route.body != .nothing { statuses.append(413) }
        return statuses
    }
}

extension APIContent {
    fileprivate static func write(_ contents: [APIContent], to json: inout JSONWriter) {
        json.object { json in
            for content in contents {
                json.object(content.type) { json in
                    guard let schema = content.schema else { return }
                    json.key("schema")
                    schema.write(to: &json)
                }
            }
        }
    }
}

extension APIParameter {
    private func write(_ example: String, to json: inout JSONWriter) {
        guard schema.isList else { return json.member("example", example) }
        json.array("example", example.split(separator: ",").map(String.init)) { json, element in
            if let number = FixedDecimal(element) { json.add(number) } else { json.add(element) }
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("in", place.rawValue)
            json.member("description", detail)
            if isRequired {
                json.add("required", true)
            }
            if schema.isList, place == .query {
                json.member("style", "form")
                json.add("explode", false)
            }
            json.key("schema")
            schema.write(to: &json)
            if let example { write(example, to: &json) }
        }
    }
}
