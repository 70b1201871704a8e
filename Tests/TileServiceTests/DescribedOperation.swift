import Foundation
import HTTPCore
import Testing
import Text

private typealias HTTPMethod = HTTPCore.Method

/// An operation of an OpenAPI document.
struct DescribedOperation {
    typealias Object = [String: Any]

    let method: HTTPCore.Method
    let path: String
    let object: Object

    /// All operations of a document, by path and method.
    static func all(_ document: Object) throws -> [DescribedOperation] {
        let paths = try #require(document["paths"] as? Object)
        return try paths.sorted { $0.key < $1.key }.flatMap { path, item in
            try (item as? Object ?? [:]).sorted { $0.key < $1.key }.map { method, operation in
                DescribedOperation(
                    method: try #require(HTTPMethod(rawValue: method.uppercased())), path: path,
                    object: operation as? Object ?? [:])
            }
        }
    }

    var parameters: [Object] { object["parameters"] as? [Object] ?? [] }
    var tag: String? { (object["tags"] as? [String])?.first }
    var label: String { "\(method.rawValue) \(path)" }

    static func name(_ parameter: Object) -> String { parameter["name"] as? String ?? "" }
    static func place(_ parameter: Object) -> String { parameter["in"] as? String ?? "" }
    static func schema(_ parameter: Object) -> Object { parameter["schema"] as? Object ?? [:] }

    /// The example of a parameter, as in a query.
    static func example(_ parameter: Object) -> String? {
        if let list = parameter["example"] as? [Any] { return list.map { "\($0)" }.joined(separator: ",") }
        return parameter["example"] as? String
    }

    /// The target with these values of parameters in path and query, and with the examples of other required ones.
    func target(_ values: [String: String]) -> String {
        var path = path
        var query: [String] = []
        for parameter in parameters {
            let name = Self.name(parameter)
            switch Self.place(parameter) {
            case "path": path = path.replacing("{\(name)}", with: PercentCoding.encode(values[name] ?? "x"))
            case "query":
                let example = parameter["required"] as? Bool == true ? Self.example(parameter) : nil
                guard let value = values[name] ?? example else { continue }
                query.append("\(name)=\(PercentCoding.encode(value))")
            default: break
            }
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// What of an answer the document does not say; empty if it fits.
    func faults(_ answer: Response, _ document: Object, _ schema: JSONSchema) -> [String] {
        let code = answer.status.code
        guard method != .head else { return [] }
        var response = (object["responses"] as? Object ?? [:])["\(code)"] as? Object
        if response == nil, code < 400 { return ["\(label): \(code) is not described"] }
        let problem = (document["components"] as? Object)?["responses"] as? Object
        if response == nil || response?["$ref"] != nil { response = problem?["Problem"] as? Object }
        guard let content = response?["content"] as? Object else {
            return answer.bytes.isEmpty ? [] : ["\(label): \(code) has a body"]
        }
        func essence(_ type: String) -> String { String(type.prefix { $0 != ";" }) }
        let type = essence(answer[.contentType] ?? "")
        guard let media = content.first(where: { essence($0.key) == type || $0.key == "*/*" })?.value as? Object else {
            return ["\(label): \(code) is of the type \(type)"]
        }
        guard let described = media["schema"] as? Object, type.hasSuffix("json") else { return [] }
        guard let value = try? JSONReader.value(answer.bytes) else { return ["\(label): \(code) is no JSON"] }
        return schema.faults(value, described, "\(label) \(code)")
    }
}
