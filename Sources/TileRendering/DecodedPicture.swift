public import Cairo
public import PNG

extension ImageSurface {
    /// The pixels of a decoded PNG, such as a tile, with premultiplied colours.
    public init(_ image: RGBAImage) throws(CairoError) {
        try self.init(.argb32, width: image.width, height: image.height)
        withWords { words in
            for place in words.indices {
                let alpha = UInt32(image.bytes[4 * place + 3])
                guard alpha > 0 else { continue }
                var word = alpha << 24
                for channel in 0..<3 {
                    let straight = UInt32(image.bytes[4 * place + channel])
                    word |= ((straight * alpha + 127) / 255) << UInt32(16 - 8 * channel)
                }
                words[place] = word
            }
        }
    }
}
