import TileMath

/// The numbers of Web Mercator as XML has them: half of the world's width, and scales.
package enum MercatorMatrix {
    /// Metres from the middle to an edge: π × 6,378,137.
    static let edge = "20037508.3427892"
    static let pixels = 256

    /// Metres for each pixel at the equator.
    static func unitsPerPixel(_ zoom: Int) -> Double { 156_543.033_928_040_97 / Double(1 << zoom) }

    /// The denominator of the scale with pixels of 0.28 mm (OGC 07-057r7, 6.1).
    static func scaleDenominator(_ zoom: Int) -> Double { 559_082_264.028_717_8 / Double(1 << zoom) }

    /// The zoom levels of tiles.
    package static let zooms = 0...ZoomLevel.deepest.number
}
