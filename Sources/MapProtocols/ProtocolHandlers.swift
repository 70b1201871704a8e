internal import RequestHandling

extension [any RequestHandler] {
    /// The handlers of all protocols.
    package static func protocols(_ tiles: StyleTiles) -> Self {
        [
            TMSHandler(tiles: tiles), WMTSHandler(tiles: tiles), OGCHandler(tiles: tiles),
            StyleDocumentHandler(tiles: tiles), TileRedirectHandler(),
        ]
    }
}
