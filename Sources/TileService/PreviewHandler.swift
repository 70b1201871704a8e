import EditionService
import HTTPCore
import OpenAPI
import RequestHandling
import TileMath

/// Answers with the picture of a link's preview: everything that its edition has, with the base map.
struct PreviewHandler: RequestHandler {
    let pictures: PictureHandler

    func add(to routes: inout Routes) {
        routes.on(.get, LinkPreview.picturePath, for: .read, as: Self.picture) { request, _ in try answer(request) }
    }

    private func answer(_ request: Request) throws -> HandlerResult {
        let box = pictures.bounds.map { "\($0.west),\($0.south),\($0.east),\($0.north)" }
        // The whole world, if there is nothing.
        let place = "bbox=\(box ?? "-179,-60,179,70")&size=\(LinkPreview.size.width)x\(LinkPreview.size.height)"
        return try pictures.answer(request, RequestTarget("/?\(place)&base=map"))
    }

    private static let picture = APIOperation(
        "the picture of a link's preview", .tiles, answers: [APIResponse("The picture", .png)],
        traits: [.canBeMissing, .hasETag])
}
