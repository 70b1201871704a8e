public import Cairo
import Colors
public import PNG

extension ImageSurface {
    /// The pixels of a decoded PNG, such as a tile, with premultiplied colours.
    public init(_ image: RGBAImage) throws(CairoError) {
        try self.init(.argb32, width: image.width, height: image.height)
        let bytes = image.bytes
        withWords { words in
            let bytes = bytes.span
            for index in words.indices {
                let (red, green, blue) = (bytes[4 * index], bytes[4 * index + 1], bytes[4 * index + 2])
                let alpha = bytes[4 * index + 3]
                words[index] =
                    alpha == .max
                    ? 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
                    : Color(red: red, green: green, blue: blue, alpha: alpha).premultiplied
            }
        }
    }
}
