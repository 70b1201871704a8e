package import HTTPCore
package import Links
import Text

/// The preview of a link: what a chat program shows of it, which loads the page without the secret, and for everybody.
package enum LinkPreview {
    /// The query parameter with the id of the preview.
    package static let parameter = "p"
    /// The path of the picture, below that of links.
    package static let picturePath = "/preview.png"
    /// The size of the picture in pixels, as chat programs recommend.
    package static let size = (width: 1200, height: 630)

    /// The id in a URL; nil if it has none.
    package static func id(in target: RequestTarget) -> String? {
        guard let parameters = try? target.parameters() else { return nil }
        return parameters.first { $0.name == parameter }?.value
    }

    /// The elements for the head of the page (Open Graph), for a server that clients reach at `base`. The label of the link is
    /// its owner's, and not told.
    package static func elements(_ link: LinkRecord, base: String) -> String {
        guard let id = link.preview else { return "" }
        let picture = "\(base)\(LinkCookie.path)\(picturePath)?\(parameter)=\(id)"
        let properties = [
            ("og:type", "website"), ("og:title", "Tracks on a map"), ("og:image", picture),
            ("og:image:width", "\(size.width)"), ("og:image:height", "\(size.height)"),
        ]
        return properties.map { "<meta property=\"\($0.0)\" content=\"\(XMLText.escaped($0.1))\">\n" }.joined()
            + "<meta name=\"twitter:card\" content=\"summary_large_image\">\n"
    }
}
