import Cairo
import JPEG
import PhotoLocating

/// The picture of a video in which there is none: films are not decoded.
enum MoviePlaceholder {
    /// The longer side in pixels; a larger one would show no more.
    private static let side = 640.0
    /// The thinnest picture, as a share of the longer side.
    private static let thinnest = 0.4

    /// A dark picture in the shape of the film, with a triangle, and the duration if it is known.
    static func picture(size: PixelSize?, orientation: Int, seconds: Double?) throws(CairoError) -> JPEGPicture {
        var (width, height) = size.map { (Double($0.width), Double($0.height)) } ?? (16, 9)
        if orientation >= 5 { swap(&width, &height) }
        let longer = max(width, height)
        let (shownWidth, shownHeight) = (
            (side * max(thinnest, width / longer)).rounded(), (side * max(thinnest, height / longer)).rounded()
        )
        var surface = try ImageSurface(.argb32, width: Int(shownWidth), height: Int(shownHeight))
        let text = seconds.map(duration)
        try surface.draw { context in
            context.setSource(red: 0.14, green: 0.16, blue: 0.19)
            context.paint()
            let (x, y, radius) = (shownWidth / 2, shownHeight / 2, 72.0)
            context.setSource(red: 1, green: 1, blue: 1, alpha: 0.16)
            context.circle(x: x, y: y, radius: radius)
            context.fill()
            context.setSource(red: 1, green: 1, blue: 1, alpha: 0.92)
            context.move(x: x - 0.3 * radius, y: y - 0.45 * radius)
            context.line(x: x + 0.5 * radius, y: y)
            context.line(x: x - 0.3 * radius, y: y + 0.45 * radius)
            context.closePath()
            context.fill()
            guard let text else { return }
            // Legible at half the size, which is that of a thumbnail.
            let style = TextStyle(size: 36, weight: .medium)
            context.show(
                text, style, x: shownWidth - context.size(of: text, style).width - 20, y: shownHeight - 20)
        }
        return JPEGPicture(
            width: Int(shownWidth), height: Int(shownHeight), pixels: Resampling.opaque(surface.straightBytes()))
    }

    /// `0:07`, `12:34`, `1:02:03`.
    static func duration(_ seconds: Double) -> String {
        // A film of more than 100 hours is an error of its head.
        let whole = Int(min(max(seconds, 0), 359_999).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(whole % 60))"
    }
}
