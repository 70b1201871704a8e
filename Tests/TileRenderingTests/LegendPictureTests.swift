import Colors
import PNG
import Styling
import TestSupport
import Testing
import TileRendering

@Suite struct LegendPictureTests {
    private func entries(_ table: ColorTable) -> [(color: Color, text: String)] {
        table.legend.map { ($0.color, $0.text) }
    }

    @Test func `Every colour is shown on a light background`() throws {
        let table = try table()
        let image = try PNGReader.image(of: LegendPicture.png(title: "Heat", entries: entries(table)))
        var seen: Set<Color> = []
        for y in 0..<image.height { seen.insert(image[20, y]) }
        // A colour blended with the background may differ from the expected one by rounding.
        let background = Color(red: 242, green: 242, blue: 242)
        for color in table.colors.dropFirst() {
            let near = seen.contains { shown in
                func close(_ shown: UInt8, _ above: UInt8, _ below: UInt8) -> Bool {
                    let mixed = (Int(above) * Int(color.alpha) + Int(below) * (255 - Int(color.alpha))) / 255
                    return abs(Int(shown) - mixed) <= 2
                }
                return close(shown.red, color.red, background.red) && close(shown.green, color.green, background.green)
                    && close(shown.blue, color.blue, background.blue)
            }
            #expect(near, "\(color)")
        }
    }

    @Test func `The same table gives the same picture`() throws {
        let entries = entries(try table())
        let first = try LegendPicture.png(title: "Heat", entries: entries)
        #expect(try LegendPicture.png(title: "Heat", entries: entries).shown == first.shown)
        #expect(try LegendPicture.png(title: "Heat", entries: entries.dropLast()) != first)
    }
}
