package import HTTPCore

/// The routes of a server, each with its operation.
package typealias Routes = RouterBuilder<APIOperation>

/// What a route does, for an OpenAPI document. The router knows the rest: method, path, permission, and whether there is
/// a body.
package struct APIOperation: Sendable {
    /// Properties of the responses.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Something in the path or the query may not exist.
        package static let canBeMissing = Traits(rawValue: 1)
        /// The response has an ETag.
        package static let hasETag = Traits(rawValue: 2)
        /// A request may have no body.
        package static let hasOptionalBody = Traits(rawValue: 4)
    }

    /// What the route answers, in some words.
    package let summary: String
    let tag: APITag
    /// What the summary leaves out.
    let detail: String?
    /// All parameters: those of the path, in its order, and those of the query and of headers.
    let parameters: [APIParameter]
    /// The media types of the body, with the schema of JSON bodies.
    let body: [APIContent]
    /// The responses of success.
    let answers: [APIResponse]
    let traits: Traits
    /// For a route with `**`: the paths that it answers.
    package private(set) var paths: [String]?
    /// The ways to send a token, if there are others than usual.
    private(set) var security: [APISecurity]?
    /// The operation's id, if a standard demands one.
    private(set) var id: String?
    /// The body of a 400, if a standard demands another than a problem.
    private(set) var refusal: APIContent?

    package init(
        _ summary: String, _ tag: APITag, detail: String? = nil, parameters: [APIParameter] = [],
        body: [APIContent] = [], answers: [APIResponse], traits: Traits = []
    ) {
        self.summary = summary
        self.tag = tag
        self.detail = detail
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.traits = traits
    }

    /// The operation of a route with `**` that answers these paths. Each has those of its parameters that it names.
    package func at(_ paths: [String]) -> APIOperation {
        var operation = self
        operation.paths = paths
        return operation
    }

    /// The operation whose 400 has another body than a problem, because a standard demands it.
    package func refusing(with content: APIContent) -> APIOperation {
        var operation = self
        operation.refusal = content
        return operation
    }

    /// The operation with an id that a standard demands.
    package func identified(as id: String) -> APIOperation {
        var operation = self
        operation.id = id
        return operation
    }

    /// The operation with these ways to send a token instead of the usual ones.
    package func secured(by security: [APISecurity]?) -> APIOperation {
        var operation = self
        operation.security = security
        return operation
    }
}

/// A group of operations.
package struct APITag: Hashable, Sendable {
    let name: String
    let detail: String

    package init(_ name: String, _ detail: String) {
        self.name = name
        self.detail = detail
    }
}

/// A parameter of an operation.
package struct APIParameter: Sendable {
    package enum Place: String, Sendable {
        case query, path, header
    }

    package let name: String
    let schema: APISchema
    let detail: String
    let place: Place
    let isRequired: Bool
    /// A valid value, as in a query; required parameters need one.
    let example: String?

    package init(
        _ name: String, _ schema: APISchema, _ detail: String, in place: Place = .query, isRequired: Bool = false,
        example: String? = nil
    ) {
        self.name = name
        self.schema = schema.inTarget
        self.detail = detail
        self.place = place
        self.isRequired = isRequired || place == .path
        self.example = example
    }
}

/// A body: a media type with its schema.
package struct APIContent: Sendable {
    let type: String
    let schema: APISchema?

    package init(_ type: String, _ schema: APISchema? = nil) {
        self.type = type
        self.schema = schema
    }

    package static func json(_ schema: APISchema) -> APIContent { APIContent("application/json", schema) }
    package static let json = APIContent.json(.object())
    package static let form = APIContent("application/x-www-form-urlencoded", .object())
    package static let multipart = APIContent("multipart/form-data", .object())
    package static let png = APIContent("image/png")
}

/// A response of success.
package struct APIResponse: Sendable {
    let status: Status
    let detail: String
    /// The media types that the body may have; none without a body.
    let contents: [APIContent]

    package init(_ detail: String, _ content: APIContent?, status: Status = .ok) {
        self.init(detail, content.map { [$0] } ?? [], status: status)
    }

    package init(_ detail: String, _ contents: [APIContent], status: Status = .ok) {
        self.status = status
        self.detail = detail
        self.contents = contents
    }
}
