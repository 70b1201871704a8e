import HTTPCore
import OpenAPI
import RequestHandling
import TileMath

/// Redirects `/tiles/[STYLE/]Z/X/Y` to the same path with `.png`: templates of some clients have no ending.
struct TileRedirectHandler: RequestHandler {
    func add(to routes: inout Routes) {
        for style in ["", "{style}/"] {
            routes.on(
                .get, "/tiles/\(style){z}/{x}/{y}", for: .read,
                as: APIOperation(
                    "redirects to the tile with `.png`", .protocols,
                    parameters: (style.isEmpty ? [] : [.style]) + .tile,
                    answers: [APIResponse("The path of the picture", nil as APIContent?, status: .movedPermanently)],
                    traits: .canBeMissing)
            ) { request, path in
                // Checked here, so that no cache keeps a redirection to what does not exist.
                guard let z = Int(path["z"]), let x = Int(path["x"]), let y = Int(path["y"]), let zoom = ZoomLevel(z),
                    TileCoordinate(zoom: zoom, x: x, y: y) != nil,
                    ["\(z)", "\(x)", "\(y)"] == [path["z"], path["x"], path["y"]]
                else { throw Problem.notFound("no such tile; z is from 0 to 22, x and y below 2^z") }
                // Relative to the path, which a proxy may have changed.
                let query = request.target.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
                return .response(
                    Response(
                        status: .movedPermanently, headers: [ResponseHeader(.location, "\(y).png\(query)")]))
            }
        }
    }
}
