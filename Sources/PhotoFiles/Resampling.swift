import JPEG

/// Makes pictures smaller, and turns them.
enum Resampling {
    /// The picture with `side` pixels on its longer side, each the mean of the pixels that it covers; unchanged if it is
    /// smaller.
    static func shrunk(_ picture: JPEGPicture, side: Int) -> JPEGPicture {
        let longer = max(picture.width, picture.height)
        guard longer > side else { return picture }
        let width = max(1, (picture.width * side + longer / 2) / longer)
        let height = max(1, (picture.height * side + longer / 2) / longer)
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        let columns = spans(from: picture.width, to: width)
        let rows = spans(from: picture.height, to: height)
        var sums = [Int](repeating: 0, count: 3 * width)
        for (row, lines) in rows.enumerated() {
            for index in sums.indices { sums[index] = 0 }
            var total = 0
            for (line, share) in lines.weights {
                total += share
                let start = 3 * picture.width * line
                for (column, span) in columns.enumerated() {
                    var (red, green, blue) = (0, 0, 0)
                    for (x, weight) in span.weights {
                        let pixel = start + 3 * x
                        red += weight * Int(picture.pixels[pixel])
                        green += weight * Int(picture.pixels[pixel + 1])
                        blue += weight * Int(picture.pixels[pixel + 2])
                    }
                    sums[3 * column] += share * red
                    sums[3 * column + 1] += share * green
                    sums[3 * column + 2] += share * blue
                }
            }
            for column in 0..<width {
                let weight = total * columns[column].total
                for part in 0..<3 {
                    pixels[3 * (row * width + column) + part] = UInt8(
                        clamping: (sums[3 * column + part] + weight / 2) / weight)
                }
            }
        }
        return JPEGPicture(width: width, height: height, pixels: pixels, profile: picture.profile)
    }

    /// The pixels that a smaller pixel covers, with weights in 1/256.
    private struct Span {
        var weights: [(Int, Int)]
        var total: Int
    }

    private static func spans(from large: Int, to small: Int) -> [Span] {
        (0..<small).map { index in
            let start = Double(index) * Double(large) / Double(small)
            let end = Double(index + 1) * Double(large) / Double(small)
            let last = min(large - 1, Int(end.rounded(.up)) - 1)
            let weights = (Int(start)...max(Int(start), last)).map { pixel in
                (pixel, max(1, Int((256 * (min(end, Double(pixel + 1)) - max(start, Double(pixel)))).rounded())))
            }
            return Span(weights: weights, total: weights.reduce(0) { $0 + $1.1 })
        }
    }

    /// The picture as it has to be shown: turned and mirrored by an orientation of EXIF.
    static func upright(_ picture: JPEGPicture, orientation: Int) -> JPEGPicture {
        guard (2...8).contains(orientation) else { return picture }
        let (width, height) = (picture.width, picture.height)
        let isSideways = orientation >= 5
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(picture.pixels.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (fromX, fromY) =
                    switch orientation {
                    case 2: (width - 1 - x, y)
                    case 3: (width - 1 - x, height - 1 - y)
                    case 4: (x, height - 1 - y)
                    case 5: (y, x)
                    case 6: (y, height - 1 - x)
                    case 7: (width - 1 - y, height - 1 - x)
                    default: (width - 1 - y, x)
                    }
                let start = 3 * (fromY * width + fromX)
                pixels.append(picture.pixels[start])
                pixels.append(picture.pixels[start + 1])
                pixels.append(picture.pixels[start + 2])
            }
        }
        return JPEGPicture(width: newWidth, height: newHeight, pixels: pixels, profile: picture.profile)
    }

    /// RGBA over white.
    static func opaque(_ pixels: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count / 4 * 3)
        for start in stride(from: 0, to: pixels.count - 3, by: 4) {
            let alpha = Int(pixels[start + 3])
            for part in 0..<3 {
                result.append(UInt8((Int(pixels[start + part]) * alpha + 255 * (255 - alpha) + 127) / 255))
            }
        }
        return result
    }
}
