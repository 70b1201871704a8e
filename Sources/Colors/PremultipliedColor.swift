/// Colours as cairo stores them: words 0xAARRGGBB whose channels are multiplied by the alpha.
extension Color {
    /// The colour as a word; each channel × alpha / 255, rounded to the nearest.
    @inlinable
    public var premultiplied: UInt32 {
        let alpha = UInt32(alpha)
        func multiplied(_ channel: UInt8) -> UInt32 { (UInt32(channel) * alpha + 127) / 255 }
        return alpha << 24 | multiplied(red) << 16 | multiplied(green) << 8 | multiplied(blue)
    }

    /// The colour of a word; transparent if its alpha is 0.
    @inlinable
    public init(premultiplied word: UInt32) {
        let alpha = word >> 24
        self.init(
            red: Self.straight(word >> 16 & 255, alpha: alpha), green: Self.straight(word >> 8 & 255, alpha: alpha),
            blue: Self.straight(word & 255, alpha: alpha), alpha: UInt8(truncatingIfNeeded: alpha))
    }

    /// The straight value of a channel: 255 × value / alpha, rounded to the nearest, halves up; 0 if the alpha is 0.
    ///
    /// Multiplied by the alpha again and rounded, it is the original value. A value above its alpha, which no drawing
    /// produces, is treated as equal to the alpha.
    @inlinable
    public static func straight(_ value: UInt32, alpha: UInt32) -> UInt8 {
        alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
    }
}
