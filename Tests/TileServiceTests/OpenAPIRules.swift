import Foundation

/// Checks a document against the rules of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.0), as far as tileserve uses them.
struct OpenAPIRules {
    typealias Object = [String: Any]

    let document: Object
    /// What is wrong, with its place.
    private(set) var faults: [String] = []

    init(_ document: Object) {
        self.document = document
        check()
    }

    private static let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
    private static let types: Set<String> = ["string", "integer", "number", "boolean", "object", "array", "null"]

    private mutating func check() {
        only(document, ["openapi", "info", "servers", "tags", "paths", "components"], "document")
        if document["openapi"] as? String != "3.1.0" { faults.append("openapi is not 3.1.0") }
        let info = document["info"] as? Object ?? [:]
        only(info, ["title", "version", "description"], "info")
        for name in ["title", "version"] where (info[name] as? String ?? "").isEmpty {
            faults.append("info has no \(name)")
        }
        for server in document["servers"] as? [Object] ?? [] where (server["url"] as? String ?? "").isEmpty {
            faults.append("a server without url")
        }
        checkComponents()
        var ids: Set<String> = []
        var shapes: Set<String> = []
        for (path, item) in document["paths"] as? Object ?? [:] {
            if !path.hasPrefix("/") { faults.append("\(path) does not begin with /") }
            // Templates that differ only in the names of their parameters are the same path.
            let shape = path.replacing(#/\{[^}]*\}/#) { _ in "{}" }
            if !shapes.insert(shape).inserted { faults.append("\(path) is there twice") }
            for (method, value) in item as? Object ?? [:] {
                let place = "\(method) \(path)"
                guard Self.methods.contains(method), let operation = value as? Object else {
                    faults.append("\(place) is no operation")
                    continue
                }
                check(operation, path: path, place)
                let id = operation["operationId"] as? String ?? ""
                if id.isEmpty || !ids.insert(id).inserted { faults.append("\(place): operationId \(id) is not unique") }
            }
        }
    }

    private mutating func only(_ object: Object, _ names: Set<String>, _ place: String) {
        for name in object.keys where !names.contains(name) { faults.append("\(place): unknown member \(name)") }
    }

    private mutating func checkComponents() {
        let components = document["components"] as? Object ?? [:]
        only(components, ["schemas", "responses", "securitySchemes"], "components")
        for (name, schema) in components["schemas"] as? Object ?? [:] { check(schema: schema, "schema \(name)") }
        for (name, response) in components["responses"] as? Object ?? [:] {
            check(response: response as? Object ?? [:], "response \(name)")
        }
        for (name, value) in components["securitySchemes"] as? Object ?? [:] {
            let scheme = value as? Object ?? [:]
            let needed: Set<String> =
                switch scheme["type"] as? String {
                case "http": ["scheme"]
                case "apiKey": ["name", "in"]
                default: ["(known type)"]
                }
            only(scheme, needed.union(["type", "description"]), "security \(name)")
            for member in needed where scheme[member] == nil { faults.append("security \(name): no \(member)") }
        }
    }

    private mutating func check(_ operation: Object, path: String, _ place: String) {
        only(
            operation,
            [
                "operationId", "tags", "summary", "description", "parameters", "requestBody", "responses", "security",
            ], place)
        let tags = Set((document["tags"] as? [Object] ?? []).compactMap { $0["name"] as? String })
        for tag in operation["tags"] as? [String] ?? [] where !tags.contains(tag) {
            faults.append("\(place): unknown tag \(tag)")
        }
        var keys: Set<String> = []
        var inPath: Set<String> = []
        for parameter in operation["parameters"] as? [Object] ?? [] {
            let name = parameter["name"] as? String ?? ""
            let location = parameter["in"] as? String ?? ""
            only(
                parameter, ["name", "in", "description", "required", "style", "explode", "schema", "example"],
                "\(place) \(name)")
            if name.isEmpty || !["query", "path", "header", "cookie"].contains(location) {
                faults.append("\(place): parameter \(name) in \(location)")
            }
            if !keys.insert("\(location) \(name)").inserted { faults.append("\(place): \(name) is there twice") }
            let isRequired = parameter["required"] as? Bool ?? false
            if location == "path" {
                inPath.insert(name)
                if !isRequired { faults.append("\(place): \(name) in the path is not required") }
            } else if isRequired, parameter["example"] == nil {
                faults.append("\(place): \(name) is required and has no example")
            }
            guard let schema = parameter["schema"] else {
                faults.append("\(place): \(name) has no schema")
                continue
            }
            check(schema: schema, "\(place) \(name)")
        }
        let template = Set(path.matches(of: #/\{([^}]*)\}/#).map { String($0.1) })
        if template != inPath { faults.append("\(place): the path has \(template), its parameters are \(inPath)") }
        if let body = operation["requestBody"] as? Object {
            only(body, ["description", "content", "required"], place)
            check(content: body["content"], place)
            if path.contains("get ") { faults.append("\(place): a GET with a body") }
        }
        let responses = operation["responses"] as? Object ?? [:]
        if responses.isEmpty { faults.append("\(place): no response") }
        for (status, response) in responses {
            let isStatus = Int(status).map { (100...599).contains($0) } ?? (status == "default")
            if !isStatus { faults.append("\(place): response \(status)") }
            check(response: response as? Object ?? [:], "\(place) \(status)")
        }
        let schemes = (document["components"] as? Object)?["securitySchemes"] as? Object ?? [:]
        for requirement in operation["security"] as? [Object] ?? [] {
            for (name, scopes) in requirement where schemes[name] == nil || (scopes as? [String])?.isEmpty != true {
                faults.append("\(place): security \(name)")
            }
        }
    }

    private mutating func check(response: Object, _ place: String) {
        if let reference = response["$ref"] as? String {
            only(response, ["$ref"], place)
            return resolve(reference, place)
        }
        only(response, ["description", "content"], place)
        if (response["description"] as? String ?? "").isEmpty { faults.append("\(place): no description") }
        if let content = response["content"] { check(content: content, place) }
    }

    private mutating func check(content: Any?, _ place: String) {
        guard let content = content as? Object, !content.isEmpty else {
            faults.append("\(place): no content")
            return
        }
        for (type, value) in content {
            if !type.contains("/") { faults.append("\(place): media type \(type)") }
            let media = value as? Object ?? [:]
            only(media, ["schema"], "\(place) \(type)")
            if let schema = media["schema"] { check(schema: schema, "\(place) \(type)") }
        }
    }

    private mutating func check(schema value: Any, _ place: String) {
        guard let schema = value as? Object else {
            faults.append("\(place): the schema is no object")
            return
        }
        if let reference = schema["$ref"] as? String { return resolve(reference, place) }
        only(
            schema,
            [
                "type", "minimum", "maximum", "default", "enum", "pattern", "minLength", "maxLength", "items",
                "prefixItems", "minItems", "maxItems", "uniqueItems", "dependentRequired",
                "additionalProperties", "properties", "required",
                "anyOf",
            ], place)
        for part in schema["anyOf"] as? [Any] ?? [] { check(schema: part, place) }
        guard schema["anyOf"] == nil else { return }
        let type = schema["type"] as? String ?? ""
        if !Self.types.contains(type) { faults.append("\(place): type \(type)") }
        if let lower = schema["minimum"] as? Double, let upper = schema["maximum"] as? Double, lower > upper {
            faults.append("\(place): minimum above maximum")
        }
        if let choices = schema["enum"] as? [String], let usual = schema["default"] as? String, !choices.contains(usual)
        {
            faults.append("\(place): the default is none of the values")
        }
        if let pattern = schema["pattern"] as? String, (try? Regex(pattern)) == nil {
            faults.append("\(place): pattern \(pattern)")
        }
        if let elements = schema["prefixItems"] as? [Any] {
            for element in elements { check(schema: element, place) }
        } else if type == "array" {
            check(schema: schema["items"] ?? "", place)
        }
        let properties = schema["properties"] as? Object ?? [:]
        for (name, property) in properties { check(schema: property, "\(place).\(name)") }
        for name in schema["required"] as? [String] ?? [] where properties[name] == nil {
            faults.append("\(place): required \(name) is no property")
        }
    }

    private mutating func resolve(_ reference: String, _ place: String) {
        var value: Any? = document
        for name in reference.split(separator: "/").dropFirst() { value = (value as? Object)?[String(name)] }
        if !reference.hasPrefix("#/") || value == nil { faults.append("\(place): \(reference) does not exist") }
    }
}
