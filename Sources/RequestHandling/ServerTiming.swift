package import TileDrawing

extension TileTiming {
    /// The header `Server-Timing` of a tile that was in memory.
    package static let cachedHeader = "cache;desc=hit"

    /// The header `Server-Timing`: milliseconds, to a thousandth.
    package var header: String {
        guard !fromDisk else { return "cache;desc=disk, grid;dur=\(Self.text(grid))" }
        return "cache;desc=miss, grid;dur=\(Self.text(grid)), draw;dur=\(Self.text(draw)), "
            + "encode;dur=\(Self.text(encode))"
    }

    private static func text(_ milliseconds: Double) -> String {
        let microseconds = Int((milliseconds * 1000).rounded())
        return "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())"
    }
}
