/// Handles a request whose path matched. A thrown error becomes a problem; an unknown error becomes an empty `500`.
public typealias Handler = @Sendable (Request, PathParameters) throws -> HandlerResult

/// The variable parts of a matched path, by name.
public struct PathParameters: Sendable {
    private let values: [(name: String, value: String)]

    init(_ values: [(name: String, value: String)]) {
        self.values = values
    }

    /// The decoded segment for `{name}`, which the pattern has to contain.
    public subscript(name: String) -> String {
        guard let value = values.first(where: { $0.name == name })?.value else {
            preconditionFailure("the pattern has no {\(name)}")
        }
        return value
    }
}

/// Collects routes, each with a description of its `Operation`; `build()` makes an immutable router.
public struct RouterBuilder<Operation: Sendable> {
    private var routes: [Route] = []
    /// The routes added so far, in order.
    public private(set) var descriptions: [RouteDescription<Operation>] = []
    private let refused: [Permission: Problem]

    /// No routes; routes that need a permission in `refused` answer with its problem.
    public init(refused: [Permission: Problem] = [:]) {
        self.refused = refused
    }

    /// Adds a route: `handler` answers `method` on `pattern` for callers with permission `permission`, and does what the
    /// operation describes.
    ///
    /// A pattern is `/` and segments; each is a word or `{name}` with an optional ending (`{name}.json`). A pattern
    /// with `**` matches every path with this beginning and end, undecoded; these are tried before the others, the one
    /// with the longest beginning first. `GET` also answers `HEAD`. The handler is called once, after the whole body that
    /// the route `takes` was received.
    public mutating func on(
        _ method: Method, _ pattern: String, for permission: Permission, takes rule: BodyPolicy = .nothing,
        as operation: Operation, file: String = #fileID, _ handler: @escaping Handler
    ) {
        let refusal = refused[permission].map { problem -> Handler in { _, _ in throw problem } }
        let entry = Route.Entry(handler: refusal ?? handler, permission: permission, rule: rule)
        let patternSegments = Route.patternSegments(of: pattern)
        let index = routes.firstIndex { $0.pattern == pattern }
        if let index {
            precondition(routes[index].entries[method] == nil, "\(method.rawValue) \(pattern) has a handler already")
            routes[index].entries[method] = entry
        } else {
            routes.append(Route(pattern: pattern, patternSegments: patternSegments, entries: [method: entry]))
        }
        descriptions.append(
            RouteDescription(
                method: method, pattern: pattern, permission: permission, body: rule, operation: operation, file: file))
    }

    /// As the method above, for a handler that needs nothing of the path.
    public mutating func on(
        _ method: Method, _ pattern: String, for permission: Permission, takes rule: BodyPolicy = .nothing,
        as operation: Operation, file: String = #fileID,
        _ handler: @escaping @Sendable (Request) throws -> HandlerResult
    ) {
        on(method, pattern, for: permission, takes: rule, as: operation, file: file) { request, _ in
            try handler(request)
        }
    }

    /// An immutable router for these routes; `access` checks the permissions. Where several patterns match a path, the
    /// most specific one is used, in whatever order they were added. While `refusal` returns a problem for a permission,
    /// the routes that need it answer with this problem. Without `permissions`, all routes are there; else only those that
    /// need one of them: the others answer as if they did not exist.
    public func build(
        access: AccessControl, only permissions: Set<Permission>? = nil,
        refusal: @escaping @Sendable (Permission) -> Problem? = { _ in nil }
    ) -> Router {
        let kept = routes.compactMap { route in permissions.map { route.limited(to: $0) } ?? route }
        return Router(kept.sorted { $0.isBefore($1) }, access, refusal)
    }
}

/// A route without its handler, for documentation.
public struct RouteDescription<Operation: Sendable>: Sendable {
    public let method: Method
    public let pattern: String
    public let permission: Permission
    public let body: BodyPolicy
    public let operation: Operation
    /// The file that adds the route, as `MODULE/FILE.swift`.
    public let file: String
}

/// Finds a request's handler: `404` without a route, `405` without the method, `401` or `403` without the permission.
public struct Router: Responder {
    private let wildcardRoutes: [(start: [UInt8], end: [UInt8], route: Route)]
    private let routes: [Route]
    private let access: AccessControl
    private let refusal: @Sendable (Permission) -> Problem?

    fileprivate init(
        _ routes: [Route], _ access: AccessControl, _ refusal: @escaping @Sendable (Permission) -> Problem?
    ) {
        self.access = access
        self.refusal = refusal
        wildcardRoutes = routes.compactMap { route in
            route.prefixAndSuffix.map { (Array($0.start.utf8), Array($0.end.utf8), route) }
        }.sorted { (one: (start: [UInt8], end: [UInt8], route: Route), other) in
            // The longest beginning is the most specific one.
            one.start.count != other.start.count
                ? one.start.count > other.start.count : one.route.pattern < other.route.pattern
        }
        self.routes = routes.filter { $0.prefixAndSuffix == nil }
    }

    public func answer(_ request: Request) -> HandlerResult {
        do {
            return try route(request)
        } catch {
            return .response(Problem.response(to: error))
        }
    }

    /// The methods of the request's path; nil if no route matches it.
    public func methods(for request: Request) -> [Method]? {
        find(request)?.route.methods
    }

    public func bodyDecision(of request: Request) -> BodyDecision {
        do {
            let (entry, _) = try entry(for: request)
            let caller = try access.authorize(request, to: entry.permission).caller
            let rule = entry.rule(for: caller)
            try rule.check(request)
            return .taken(rule)
        } catch {
            return .refused(.response(error.response))
        }
    }

    private func route(_ request: Request) throws -> HandlerResult {
        let (entry, parameters) = try entry(for: request)
        let authorized = try access.authorize(request, to: entry.permission)
        // After the permission: who lacks it is told nothing about the state of the library.
        if let problem = refusal(entry.permission) { throw problem }
        if request.body != .none { try entry.rule(for: authorized.caller).check(request) }
        var request = request
        request.caller = authorized.caller
        if entry.permission == .read { request.audience = access.audience(of: request) }
        let answer = try entry.handler(request, parameters)
        guard let authorization = authorized.authorization else { return answer }
        return answer.map { [access] reply in
            access.closeWhenRevoked(reply, openedBy: authorization)
            return reply
        }
    }

    /// The entry for a request. The path is checked first, then the method, and only then the permission and the body.
    private func entry(for request: Request) throws(Problem) -> (entry: Route.Entry, parameters: PathParameters) {
        guard let (route, parameters) = find(request) else {
            throw Problem.notFound("no resource at this path")
        }
        guard let entry = route.entries[request.method == .head ? .get : request.method] else {
            throw Problem.methodNotAllowed(route.methods)
        }
        return (entry, parameters)
    }

    private func find(_ request: Request) -> (route: Route, parameters: PathParameters)? {
        let path = request.target.path
        for (start, end, route) in wildcardRoutes
        where path.count >= start.count + end.count && path.starts(with: start) {
            if path.suffix(end.count).elementsEqual(end) { return (route, PathParameters([])) }
        }
        guard let segments = request.target.segments else { return nil }
        for route in routes {
            if let parameters = route.match(segments) { return (route, parameters) }
        }
        return nil
    }
}

private struct Route: Sendable {
    enum PatternSegment: Hashable, Sendable {
        case literal(String)
        case parameter(name: String, ending: String)

        /// Less for more specific segments.
        var rank: Int {
            switch self {
            case .literal: .min
            case .parameter(_, let ending): -ending.utf8.count
            }
        }
    }

    private static let wildcard = "**"

    struct Entry: Sendable {
        let handler: Handler
        let permission: Permission
        let rule: BodyPolicy

        /// The rule for the bodies of a caller.
        func rule(for caller: Caller) -> BodyPolicy {
            permission == .session && caller == .anonymous ? .login : rule
        }
    }

    let pattern: String
    let patternSegments: [PatternSegment]
    var entries: [Method: Entry]

    /// The route with only those methods that need one of some permissions; nil if none does.
    func limited(to permissions: Set<Permission>) -> Route? {
        var route = self
        route.entries = entries.filter { permissions.contains($0.value.permission) }
        return route.entries.isEmpty ? nil : route
    }

    /// Whether a path that matches both this pattern and another one belongs to this one: a word is more specific than
    /// a parameter, and a parameter with a longer ending more than one with a shorter ending.
    func isBefore(_ other: Route) -> Bool {
        guard patternSegments.count == other.patternSegments.count else {
            return patternSegments.count < other.patternSegments.count
        }
        for (own, others) in zip(patternSegments, other.patternSegments) where own.rank != others.rank {
            return own.rank < others.rank
        }
        return pattern < other.pattern
    }

    /// The required beginning and end of a path, for a pattern with `**`.
    var prefixAndSuffix: (start: String, end: String)? {
        let words = pattern.split(separator: Self.wildcard, omittingEmptySubsequences: false)
        return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }

    /// The supported methods in a fixed order, including `HEAD` and `OPTIONS`.
    var methods: [Method] {
        Method.allCases.filter { method in
            switch method {
            case .head: entries[.get] != nil
            case .options: true
            default: entries[method] != nil
            }
        }
    }

    static func patternSegments(of pattern: String) -> [PatternSegment] {
        precondition(pattern.hasPrefix("/"), "a pattern begins with /")
        return pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            patternSegment(String($0))
        }
    }

    private static func patternSegment(_ text: String) -> PatternSegment {
        guard text.hasPrefix("{"), let end = text.firstIndex(of: "}") else { return .literal(text) }
        return .parameter(name: String(text[..<end].dropFirst()), ending: String(text[end...].dropFirst()))
    }

    func match(_ segments: [String]) -> PathParameters? {
        guard segments.count == patternSegments.count else { return nil }
        var values: [(name: String, value: String)] = []
        for (patternSegment, segment) in zip(patternSegments, segments) {
            switch patternSegment {
            case .literal(let literal):
                guard literal == segment else { return nil }
            case .parameter(let name, let ending):
                guard segment.hasSuffix(ending), segment.count > ending.count else { return nil }
                values.append((name, String(segment.dropLast(ending.count))))
            }
        }
        return PathParameters(values)
    }
}
