import Foundation
import HTTPCore
package import Links
package import OpenAPI
import PrimaryStore
package import RequestHandling
package import Text
import Tokens
import TrackStore

/// Answers `/v1/links`: links with which others see an edition without a token.
package struct LinkHandler: RequestHandler {
    private let context: HandlerContext
    private let links: LinkBook
    /// Opens an edition in advance, by its name.
    private let prepare: @Sendable (String) -> Void
    private let now: @Sendable () -> Int64
    private let changes = ChangeQueue("tileserve.links", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: some thousand ids of tracks.
    private static let byteLimit = 256 * 1024
    private static let openingByteLimit = 4 * 1024

    /// The links of a library. `prepare` opens an edition in advance; `now` is in milliseconds since 1970.
    package init(
        _ context: HandlerContext, _ links: LinkBook, now: @escaping @Sendable () -> Int64,
        prepare: @escaping @Sendable (String) -> Void
    ) {
        self.context = context
        self.links = links
        self.now = now
        self.prepare = prepare
    }

    package func add(to routes: inout Routes) {
        routes.on(.get, "/s", for: .nothing, as: Self.pageOperation) { _ in .response(Self.toFolder) }
        routes.on(.get, "/v1/links", for: .inspect, as: Self.listOperation, list)
        routes.on(.post, "/v1/links", for: .change, takes: .memory(limit: Self.byteLimit), as: Self.makeOperation, make)
        routes.on(.delete, "/v1/links/{id}", for: .change, as: Self.removeOperation, remove)
        routes.on(
            .post, "/v1/links/open", for: .nothing, takes: .memory(limit: Self.openingByteLimit),
            as: Self.openOperation, open)
    }

    /// The page's URLs are relative, so it is in a folder. Browsers keep the fragment, in which the secret is.
    private static let toFolder = Response(status: .permanentRedirect, headers: [ResponseHeader(.location, "s/")])

    // MARK: Answers

    private func list(_ request: Request, _ path: PathParameters) -> HandlerResult {
        context.queues.reading.answer {
            var object = JSONObject()
            let time = now() / 1000
            object.add("links", objects: try links.all().reversed().map { $0.json(at: time) })
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private func make(_ request: Request, _ path: PathParameters) -> HandlerResult {
        let base = context.tiles.base(for: request)
        return changes.answer {
            let body = try LinkBody(request.content.bytes, calendar: context.library.calendar(), now: now())
            let (record, secret) = try body.subject.makeLink(body.label, body.kind, in: context.library) { wanted in
                var wanted = wanted
                wanted.expires = body.expires
                wanted.password = body.password
                wanted.hasPreview = body.hasPreview
                return try links.add(wanted)
            }
            prepare(record.edition)
            var object = record.json(at: now() / 1000)
            object.add("url", Self.url(base, record, secret: secret.text))
            if !base.hasPrefix("https://") {
                object.add(
                    "warning",
                    "this address is plain http: who can listen on the network can read the link; use --public-url with https"
                )
            }
            var response = JSONResponse.response(object)
            response.status = .created
            response.forbidStoring()
            return .response(response)
        }
    }

    /// The page gets its secret in the fragment, which browsers send to nobody; other map clients need it in the URL.
    package static func url(_ base: String, _ link: LinkRecord, secret: String) -> String {
        switch link.kind {
        case .page:
            link.preview.map { "\(base)\(LinkCookie.path)/?\(LinkPreview.parameter)=\($0)#\(secret)" }
                ?? "\(base)\(LinkCookie.path)#\(secret)"
        case .tiles: "\(base)\(LinkCookie.path)/tiles/{z}/{x}/{y}.png?\(RequestTarget.secretParameter)=\(secret)"
        }
    }

    private func remove(_ request: Request, _ path: PathParameters) -> HandlerResult {
        let id = path["id"]
        return changes.answer {
            guard let removed = try links.remove(id) else { throw Problem.notFound("there is no link with this id") }
            if removed.ownsEdition { try context.library.removeEdition(named: removed.edition) }
            return .response(Response(status: .noContent))
        }
    }

    private func open(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        var members = try BodyMembers(request.content.bytes)
        let secret = members.value("secret", "the secret of a link", isRequired: true) { value -> String? in
            guard case .text(let text) = value else { return nil }
            return text
        }
        let password = members.text("password", "a text") { $0 }
        try members.check()
        let base = context.tiles.base(for: request)
        // One at a time, because checking a password takes 64 MiB.
        return context.queues.long.answer {
            guard let secret, let link = links.link(secret: secret), link.kind == .page else {
                throw Problem.notFound("this link has expired, was revoked, or is not complete")
            }
            switch links.open(link, secret: secret, password: password.newValue) {
            case .opened(let cookie):
                return .response(Response(status: .noContent, headers: [LinkCookie.setting(cookie, below: base)]))
            case .needsPassword: throw Problem(.forbidden, "this link needs a password")
            case .wrongPassword: throw Problem(.forbidden, "this is not the password of the link")
            case .tooOften(let seconds):
                throw Problem(
                    .tooManyRequests, "too many wrong passwords; try again in \(seconds) s",
                    headers: [ResponseHeader(.retryAfter, "\(seconds)")])
            }
        }
    }
}

extension LinkRecord {
    /// The link for its owner; times are instants in UTC.
    package func json(at now: Int64) -> JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("label", label)
        object.add("edition", ownsEdition ? nil : edition)
        object.add("kind", kind.rawValue)
        object.add("created", InstantFormatter.utc(created * 1000))
        object.add("expires", expires.map { InstantFormatter.utc($0 * 1000) })
        object.add("expired", !isValid(at: now))
        object.add("password", needsPassword)
        object.add("preview", preview != nil)
        object.add("lastUsed", lastUsed.map { InstantFormatter.utc($0 * 1000) })
        object.add("uses", uses)
        return object
    }
}
