import Colors
import Foundation
import Styling
import Testing
import TileMath

let allZooms = (0...22).compactMap { ZoomLevel($0) }

private let lead = Color(red: 1, green: 2, blue: 3)

private func lines(_ coloring: LineSymbolizer.Coloring, others: Color = LineSymbolizer.defaultOtherColor)
    -> LineSymbolizer
{
    LineSymbolizer(coloring: coloring, others: others, width: ZoomNumbers(2))
}

@Suite struct ZoomNumbersTests {
    @Test func `Numbers are interpolated between stops`() {
        let numbers = ZoomNumbers([10: 2, 4: 1, 14: 6])
        let expected = [
            1, 1, 1, 1, 1, 7.0 / 6, 8.0 / 6, 1.5, 10.0 / 6, 11.0 / 6, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        ]
        for zoom in allZooms { #expect(abs(numbers[zoom] - expected[zoom.number]) < 1e-12, "\(zoom)") }
        #expect(numbers.stops.map(\.zoom) == [4, 10, 14])
    }

    @Test func `A single number applies to every zoom level`() {
        for zoom in allZooms { #expect(ZoomNumbers(1.25)[zoom] == 1.25) }
    }
}

@Suite struct LineSymbolizerTests {
    let ramp = Ramp(
        blend: .light,
        stops: [
            Ramp.Stop(at: 0, color: Color(red: 0, green: 0, blue: 0, alpha: 99)),
            Ramp.Stop(at: 1, color: Color(red: 255, green: 255, blue: 255)),
        ])

    @Test func `A fixed colour is the whole palette`() {
        let symbolizer = lines(.fixed(lead))
        #expect(symbolizer.palette == [lead])
        #expect(
            symbolizer.rank(activity: "ride") == 0 && symbolizer.rank(metresPerSecond: 5) == 0
                && symbolizer.rank(age: 1) == 0)
        #expect(symbolizer.rank(elevation: 100) == 0 && symbolizer.rank(direction: 1) == 0)
    }

    @Test func `Activities are ranked by name above others`() {
        let (ride, walk) = (Color(red: 9, green: 0, blue: 0), Color(red: 0, green: 9, blue: 0))
        let symbolizer = lines(.activity(["walk": walk, "ride": ride, "cycling": ride, "boat": lead]), others: lead)
        #expect(symbolizer.palette == [lead, lead, ride, walk])
        #expect(symbolizer.rank(activity: "ride") == 2 && symbolizer.rank(activity: "Walk") == 3)
        #expect(symbolizer.rank(activity: "cycling") == 2 && symbolizer.rank(activity: "boat") == 1)
        #expect(symbolizer.rank(activity: "ski") == 0 && symbolizer.rank(activity: nil) == 0)
    }

    @Test func `Speed ranks are monotone and logarithmic`() {
        let symbolizer = lines(.speed(ramp, metresPerSecond: 1...16))
        #expect(symbolizer.palette.count == 17 && symbolizer.palette[0] == LineSymbolizer.defaultOtherColor)
        var last = 1
        for step in 0...1000 {
            let rank = symbolizer.rank(metresPerSecond: Double(step) / 20)
            #expect(rank >= last && rank < symbolizer.palette.count)
            last = rank
        }
        #expect(last == 16)
        #expect([1, 2, 4, 8, 15.9].map { symbolizer.rank(metresPerSecond: $0 + 1e-9) } == [1, 5, 9, 13, 16])
        #expect([0, -1, 0.5].map { symbolizer.rank(metresPerSecond: $0) } == [1, 1, 1])
        #expect(symbolizer.rank(metresPerSecond: .infinity) == 16)
        #expect(symbolizer.rank(metresPerSecond: nil) == 0 && symbolizer.rank(metresPerSecond: .nan) == 0)
    }

    @Test func `Elevation steps grow and age steps are equal`() {
        let height = lines(.elevation(ramp, metres: -100...1500))
        #expect(
            [-500, -100, -94, -93, 0, 299, 301, 1499, 9000].map { height.rank(elevation: $0) } == [
                1, 1, 1, 2, 5, 8, 9, 16, 16,
            ])
        #expect(height.rank(elevation: nil) == 0)
        let age = lines(.age(ramp))
        #expect([0, 0.5, 1, 2].map { age.rank(age: $0) } == [1, 9, 16, 16])
        #expect(age.rank(age: nil) == 0)
    }

    @Test func `Direction colours are centred on their direction`() {
        let symbolizer = lines(.direction(ramp))
        let turn = 2 * Double.pi
        for step in 0..<16 {
            for offset in [-0.49, 0, 0.49] {
                let radians = (Double(step) + offset) / 16 * turn
                for turns in [-1.0, 0, 3] { #expect(symbolizer.rank(direction: radians + turns * turn) == 1 + step) }
            }
        }
        #expect(symbolizer.rank(direction: nil) == 0 && symbolizer.rank(direction: .infinity) == 0)
    }

    @Test func `Line colours are opaque`() {
        for symbolizer in [lines(.age(ramp)), lines(.direction(ramp)), lines(.speed(ramp, metresPerSecond: 1...2))] {
            #expect(symbolizer.palette.allSatisfy { $0.alpha == 255 })
        }
    }

    @Test func `Everything that can change a picture changes the digest`() {
        let casing = Casing(color: lead, width: ZoomNumbers(1))
        let symbolizers = [
            lines(.fixed(lead)), lines(.fixed(LineSymbolizer.defaultOtherColor)), lines(.age(ramp)),
            lines(.direction(ramp)),
            lines(.age(ramp), others: lead), lines(.activity(["ride": lead])), lines(.activity(["run": lead])),
            lines(.speed(ramp, metresPerSecond: 1...2)), lines(.speed(ramp, metresPerSecond: 1...3)),
            lines(.elevation(ramp, metres: 1...2)),
            LineSymbolizer(coloring: .fixed(lead), width: ZoomNumbers(3)),
            LineSymbolizer(coloring: .fixed(lead), width: ZoomNumbers([3: 2])),
            LineSymbolizer(coloring: .fixed(lead), width: ZoomNumbers(2), casing: casing),
            LineSymbolizer(coloring: .fixed(lead), width: ZoomNumbers(2), opacity: 0.5),
        ]
        #expect(Set(symbolizers.map(\.digest)).count == symbolizers.count)
        let styles = symbolizers.map { Style(name: "a", kind: .tracks, lines: $0) }
        #expect(Set(styles.map(\.digest)).count == symbolizers.count)
        let points = [
            PointSymbolizer(color: lead, radius: ZoomNumbers(2)), PointSymbolizer(color: lead, radius: ZoomNumbers(3)),
            PointSymbolizer(color: lead, radius: ZoomNumbers(2), outline: casing),
            PointSymbolizer(color: lead, radius: ZoomNumbers(2), firstZoom: 14),
            PointSymbolizer(color: lead, radius: ZoomNumbers(2), opacity: 0.5),
            PointSymbolizer(color: lead, radius: ZoomNumbers(2), pin: lead),
        ]
        #expect(Set(points.map { Style(name: "a", kind: .points, points: $0).digest }).count == points.count)
    }
}

@Suite struct ReplacedRampTests {
    @Test func `A ramp replaces the ramp of heat else of lines`() throws {
        let (first, other) = (try heatRamp(), try #require(NamedRamp.named("ember")).ramp)
        let speed = lines(.speed(first, metresPerSecond: 1...15))
        let both = Style(name: "a", kind: .heat, heat: HeatSymbolizer(ramp: first), lines: speed)
        let replaced = try #require(both.with(ramp: other))
        #expect(replaced.heat?.ramp == other && replaced.lines == speed)
        let tracks = try #require(Style(name: "a", kind: .tracks, lines: speed).with(ramp: other))
        #expect(tracks.lines == lines(.speed(other, metresPerSecond: 1...15)))
        for coloring in [LineSymbolizer.Coloring.age(first), .direction(first), .elevation(first, metres: 0...9)] {
            let style = Style(name: "a", kind: .tracks, lines: lines(coloring))
            #expect(style.ramp == first && style.with(ramp: other)?.ramp == other)
        }
    }

    @Test func `Styles without ramp or heat have no replacement or differences`() throws {
        let fixed = Style(name: "a", kind: .tracks, lines: lines(.fixed(lead)))
        let activities = Style(name: "a", kind: .tracks, lines: lines(.activity(["ride": lead])))
        let ramp = try heatRamp()
        for style in [fixed, activities] {
            #expect(style.ramp == nil && style.with(ramp: ramp) == nil)
            #expect(style.forDifferences(ramp: ramp) == nil)
        }
    }
}
