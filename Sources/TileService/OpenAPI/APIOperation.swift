import HTTPCore

/// What a route does, for `/openapi.json`.
struct APIOperation: Sendable {
    /// Properties of the responses.
    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// Something in the path or the query may not exist.
        static let canBeMissing = Traits(rawValue: 1)
        /// The response has an ETag.
        static let hasETag = Traits(rawValue: 2)
    }

    /// The same sentence as in `ROUTES.md`.
    let summary: String
    let tag: APITag
    /// What the summary leaves out.
    let detail: String?
    /// Parameters of the query and headers, and what is to be said about those of the path.
    let parameters: [APIParameter]
    /// The media types of the body, with the name of the schema of JSON bodies.
    let body: [APIContent]
    /// The responses of success.
    let answers: [APIResponse]
    let traits: Traits
    /// For a route with `**`: the paths that it answers.
    private(set) var paths: [String]?
    /// The ways to send a token, if there are others than usual.
    private(set) var security: [APISecurity]?

    init(
        summary: String, tag: APITag, detail: String? = nil, parameters: [APIParameter] = [], body: [APIContent] = [],
        answers: [APIResponse], traits: Traits = []
    ) {
        self.summary = summary
        self.tag = tag
        self.detail = detail
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.traits = traits
    }

    /// The operation of a route with `**` that answers these paths.
    func at(_ paths: [String]) -> APIOperation {
        var operation = self
        operation.paths = paths
        return operation
    }

    /// The operation with these ways to send a token instead of the usual ones.
    func secured(by security: [APISecurity]?) -> APIOperation {
        var operation = self
        operation.security = security
        return operation
    }
}

/// The groups of operations.
enum APITag: String, CaseIterable, Sendable {
    case tiles, tracks, statistics, pins, places, replay, changes, recording, server

    var detail: String {
        switch self {
        case .tiles: "Heat maps and lines as tiles, their styles, layers and legends"
        case .tracks: "Tracks as lists and files, days with data, positions"
        case .statistics: "Totals by time, with charts"
        case .pins: "Places with content: waypoints, marked points, photos"
        case .places: "Names of places"
        case .replay: "Tracks played back as server-sent events, and points as they are recorded"
        case .changes: "Imports, edits and removals"
        case .recording: "Points from devices and apps"
        case .server: "The web page and the state of the server"
        }
    }
}

/// A parameter of an operation.
struct APIParameter: Sendable {
    enum Place: String, Sendable {
        case query, path, header
    }

    let name: String
    let schema: APISchema
    let detail: String
    var place = Place.query
    var isRequired = false
    /// A valid value, which is required for required parameters.
    var example: String?

    init(
        _ name: String, _ schema: APISchema, _ detail: String, in place: Place = .query, isRequired: Bool = false,
        example: String? = nil
    ) {
        self.name = name
        self.schema = schema
        self.detail = detail
        self.place = place
        self.isRequired = isRequired || place == .path
        self.example = example
    }
}

/// The values that are valid.
indirect enum APISchema: Sendable {
    case text(maxLength: Int? = nil)
    case pattern(String)
    case integer(ClosedRange<Int>, default: Int? = nil)
    case number(ClosedRange<Double>)
    case choice([String], default: String? = nil)
    case boolean
    case null
    /// A schema of the document by its name.
    case named(String)
    case list(APISchema, limit: Int? = nil)
    /// Members; those whose name ends with `?` may be missing. Without members, any object.
    case object([(String, APISchema)] = [])
    /// Any of several schemas.
    case either([APISchema])
}

/// A body: a media type with its schema.
struct APIContent: Sendable {
    let type: String
    var schema: APISchema?

    init(_ type: String, _ schema: APISchema? = nil) {
        self.type = type
        self.schema = schema
    }

    static func json(_ schema: APISchema = .object()) -> APIContent { APIContent("application/json", schema) }
    static let form = APIContent("application/x-www-form-urlencoded", .object())
}

/// A response of success.
struct APIResponse: Sendable {
    let status: Status
    let detail: String
    /// nil without a body.
    var content: APIContent?

    init(_ detail: String, _ content: APIContent?, status: Status = .ok) {
        self.status = status
        self.detail = detail
        self.content = content
    }
}

/// A way to send a token.
enum APISecurity: String, CaseIterable, Sendable {
    case bearer, basic, key
    case dawarichKey, reittiKey, reittiHeader, openGTSAccount, session
    /// None, or in a way that is not part of these: in the path, or in the body of a login.
    case none

    /// Those that a permission accepts.
    static func usual(_ permission: Permission) -> [APISecurity] {
        switch permission {
        case .nothing: []
        case .read, .record: [.bearer, .basic, .key]
        case .change, .contribute: [.bearer, .basic]
        case .session: [.session, .none]
        }
    }

    /// The kind of scheme, its place, the parameter's name, and a sentence.
    var scheme: (type: String, members: [(String, String)], detail: String)? {
        switch self {
        case .bearer: ("http", [("scheme", "bearer")], "A token of `tileserve tokens add`")
        case .basic: ("http", [("scheme", "basic")], "Any user, and the token as password")
        case .key: ("apiKey", [("in", "query"), ("name", RequestTarget.secretParameter)], "To read and to record only")
        case .dawarichKey: ("apiKey", [("in", "query"), ("name", "api_key")], "As apps for Dawarich send it")
        case .reittiKey: ("apiKey", [("in", "query"), ("name", "token")], "As apps for Reitti send it")
        case .reittiHeader: ("apiKey", [("in", "header"), ("name", "X-API-Token")], "As apps for Reitti send it")
        case .openGTSAccount: ("apiKey", [("in", "query"), ("name", "acct")], "As the account of OpenGTS")
        case .session: ("apiKey", [("in", "cookie"), ("name", SessionCookie.name)], "Set by a login of μlogger")
        case .none: nil
        }
    }
}
