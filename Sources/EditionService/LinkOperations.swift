import HTTPCore
import Links
import OpenAPI
import RequestHandling

extension APITag {
    static let links = APITag("links", "Editions, and links with which others see one without a token")
}

extension LinkHandler {
    private static let id = APIParameter("id", .text(), "The id of a link", in: .path)
    private static let name = APISchema.text(minLength: 1, maxLength: LinkRequest.textLimit)
    private static let link = APISchema.object([
        ("id", .text()), ("label", .text()), ("edition", .text().orNull), ("kind", .words(of: LinkKind.self)),
        ("created", .instant), ("expires", .instant.orNull), ("expired", .boolean), ("password", .boolean),
        ("preview", .boolean),
        ("lastUsed", .instant.orNull), ("uses", .count),
    ])

    static let pageOperation = APIOperation(
        "the page of a link, whose secret is in the fragment of the URL", .links,
        answers: [APIResponse("The page, at `/s/`", nil, status: .permanentRedirect)])

    static let listOperation = APIOperation(
        "the links of the library, the newest first", .links,
        detail: "`lastUsed` and `uses` are up to a minute old; of links for tiles, each request is a use.",
        answers: [APIResponse("The links", .json(.object([("links", .list(link.named("Link")))])))],
        traits: .hasETag)

    static let makeOperation = APIOperation(
        "makes a link", .links,
        detail: """
            Shows an edition, some tracks, or a layer (`all` for all tracks). For tracks and layers an edition is made: it hides \
            every place that a zone was ever drawn around, and those in `zones`, shows a layer's points after `delayDays` \
            (3 if not given) or, with `live`, while they are recorded, and goes with the link. The link expires after 30 days \
            unless `expires` says something else. \
            With `preview`, programs that show previews of links get a picture, which needs no secret. \
            With `tiles`, the link is a URL of tiles for other map clients, and can show nothing else.
            """,
        body: [
            .json(
                .object(
                    [
                        ("label", name), ("edition?", name),
                        ("tracks?", .set(name, limit: 10_000)), ("layer?", name), ("from?", .day), ("to?", .day),
                        ("sinceNow?", .boolean), ("live?", .boolean), ("delayDays?", .integer(0...3650)),
                        ("names?", .boolean),
                        (
                            "zones?",
                            .list(
                                .object([
                                    ("lon", .longitude), ("lat", .latitude), ("radiusMetres", .integer(100...20_000)),
                                ]))
                        ), ("tiles?", .boolean),
                        ("expires?", .either([.day, .instant, .choice(["never"])])), ("password?", name),
                        ("preview?", .boolean),
                    ], isClosed: true))
        ],
        answers: [
            APIResponse(
                "The link, with its URL, which is not told again",
                .json(
                    .object([("id", .text()), ("url", .text()), ("expires", .instant.orNull), ("warning?", .text())])),
                status: .created)
        ], traits: .canBeMissing)

    static let removeOperation = APIOperation(
        "revokes a link: it shows nothing from then on, and its streams end", .links, parameters: [id],
        answers: [APIResponse("Revoked", nil, status: .noContent)], traits: .canBeMissing)

    static let openOperation = APIOperation(
        "opens a link: a browser gets a cookie for what is below `/s/`", .links,
        detail: """
            404 if the link has expired or was revoked, 403 if it needs a password or another one, 429 after several wrong ones.
            """,
        body: [
            .json(.object([("secret", .text()), ("password?", .text().orNull)], isClosed: true))
        ],
        answers: [APIResponse("Opened", nil, status: .noContent)], traits: .canBeMissing)
}
