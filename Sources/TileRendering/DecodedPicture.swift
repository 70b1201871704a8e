public import Cairo
import Colors
public import PNG

extension ImageSurface {
    /// The pixels of a decoded PNG, such as a tile, with premultiplied colours.
    public init(_ image: RGBAImage) throws(CairoError) {
        try self.init(.argb32, width: image.width, height: image.height)
        withWords { words in
            for index in words.indices {
                let color = Color(
                    red: image.bytes[4 * index], green: image.bytes[4 * index + 1], blue: image.bytes[4 * index + 2],
                    alpha: image.bytes[4 * index + 3])
                words[index] = color.premultiplied
            }
        }
    }
}
