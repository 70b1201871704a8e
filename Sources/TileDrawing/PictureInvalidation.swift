package import GridStorage
package import PictureStore
import Styling
import TileMath
import TileRendering

extension PictureKey {
    /// The request that the picture answers.
    var request: TileRequest {
        let isDark = style.hasSuffix(Self.darkSuffix)
        var request = TileRequest(
            style: isDark ? String(style.dropLast(Self.darkSuffix.count)) : style, layer: layer, tile: tile,
            scale: scale)
        if isDark { request.theme = .dark }
        return request
    }

    /// The key of the picture of a request for all tracks of a layer.
    package init(_ request: TileRequest) {
        self.init(
            style: Self.name(ofStyle: request.style, request.theme), layer: request.layer, tile: request.tile,
            scale: request.scale)
    }

    /// The name of a style in keys: on dark backgrounds, with a suffix that no name of a style has.
    static func name(ofStyle style: String, _ theme: Theme) -> String {
        theme == .light ? style : style + darkSuffix
    }

    private static let darkSuffix = "?theme=dark"
}

extension PictureCache {
    /// Drops every picture that may show a change of the grid, which has been applied, and erases it from the file;
    /// all pictures where the change has no list of tiles. Pictures drawn before the call cannot be kept any more.
    package func drop(_ change: GridChange) throws {
        let touched = change.tiles.map { Set($0) }
        let hasLongSteps = touched.map { TouchedTiles.haveLongSteps($0) } ?? false
        try dropEndingGeneration { key in
            guard let touched else { return true }
            let request = key.request
            // Which styles draw lines is not known here.
            if hasLongSteps, TouchedTiles.haveLongSteps(above: request.lineLayout.sourceTile, touched) { return true }
            return request.tilesWithinReach.contains { TileKey($0).map { touched.contains($0.packed) } ?? true }
        }
    }
}
