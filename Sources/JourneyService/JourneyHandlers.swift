package import HTTPCore
package import Pins
package import RequestHandling
package import TileDrawing

extension [any RequestHandler] {
    /// The handlers of the scene; `readablePins` tells which pins a caller may read.
    package static func journeys(
        _ context: HandlerContext, _ renderer: TileRenderer,
        readablePins: @escaping @Sendable (Caller) -> @Sendable (Pin) -> Bool
    ) -> [any RequestHandler] {
        [SceneHandler(context: context, renderer: renderer, readablePins: readablePins)]
    }
}
