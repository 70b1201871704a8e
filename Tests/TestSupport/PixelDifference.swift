/// How far the visible colours of two pictures of equal size are apart.
public struct PixelDifference {
    /// The number of pixels with a channel that differs by more than the tolerance.
    public private(set) var pixels = 0
    /// The largest difference of a channel, 0…255.
    public private(set) var largest = 0

    /// Compares two pictures of four bytes a pixel: red, green, blue, opacity. Colours are multiplied with the opacity
    /// first, because the colour of a transparent pixel cannot be seen.
    public init(_ one: [UInt8], _ other: [UInt8], tolerance: Int) {
        precondition(one.count == other.count && one.count % 4 == 0)
        for start in stride(from: 0, to: one.count, by: 4) {
            let (alpha, otherAlpha) = (Int(one[start + 3]), Int(other[start + 3]))
            var difference = abs(alpha - otherAlpha)
            for channel in start..<start + 3 {
                let (left, right) = (Int(one[channel]) * alpha / 255, Int(other[channel]) * otherAlpha / 255)
                difference = max(difference, abs(left - right))
            }
            largest = max(largest, difference)
            if difference > tolerance { pixels += 1 }
        }
    }
}
