import EditionService
import HTTPCore
import Links

/// Routes requests below the path of links: to the edition that the link of the request shows.
struct LinkRouting: Sendable {
    let links: LinkBook
    let editions: EditionServers
    /// Answers what shows nothing of any library: the page, its files, and opening a link.
    let main: Router
    /// The page with these elements in its head.
    let page: @Sendable (_ elements: String) -> any LibraryResponder
    /// The URL under which the client of a request reaches the server.
    let base: @Sendable (Request) -> String

    /// nil for a request that is not below the path. Throws a `403` for one without a valid link, whatever it asks for.
    func route(_ request: Request) throws(Problem) -> RoutedRequest? {
        guard let open = RoutedRequest(request, droppingPrefix: LinkCookie.pathBytes, to: main) else { return nil }
        let path = request.target.path.dropFirst(LinkCookie.pathBytes.count)
        if let preview = try preview(request, path) { return preview }
        if Self.isOpen(path, request.method) { return open }
        guard request.method == .get || request.method == .head || request.method == .options else {
            throw Self.refusal
        }
        guard let link = link(of: request, path),
            let responder = editions.responder(for: link.edition, to: .link)
        else { throw Self.refusal }
        if link.kind == .tiles { links.countUse(of: link) }
        let ending = StreamEnding(responder) { [links] channel in links.close(channel, whenGone: link) }
        return RoutedRequest(request, droppingPrefix: LinkCookie.pathBytes, to: ending)
    }

    /// What programs get that show previews of links: the page with elements that describe it, and its picture.
    private func preview(_ request: Request, _ path: ArraySlice<UInt8>) throws(Problem) -> RoutedRequest? {
        let isPage = path.elementsEqual("/".utf8)
        guard request.method == .get || request.method == .head,
            isPage || path.elementsEqual(LinkPreview.picturePath.utf8), let id = LinkPreview.id(in: request.target)
        else { return nil }
        guard let link = links.link(preview: id) else { return nil }
        if isPage { return RoutedRequest(request, to: page(LinkPreview.elements(link, base: base(request)))) }
        guard let responder = editions.responder(for: link.edition, to: .link) else { throw Self.refusal }
        return RoutedRequest(request, droppingPrefix: LinkCookie.pathBytes, to: responder)
    }

    private static let refusal = Problem(
        .forbidden, "this link is not valid: it has expired, was revoked, or has to be opened again")

    /// Whether a path needs no link.
    private static func isOpen(_ path: ArraySlice<UInt8>, _ method: Method) -> Bool {
        if method == .post { return path.elementsEqual("/v1/links/open".utf8) }
        return method == .get || method == .head
            ? path.elementsEqual("/".utf8) || path.starts(with: "/assets/".utf8) : false
    }

    /// The valid link of a request: of its cookie, or for tiles of the key in its URL.
    private func link(of request: Request, _ path: ArraySlice<UInt8>) -> LinkRecord? {
        if let secret = request.target.secret {
            // The secret of a page is refused in a URL, which is stored in logs and histories.
            guard let link = links.link(secret: secret), link.kind == .tiles, Self.isOfTiles(path) else { return nil }
            return link
        }
        return LinkCookie.value(of: request).flatMap { links.link(cookie: $0) }
    }

    /// Whether a path is that of tiles, or of what describes them.
    private static func isOfTiles(_ path: ArraySlice<UInt8>) -> Bool {
        path.starts(with: "/tiles/".utf8) || path.elementsEqual("/tiles.json".utf8)
    }
}
