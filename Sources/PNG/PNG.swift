public import Colors

/// An error reported by libpng or isa-l.
public struct PNGError: Error, Equatable, CustomStringConvertible {
    /// The library's message; it holds no path and no value of the caller.
    public let message: String

    public var description: String { "PNG: \(message)" }
}

/// An image whose pixels are indices into a palette.
public struct IndexedImage: Sendable, Equatable {
    /// Pixels in a row, at least 1.
    public let width: Int
    /// The number of rows, at least 1.
    public let height: Int
    /// 1–256 colours.
    public private(set) var palette: [Color]
    /// The palette index of each pixel, row by row from the north-west.
    public private(set) var pixels: [UInt8]

    /// `pixels` has width × height entries, each below `palette.count`.
    public init(width: Int, height: Int, palette: [Color], pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height, "a pixel for each place")
        precondition((1...256).contains(palette.count), "1–256 colours")
        self.width = width
        self.height = height
        self.palette = palette
        self.pixels = pixels
    }
}

/// An image of colours with straight alpha.
public struct RGBAImage: Sendable, Equatable {
    /// Pixels in a row, at least 1.
    public let width: Int
    /// The number of rows, at least 1.
    public let height: Int
    /// Red, green, blue and alpha of each pixel, row by row from the north-west.
    public private(set) var bytes: [UInt8]

    /// `bytes` has 4 × width × height entries.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == 4 * width * height, "four bytes for each pixel")
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The colour of a pixel.
    public subscript(x: Int, y: Int) -> Color {
        let at = 4 * (y * width + x)
        return Color(red: bytes[at], green: bytes[at + 1], blue: bytes[at + 2], alpha: bytes[at + 3])
    }
}
