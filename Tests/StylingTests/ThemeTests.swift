import Colors
import Foundation
import HeatGrid
import Styling
import Testing
import TileMath

/// A sequential ramp as it is used on a background.
struct ThemedRamp: Sendable, CustomStringConvertible {
    var name: String
    var theme: Theme
    var ramp: Ramp

    var description: String { "\(name) on \(theme.rawValue)" }

    /// The built-in ramps and the ramps of the default style, each on both backgrounds.
    static let all: [ThemedRamp] = Theme.allCases.flatMap { theme -> [ThemedRamp] in
        let own = StyleSheet.builtIn["heat"]?.with(theme: theme).ramp.map {
            ThemedRamp(name: "the default style", theme: theme, ramp: $0)
        }
        let named = NamedRamp.all.filter { $0.scheme == .sequential }.map {
            ThemedRamp(name: $0.name, theme: theme, ramp: $0.ramp(for: theme))
        }
        return named + [own].compactMap { $0 }
    }
}

@Suite struct ThemeTests {
    private static let backgrounds: [Theme: Color] = [
        .light: Color(red: 0xf4, green: 0xf4, blue: 0xf2), .dark: Color(red: 0x11, green: 0x11, blue: 0x11),
    ]

    /// Relative luminance (WCAG 2.1).
    private func luminance(_ color: Color) -> Double {
        func light(_ byte: UInt8) -> Double {
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * light(color.red) + 0.7152 * light(color.green) + 0.0722 * light(color.blue)
    }

    /// CIE L*.
    private func lightness(_ color: Color) -> Double {
        let light = luminance(color)
        return light > 216.0 / 24_389 ? 116 * cbrt(light) - 16 : light * 24_389 / 27
    }

    private func contrast(_ one: Color, _ other: Color) -> Double {
        let (high, low) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
        return (high + 0.05) / (low + 0.05)
    }

    @Test(arguments: ThemedRamp.all)
    func `Colours move away from the lightness of the background as counts grow`(themed: ThemedRamp) throws {
        let background = try #require(Self.backgrounds[themed.theme])
        let shown = (0...25).map { themed.ramp.color(at: Double($0) / 25).over(background) }
        let distances = shown.map { abs(lightness($0) - lightness(background)) }
        for (low, high) in zip(distances, distances.dropFirst()) { #expect(low < high, "\(themed): \(distances)") }
        #expect(contrast(shown[0], background) >= 1.8, "\(themed): \(contrast(shown[0], background))")
        #expect(contrast(shown[25], background) >= 6)
    }

    @Test(arguments: Theme.allCases) func `The default style fades in from the background`(theme: Theme) throws {
        let background = try #require(Self.backgrounds[theme])
        let heat = try #require(StyleSheet.builtIn["heat"]?.with(theme: theme).heat)
        var histogram = CountHistogram()
        for count in 1...300 as ClosedRange<UInt32> { histogram.add(count: count, cells: 3_000 / Int(count)) }
        let table = ColorTable(symbolizer: heat, histogram: histogram)
        let distances = table.colors.map { abs(lightness($0.over(background)) - lightness(background)) }
        for (low, high) in zip(distances, distances.dropFirst()) { #expect(low < high, "\(distances)") }
        // A single visit can be seen at once.
        let single = try #require(table.legend.first)
        #expect(single.from == 1 && contrast(single.color.over(background), background) >= 3)
    }

    @Test func `Differences have a neutral middle and two sides that move away from the background`() throws {
        let balance = try #require(NamedRamp.named(NamedRamp.defaultDiverging))
        for theme in Theme.allCases {
            let background = try #require(Self.backgrounds[theme])
            let ramp = balance.ramp(for: theme)
            let distances = [0, 0.25, 0.5, 0.75, 1].map { place in
                abs(lightness(ramp.color(at: place).over(background)) - lightness(background))
            }
            #expect(distances[2] < distances[1] && distances[1] < distances[0], "\(theme) \(distances)")
            #expect(distances[2] < distances[3] && distances[3] < distances[4], "\(theme) \(distances)")
            #expect(ramp.color(at: 0).oklab.b < -0.03 && ramp.color(at: 1).oklab.b > 0.03)
            #expect(ramp.color(at: 0).oklab.distance(to: ramp.color(at: 1).oklab) > 0.2)
        }
    }

    @Test func `A style of one ramp is the same on all backgrounds`() throws {
        for style in StyleSheet.builtIn.names.compactMap({ StyleSheet.builtIn[$0] }) {
            let (light, dark) = (style.with(theme: .light), style.with(theme: .dark))
            #expect((light.digest != dark.digest) == style.takesTheme)
            #expect(style.takesTheme == (style.name == "heat"))
        }
    }

    private func read(_ text: String) throws(StyleError) -> Style {
        try Style(file: "mine.json", text: Array(text.utf8))
    }

    @Test func `A style file gives ramps by theme, a kernel by zoom level and the range`() throws {
        let style = try read(
            ##"{"name": "mine", "range": "library", "kernel": {"pixels": {"8": 1, "12": 3}}, "##
                + ##""ramp": {"light": "rust", "dark": {"stops": [{"at": 0, "color": "#222244"}, {"at": 1, "color": "#ffffff"}]}}}"##
        )
        let heat = try #require(style.heat)
        #expect(heat.range == .library && heat.ramp == NamedRamp.named("rust")?.ramp && heat.darkRamp?.stops.count == 2)
        guard case .pixels(let pixels) = heat.kernel else {
            Issue.record("no kernel in pixels")
            return
        }
        #expect(pixels[try #require(ZoomLevel(10))] == 2)
        // Of the same name and content, except for one key.
        let others = try [
            ##"{"name": "mine", "ramp": "rust"}"##, ##"{"name": "mine", "ramp": "rust", "range": "library"}"##,
            ##"{"name": "mine", "ramp": {"light": "rust", "dark": "ember"}}"##,
            ##"{"name": "mine", "ramp": "rust", "kernel": {"pixels": 3}}"##,
            ##"{"name": "mine", "ramp": "rust", "kernel": {"pixels": {"3": 3, "9": 3.5}}}"##,
        ].map { try read($0).digest }
        #expect(Set(others).count == others.count)
    }

    @Test(arguments: [
        (##"{"name": "mine", "ramp": {"light": "rust"}}"##, "mine.json: ramp.dark: missing"),
        (##"{"name": "mine", "ramp": {"light": "rust", "dark": "embr"}}"##, "mine.json: ramp.dark: there is no"),
        (
            ##"{"name": "mine", "ramp": {"light": "rust", "dark": "ember", "blend": "light"}}"##,
            "mine.json: ramp.blend:"
        ),
        (##"{"name": "mine", "ramp": "rust", "range": "world"}"##, "mine.json: range:"),
        (##"{"name": "mine", "ramp": "rust", "kernel": {"pixels": {"8": 0.1}}}"##, "mine.json: kernel.pixels.8:"),
        (##"{"name": "mine", "ramp": "rust", "kernel": {"pixels": {"30": 1}}}"##, "mine.json: kernel.pixels.30:"),
    ])
    func `An error in such a key names its path`(text: String, start: String) throws {
        do {
            _ = try read(text)
            Issue.record("\(text) was read")
        } catch {
            #expect("\(error)".hasPrefix(start), "\(error)")
        }
    }

    @Test func `The range of the library is that of one zoom level`() throws {
        let heat = try #require(StyleSheet.builtIn["heat"]?.heat)
        let cells = try #require(StyleSheet.builtIn["heat-cells"]?.heat)
        let zooms = (0...22).compactMap { ZoomLevel($0) }
        #expect(Set(zooms.map { heat.rangeZoom(for: $0) }).count == 1)
        #expect(zooms.map { cells.rangeZoom(for: $0).number } == (0...22).map { min($0, 16) })
    }
}
