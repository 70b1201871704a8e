package import Styling
import Text
package import TileDrawing
package import TileMath

/// What a poster shows, and how large it is.
package struct PosterRequest: Sendable {
    /// The file format.
    package enum Format: String, Sendable, CaseIterable {
        case pdf, svg, png

        /// The media type.
        package var mediaType: String {
            switch self {
            case .pdf: "application/pdf"
            case .svg: "image/svg+xml"
            case .png: "image/png"
            }
        }
    }

    /// The area that is shown completely. The map fills the page beyond it.
    package var box: BoundingBox
    package var paper: PaperSize
    package var format: Format
    /// Pixels per inch of a PNG. The map within a PDF or SVG does not depend on it.
    package var dpi: Int
    /// The title; empty for none.
    package var title: String
    /// The name of a style.
    package var style: String
    /// The tracks and the window of time.
    package var selection: TileSelection
    package var theme: Theme
    /// What is below the map's heat or lines.
    package var base: Base

    /// The base map.
    package enum Base: String, Sendable, CaseIterable {
        /// Land, water, borders and names.
        case map
        /// The background only.
        case none
    }

    /// The resolution if none is given.
    package static let defaultDPI = 150
    /// The allowed resolutions. Prints are seen from a distance, so 600 is already more than one can see.
    package static let resolutions = 36...600
    /// The maximum length of a title, in Unicode scalars.
    package static let titleLimit = 200
    /// The maximum number of pixels of a PNG: A0 at 300 dpi has 139 millions.
    package static let pixelLimit = 200_000_000

    /// Creates a request for all tracks in a box.
    package init(box: BoundingBox, paper: PaperSize = .a4, format: Format = .pdf) {
        self.box = box
        self.paper = paper
        self.format = format
        dpi = Self.defaultDPI
        title = ""
        style = TileRequest.defaultStyle
        selection = TileSelection()
        theme = .light
        base = .map
    }

    /// Throws an error that says what is wrong if the poster cannot be drawn.
    package func check() throws(PosterError) {
        guard Self.resolutions.contains(dpi) else {
            throw PosterError("dpi has to be \(Self.resolutions.lowerBound) to \(Self.resolutions.upperBound)")
        }
        guard title.unicodeScalars.count <= Self.titleLimit else {
            throw PosterError("the title has more than \(Self.titleLimit) characters")
        }
        guard box.south < box.north, box.west != box.east else { throw PosterError("the bbox has no area") }
        guard box.south < BoundingBox.mercatorLatitude, box.north > -BoundingBox.mercatorLatitude else {
            throw PosterError("the bbox is beyond \(BoundingBox.mercatorLatitude)°, where the map ends")
        }
        let pixels = paper.width * paper.height * Double(dpi * dpi) / (25.4 * 25.4)
        guard format != .png || pixels <= Double(Self.pixelLimit) else {
            throw PosterError(
                "a PNG of this paper and dpi would have \(Int(pixels / 1e6)) million pixels; at most "
                    + "\(Self.pixelLimit / 1_000_000) are allowed, so choose fewer dpi, or PDF")
        }
    }
}

/// A poster that cannot be drawn, with the reason for the user.
package struct PosterError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// The size of the paper in millimetres.
package struct PaperSize: Sendable, Hashable {
    package let width: Double
    package let height: Double
    /// Whether the page is turned if the map is wider than high.
    let canTurn: Bool

    /// The names of the known sizes, in portrait format (ISO 216).
    package static let names = ["A4", "A3", "A2", "A1", "A0"]
    private static let sizes: [String: (Double, Double)] = [
        "A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189),
    ]
    /// The allowed sides in millimetres; A0 is 1,189 mm long.
    package static let sides = 50.0...1300.0

    /// What is accepted, after the name of the parameter.
    package static let expectation =
        "has to be \(names.joined(separator: ", ")), or WIDTHxHEIGHTmm with sides of \(Int(sides.lowerBound)) to "
        + "\(Int(sides.upperBound)) mm"

    package static let a4 = PaperSize("A4") ?? PaperSize(width: 210, height: 297, canTurn: true)

    private init(width: Double, height: Double, canTurn: Bool) {
        self.width = width
        self.height = height
        self.canTurn = canTurn
    }

    /// Parses a name such as `A3`, or `WxHmm` such as `500x700mm`, which is not turned. Nil for anything else.
    package init?(_ text: String) {
        if let size = Self.sizes[text.uppercased()] {
            self.init(width: size.0, height: size.1, canTurn: true)
            return
        }
        guard text.hasSuffix("mm") else { return nil }
        let parts = text.dropLast(2).split(separator: "x", omittingEmptySubsequences: false)
        let sides = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? FixedDecimal(String(part))?.double : nil
        }
        guard parts.count == 2, sides.count == 2, sides.allSatisfy(Self.sides.contains) else { return nil }
        self.init(width: sides[0], height: sides[1], canTurn: false)
    }
}
