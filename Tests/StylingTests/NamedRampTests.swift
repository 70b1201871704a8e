import Colors
import Foundation
import Styling
import Testing

@Suite struct NamedRampTests {
    static let sequentialRamps = NamedRamp.all.filter { $0.scheme == .sequential }
    static let cyclic = NamedRamp.all.filter { $0.scheme == .cyclic }

    @Test func `Ramp names are unique and valid in URLs`() {
        #expect(Set(NamedRamp.all.map(\.name)).count == NamedRamp.all.count)
        #expect(NamedRamp.all.allSatisfy { Style.isName($0.name) })
        for ramp in NamedRamp.all { #expect(NamedRamp.named(ramp.name) == ramp) }
        #expect(NamedRamp.named("Ember") == nil && NamedRamp.name(like: "embr") == "ember")
    }

    @Test(arguments: sequentialRamps)
    func `Lightness is strictly monotone`(named: NamedRamp) {
        let lightness = (0...63).map { named.ramp.color(at: Double($0) / 63).oklab.lightness }
        let steps = zip(lightness, lightness.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0 } || steps.allSatisfy { $0 < 0 })
        #expect((steps[0] < 0) == (named.background == .light))
    }

    @Test(arguments: sequentialRamps + cyclic)
    func `Every colour contrasts with its background`(named: NamedRamp) {
        let light = ["#ffffff", "#f2efe9", "#d4dadc"]
        let dark = ["#262626", "#0e0e0e", "#1a2433"]
        let backgrounds = (named.background == .dark ? [] : light) + (named.background == .light ? [] : dark)
        for step in 0...100 {
            let color = named.ramp.color(at: Double(step) / 100)
            for background in backgrounds.compactMap(Color.init) {
                #expect(color.over(background).oklab.distance(to: background.oklab) > 0.12, "\(color) on \(background)")
            }
        }
    }

    /// Machado, Oliveira, Fernandes (2009), severity 1, on linear light.
    private static let protanopia = [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
    ]
    private static let deuteranopia = [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
    ]

    private func seen(_ color: Color, _ eye: [[Double]]) -> Color? {
        func decoded(_ byte: UInt8) -> Double { pow(Double(byte) / 255, 2.2) }
        let light = [color.red, color.green, color.blue].map(decoded)
        let bytes = eye.map { row -> UInt8 in
            let sum = zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }
            return UInt8((pow(min(max(sum, 0), 1), 1 / 2.2) * 255).rounded())
        }
        return Color(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    @Test(arguments: sequentialRamps.filter(\.isColorBlindSafe))
    func `Steps keep their order for colour-blind people`(named: NamedRamp) throws {
        for eye in [Self.protanopia, Self.deuteranopia] {
            let lightness = try (0...15).map { step in
                try #require(seen(named.ramp.color(at: Double(step) / 15), eye)).oklab.lightness
            }
            let steps = zip(lightness, lightness.dropFirst()).map { ($1 - $0) * (named.background == .light ? -1 : 1) }
            #expect(steps.allSatisfy { $0 > 0.01 }, "\(named.name): \(steps)")
        }
    }

    @Test(arguments: cyclic)
    func `Cyclic ramps have no seam and equal steps`(named: NamedRamp) {
        #expect(named.ramp.color(at: 0) == named.ramp.color(at: 1))
        let colors = (0...16).map { named.ramp.color(at: Double($0) / 16).oklab }
        let steps = zip(colors, colors.dropFirst()).map { $0.distance(to: $1) }
        for step in steps { #expect(abs(step - steps[0]) < 0.15 * steps[0], "\(steps)") }
    }

    @Test(arguments: cyclic)
    func `Colour-blind people can distinguish directions`(named: NamedRamp) throws {
        for eye in [Self.protanopia, Self.deuteranopia] {
            let colors = try (0..<16).map { step in
                try #require(seen(named.ramp.color(at: Double(step) / 16), eye)).oklab
            }
            for place in 0..<16 {
                #expect(colors[place].distance(to: colors[(place + 1) % 16]) > 0.02)
                #expect(colors[place].distance(to: colors[(place + 8) % 16]) > 0.14)
            }
        }
    }

    @Test func `Activity colours can be distinguished by everybody`() throws {
        let palette = try #require(StyleSheet.builtIn["tracks-activity"]?.lines).palette
        var seen = [palette]
        for eye in [Self.protanopia, Self.deuteranopia] { seen.append(palette.compactMap { self.seen($0, eye) }) }
        for colors in seen {
            for (place, color) in colors.enumerated() {
                for other in colors[..<place] {
                    #expect(color.oklab.distance(to: other.oklab) > 0.1, "\(color) and \(other)")
                }
            }
        }
    }

    @Test func `A style can name a ramp`() throws {
        let style = try Style(file: "a.json", text: Array(#"{"name": "a", "ramp": "glacier"}"#.utf8))
        #expect(style.heat?.ramp == NamedRamp.named("glacier")?.ramp)
        let other = try #require(NamedRamp.named("heat")).ramp
        #expect(try #require(style.with(ramp: other)).digest != style.digest)
    }

    @Test func `An unknown ramp is reported with a suggestion`() {
        let error = #expect(throws: StyleError.self) {
            try Style(file: "a.json", text: Array(#"{"name": "a", "ramp": "glacer"}"#.utf8))
        }
        #expect(error?.description == #"a.json: ramp: there is no "glacer"; did you mean "glacier"?"#)
    }
}
