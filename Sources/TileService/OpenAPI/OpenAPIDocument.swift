import HTTPCore
import Text

/// An OpenAPI 3.1 document of routes. What a route does is in `APIOperations`; the router knows the rest: method, path,
/// permission, and whether there is a body. A route without an entry is described as far as the router knows it.
struct OpenAPIDocument {
    private let paths: [(path: String, operations: [(RouteDescription, APIOperation)])]
    private let version: String

    init(routes: [RouteDescription], version: String) {
        var paths: [String: [(RouteDescription, APIOperation)]] = [:]
        for route in routes {
            let operation = APIOperations.operation(of: route)
            for path in operation.paths ?? [route.pattern] { paths[path, default: []].append((route, operation)) }
        }
        self.paths = paths.map { path, operations in
            (path, operations.sorted { $0.0.method.rawValue < $1.0.method.rawValue })
        }.sorted { $0.path < $1.path }
        self.version = version
    }

    /// The document as JSON.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("openapi", "3.1.0")
            json.key("info")
            json.object { json in
                json.member("title", "tileserve")
                json.member("version", version.isEmpty ? "0" : version)
                json.member("description", Self.introduction)
            }
            json.key("servers")
            json.array(["."]) { json, url in json.object { $0.member("url", url) } }
            json.key("tags")
            json.array(APITag.allCases) { json, tag in
                json.object { json in
                    json.member("name", tag.rawValue)
                    json.member("description", tag.detail)
                }
            }
            json.key("paths")
            json.object { json in
                for (path, operations) in paths {
                    json.key(path)
                    json.object { json in
                        for (route, operation) in operations {
                            json.key(route.method.rawValue.lowercased())
                            OperationWriter(route: route, operation: operation, path: path).write(to: &json)
                        }
                    }
                }
            }
            json.key("components")
            json.object { Self.writeComponents(to: &$0) }
        }
        json.raw("\n")
        return json.bytes
    }

    private static let introduction = """
        GET also answers HEAD, and every path answers OPTIONS. Errors are problems (RFC 9457). Without a token, requests \
        from the server's own machine may read, and make changes that no page of another site can cause; with \
        --public-read everybody may read. Parameters that are not listed are ignored.
        """

    private static func writeComponents(to json: inout JSONWriter) {
        json.key("schemas")
        json.object { json in
            for (name, schema) in APISchemas.all {
                json.key(name)
                schema.write(to: &json)
            }
        }
        json.key("responses")
        json.object { json in
            json.key("Problem")
            json.object { json in
                json.member("description", "A problem; its detail says what would be valid")
                json.key("content")
                APIContent.write([APIContent("application/problem+json", .named("Problem"))], to: &json)
            }
        }
        json.key("securitySchemes")
        json.object { json in
            for security in APISecurity.allCases {
                guard let scheme = security.scheme else { continue }
                json.key(security.rawValue)
                json.object { json in
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
    let route: RouteDescription
    let operation: APIOperation
    let path: String

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("operationId", operationID)
            json.key("tags")
            json.array([operation.tag.rawValue]) { $0.add($1) }
            json.member("summary", operation.summary)
            if let detail = operation.detail { json.member("description", detail) }
            if !parameters.isEmpty {
                json.key("parameters")
                json.array(parameters) { json, parameter in parameter.write(to: &json) }
            }
            if !operation.body.isEmpty {
                json.key("requestBody")
                json.object { json in
                    json.member("description", "At most \(route.body.limit) bytes")
                    json.key("content")
                    APIContent.write(operation.body, to: &json)
                }
            }
            json.key("responses")
            json.object { writeResponses(to: &$0) }
            json.key("security")
            json.array(operation.security ?? APISecurity.usual(route.permission)) { json, security in
                json.object { json in
                    guard security != .none else { return }
                    json.key(security.rawValue)
                    json.raw("[]")
                }
            }
        }
    }

    /// The method and the words of the path: `getV1TracksIdGpx`.
    private var operationID: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }
        return route.method.rawValue.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The parameters of the operation, of which those of other paths of the route are left out, and the rest of the
    /// path's.
    private var parameters: [APIParameter] {
        let names = path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
        let given = operation.parameters.filter { $0.place != .path || names.contains($0.name) }
        let others = names.filter { name in !given.contains { $0.place == .path && $0.name == name } }
        return others.map(APIOperations.pathParameter) + given
    }

    private func writeResponses(to json: inout JSONWriter) {
        for answer in operation.answers {
            json.key("\(answer.status.code)")
            json.object { json in
                json.member("description", answer.detail)
                guard let content = answer.content else { return }
                json.key("content")
                APIContent.write([content], to: &json)
            }
        }
        if operation.traits.contains(.hasETag) {
            json.key("304")
            json.object { $0.member("description", "The client has it already (If-None-Match)") }
        }
        for status in problems {
            json.key("\(status)")
            json.object { $0.member("$ref", "#/components/responses/Problem") }
        }
        json.key("default")
        json.object { $0.member("$ref", "#/components/responses/Problem") }
    }

    private var problems: [Int] {
        var statuses: [Int] = []
        let takesInput = route.body != .nothing || parameters.contains { $0.place != .path }
        if takesInput { statuses.append(400) }
        if route.permission != .nothing { statuses.append(401) }
        if [.change, .contribute, .record, .session].contains(route.permission) { statuses.append(403) }
        if operation.traits.contains(.canBeMissing) { statuses.append(404) }
        if route.body != .nothing { statuses.append(413) }
        return statuses
    }
}

extension APIContent {
    fileprivate static func write(_ contents: [APIContent], to json: inout JSONWriter) {
        json.object { json in
            for content in contents {
                json.key(content.type)
                json.object { json in
                    guard let schema = content.schema else { return }
                    json.key("schema")
                    schema.write(to: &json)
                }
            }
        }
    }
}

extension APIParameter {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("in", place.rawValue)
            json.member("description", detail)
            if isRequired {
                json.key("required")
                json.add(true)
            }
            json.key("schema")
            schema.write(to: &json)
            if let example { json.member("example", example) }
        }
    }
}

extension APISchema {
    /// Adds the schema as JSON Schema.
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .text(let maxLength):
                json.member("type", "string")
                if let maxLength { json.member("maxLength", maxLength) }
            case .pattern(let pattern):
                json.member("type", "string")
                json.member("pattern", pattern)
            case .integer(let range, let usual):
                json.member("type", "integer")
                json.member("minimum", range.lowerBound)
                if range.upperBound < .max { json.member("maximum", range.upperBound) }
                if let usual { json.member("default", usual) }
            case .number(let range):
                json.member("type", "number")
                for (name, bound) in [("minimum", range.lowerBound), ("maximum", range.upperBound)]
                where bound.isFinite {
                    json.key(name)
                    json.add(bound)
                }
            case .choice(let values, let usual):
                json.member("type", "string")
                json.key("enum")
                json.array(values) { $0.add($1) }
                if let usual { json.member("default", usual) }
            case .boolean: json.member("type", "boolean")
            case .null: json.member("type", "null")
            case .named(let name): json.member("$ref", "#/components/schemas/\(name)")
            case .list(let element, let limit):
                json.member("type", "array")
                json.key("items")
                element.write(to: &json)
                if let limit { json.member("maxItems", limit) }
            case .object(let members): Self.write(members, to: &json)
            case .either(let schemas):
                json.key("anyOf")
                json.array(schemas) { json, schema in schema.write(to: &json) }
            }
        }
    }

    private static func write(_ members: [(String, APISchema)], to json: inout JSONWriter) {
        json.member("type", "object")
        guard !members.isEmpty else { return }
        json.key("properties")
        json.object { json in
            for (name, schema) in members {
                json.key(name.hasSuffix("?") ? String(name.dropLast()) : name)
                schema.write(to: &json)
            }
        }
        let required = members.map(\.0).filter { !$0.hasSuffix("?") }
        guard !required.isEmpty else { return }
        json.key("required")
        json.array(required) { $0.add($1) }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String) {
        key(name)
        add(text)
    }

    fileprivate mutating func member(_ name: String, _ number: Int) {
        key(name)
        add(number)
    }
}
