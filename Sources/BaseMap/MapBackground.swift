public import Cairo
public import PNG
public import Styling

/// A map that is drawn below heat and lines, and its names above them.
public protocol MapBackground: Sendable {
    /// Who made its data, for people; may have links in HTML.
    var attribution: String { get }

    /// Whether it has streets, and can be looked at as closely as tracks.
    var hasStreets: Bool { get }

    /// Changes when its pictures do.
    var identity: String { get }

    /// Draws a view with its north-western corner at the origin of the context. Names are in a language such as `de` where
    /// they are known in it; nil for the local ones.
    func draw(
        _ view: MapView, _ content: BaseMap.Content, theme: Theme, language: String?, on context: borrowing Context)
}

extension MapBackground {
    /// The attribution without links, for paper.
    public var credit: String {
        // The ampersand last, because what it stands for may look like another entity.
        let entities = [("&copy;", "©"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        return entities.reduce(attribution.replacing(/<[^>]*>/, with: "")) { $0.replacing($1.0, with: $1.1) }
    }

    /// Draws a view with its local names.
    public func draw(_ view: MapView, _ content: BaseMap.Content, theme: Theme, on context: borrowing Context) {
        draw(view, content, theme: theme, language: nil, on: context)
    }

    /// A view as a PNG, of whole pixels. Throws if there is no memory for it.
    public func png(
        of view: MapView, _ content: BaseMap.Content, theme: Theme, language: String? = nil
    ) throws -> [UInt8] {
        var surface = try surface(of: view, content, theme: theme, language: language)
        let (width, height) = (surface.width, surface.height)
        return try surface.withWords { words throws(PNGError) in
            if content != .names { for index in words.indices { words[index] = Self.rounded(words[index]) } }
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: width, height: height)
        }
    }

    /// An opaque colour with channels that are multiples of 6, and white: nearly each tile then has at most 256 colours, and
    /// its PNG a third of the size.
    private static func rounded(_ word: UInt32) -> UInt32 {
        var result: UInt32 = 0xFF00_0000
        for shift in [0, 8, 16] as [UInt32] { result |= min(255, ((word >> shift & 0xFF) + 3) / 6 * 6) << shift }
        return result
    }

    /// A view as an image, of whole pixels. Throws if there is no memory for it.
    public func image(of view: MapView, _ content: BaseMap.Content, theme: Theme) throws -> RGBAImage {
        var surface = try surface(of: view, content, theme: theme, language: nil)
        return RGBAImage(width: surface.width, height: surface.height, bytes: surface.straightBytes())
    }

    private func surface(
        of view: MapView, _ content: BaseMap.Content, theme: Theme, language: String?
    ) throws -> ImageSurface {
        var surface = try ImageSurface(
            .argb32, width: Int(view.width.rounded()), height: Int(view.height.rounded()))
        try surface.draw { context in draw(view, content, theme: theme, language: language, on: context) }
        return surface
    }
}

extension BaseMap: MapBackground {
    public var attribution: String { "Natural Earth" }

    public var hasStreets: Bool { false }

    public var identity: String { "Natural Earth" }
}
