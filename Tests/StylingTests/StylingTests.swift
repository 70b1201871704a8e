import Colors
import Foundation
import HeatGrid
import Styling
import Testing

/// Counts like those of streets: twice the count occurs in about a quarter as many cells.
func streets(cells: Int, most: UInt32) -> CountHistogram {
    var histogram = CountHistogram()
    for count in 1...most {
        let share = Int(Double(cells) / (Double(count) * Double(count)))
        if share > 0 { histogram.add(count: count, cells: share) }
    }
    return histogram
}

/// Libraries of several sizes.
enum Library: CaseIterable, Sendable {
    case empty, oneOuting, small, middle, large

    var histogram: CountHistogram {
        switch self {
        case .empty: CountHistogram()
        case .oneOuting: streets(cells: 10, most: 1)
        case .small: streets(cells: 1_000, most: 3)
        case .middle: streets(cells: 100_000, most: 200)
        case .large: streets(cells: 10_000_000, most: 3_000)
        }
    }
}

func symbolizer(_ scale: Scale, colors: Int = 16) throws -> HeatSymbolizer {
    HeatSymbolizer(scale: scale, colors: colors, ramp: try heatRamp())
}

func heatRamp() throws -> Ramp { try #require(NamedRamp.named("heat")).ramp }

@Suite struct ColorTests {
    @Test(arguments: ["#000000", "#ffffff", "#12ab9f", "#12ab9f80"])
    func `Colours are read as they were written`(text: String) throws {
        #expect(try #require(Color(text)).description == text)
    }

    @Test(arguments: ["", "#", "#12345", "123456", "#12345g", "#１２３４５６", "#1234567"])
    func `Invalid colour texts are rejected`(text: String) {
        #expect(Color(text) == nil)
    }

    @Test func `Oklab maps black to zero and white to one`() {
        #expect(abs(Color(red: 255, green: 255, blue: 255).oklab.lightness - 1) < 1e-4)
        #expect(Color(red: 0, green: 0, blue: 0).oklab.lightness == 0)
    }

    @Test(arguments: Ramp.Blend.allCases)
    func `A ramp has the colours of its stops and is clamped`(blend: Ramp.Blend) throws {
        let ramp = Ramp(blend: blend, stops: try heatRamp().stops)
        for stop in ramp.stops { #expect(ramp.color(at: stop.at) == stop.color) }
        #expect(ramp.color(at: -3) == ramp.stops.first?.color)
        #expect(ramp.color(at: 7) == ramp.stops.last?.color)
    }
}

@Suite struct BuiltInStyleTests {
    @Test(arguments: Style.builtIn.compactMap(\.heat))
    func `Lightness of built-in ramps is monotone`(symbolizer: HeatSymbolizer) {
        #expect(symbolizer.ramp.lightnessIsMonotone)
    }

    private let backgrounds = ["#ffffff", "#f2efe9", "#d4dadc", "#aad3df", "#262626", "#0e0e0e", "#1a2433"].compactMap(
        Color.init)

    @Test func `The built-in styles are the files of the folder`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Styles").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.sorted() == StyleSheet.builtIn.names.map { "\($0).json" }.sorted())
    }

    @Test func `Line colours contrast with light and dark maps`() throws {
        for style in Style.builtIn {
            guard let lines = style.lines, lines.palette.count > 1 else { continue }
            for color in lines.palette {
                for background in backgrounds {
                    #expect(
                        color.oklab.distance(to: background.oklab) > 0.12, "\(style.name): \(color) on \(background)")
                }
            }
        }
    }

    @Test func `Lines are thin and without casing at low zoom levels`() throws {
        for style in Style.builtIn {
            for zoom in allZooms.prefix(10) {
                #expect(style.lines.map { $0.width[zoom] <= 1.25 } ?? true, "\(style.name)")
                #expect(style.lines?.casing.map { $0.width[zoom] == 0 } ?? true, "\(style.name)")
            }
        }
    }

    @Test func `Heat colours contrast with light and dark maps`() throws {
        let ramp = try heatRamp()
        for step in 0...100 {
            let color = ramp.color(at: Double(step) / 100)
            for background in backgrounds {
                let seen = color.over(background)
                #expect(seen.oklab.distance(to: background.oklab) > 0.17, "\(seen) on \(background)")
            }
        }
    }
}

@Suite struct ColorTableTests {
    @Test(arguments: Scale.allCases, Library.allCases)
    func `Palette indices never decrease with the count`(scale: Scale, library: Library) throws {
        for colors in [8, 16, 33, 64] {
            let table = ColorTable(symbolizer: try symbolizer(scale, colors: colors), histogram: library.histogram)
            #expect(table.colors.count <= colors)
            #expect(table.paletteIndex(of: 0) == 0 && table.paletteIndex(of: 1) == 1)
            #expect(table.paletteIndex(of: .max) == UInt8(table.colors.count - 1))
            var last: UInt8 = 0
            for count in Array(0...5_000) + [9_999, 65_536, 1 << 24, .max] as [UInt32] {
                let index = table.paletteIndex(of: count)
                #expect(index >= last)
                last = index
            }
        }
    }

    @Test(arguments: Scale.allCases.filter { $0 != .linear }, Library.allCases)
    func `Low counts have different colours`(scale: Scale, library: Library) throws {
        let table = ColorTable(symbolizer: try symbolizer(scale), histogram: library.histogram)
        #expect((1...4).map { table.paletteIndex(of: $0) } == [1, 2, 3, 4])
        #expect(Set((1...4).map { table.color(of: $0) }).count == 4)
    }

    @Test(arguments: Scale.allCases, Library.allCases)
    func `The legend lists every count once`(scale: Scale, library: Library) throws {
        let table = ColorTable(symbolizer: try symbolizer(scale), histogram: library.histogram)
        var next: UInt32 = 1
        for entry in table.legend {
            #expect(entry.from == next)
            #expect(table.color(of: entry.from) == entry.color)
            if let to = entry.to {
                #expect(table.color(of: to) == entry.color)
                next = to + 1
            }
        }
        #expect(table.legend.last?.to == nil)
    }

    @Test(arguments: [(Scale.log, 12), (.linear, 12), (.equalize, 60)])
    func `Most imports do not change the table`(scale: Scale, changeLimit: Int) throws {
        // A library grows from 100 to 1,100 recordings, each of about 2,000 cells, on streets that are partly known.
        let symbolizer = try symbolizer(scale)
        var changes = 0
        var last: ColorTable?
        for outing in 100..<1_100 {
            let table = ColorTable(
                symbolizer: symbolizer, histogram: streets(cells: outing * 600, most: UInt32(outing / 4)))
            if let last, last.digest != table.digest { changes += 1 }
            last = table
        }
        #expect(changes <= changeLimit, "\(changes) of 1,000 imports changed it")
    }

    @Test func `Few extreme counts do not change the table`() throws {
        let symbolizer = try symbolizer(.log)
        var histogram = streets(cells: 100_000, most: 60)
        let before = ColorTable(symbolizer: symbolizer, histogram: histogram)
        histogram.add(count: 100_000, cells: 20)
        #expect(ColorTable(symbolizer: symbolizer, histogram: histogram) == before)
    }

    @Test func `The order of entries does not matter`() throws {
        for scale in Scale.allCases {
            var forwards = CountHistogram()
            var backwards = CountHistogram()
            for count in 1...300 as ClosedRange<UInt32> {
                forwards.add(count: count, cells: 1_000 / Int(count))
                backwards.add(count: 301 - count, cells: 1_000 / Int(301 - count))
            }
            let symbolizer = try symbolizer(scale)
            #expect(
                ColorTable(symbolizer: symbolizer, histogram: forwards).digest
                    == ColorTable(symbolizer: symbolizer, histogram: backwards).digest)
        }
    }

    @Test func `Opacity changes the table`() throws {
        let heat = HeatSymbolizer(ramp: try heatRamp())
        let faint = HeatSymbolizer(opacity: 0.5, ramp: heat.ramp)
        #expect(faint.digest != heat.digest)
        let histogram = streets(cells: 100, most: 9)
        #expect(
            ColorTable(symbolizer: faint, histogram: histogram).digest
                != ColorTable(symbolizer: heat, histogram: histogram).digest)
    }
}

@Suite struct StyleFileTests {
    static let stops = ##"{"stops": [{"at": 0, "color": "#112233"}, {"at": 1, "color": "#ffeedd"}]}"##

    func problems(_ text: String) -> [String] {
        do {
            _ = try Style(file: "mine.json", text: Array(text.utf8))
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `Missing values have defaults`() throws {
        let text = ##"{"name": "mine", "ramp": \##(Self.stops)}"##
        let style = try Style(file: "mine.json", text: Array(text.utf8))
        let heat = try #require(style.heat)
        #expect(style.kind == .heat && heat.scale == .log && heat.colors == 16 && heat.opacity == 1)
        #expect(style.title == "mine" && heat.ramp.blend == .oklab && style.lines == nil && style.points == nil)
    }

    @Test func `Problems give file, path and remedy`() {
        let ramp =
            ##"{"stops": [{"at": 0, "color": "#112233"}, {"at": 0.5, "color": "red"}, {"at": 1, "color": "#ffeedd"}]}"##
        #expect(
            problems(##"{"name": "mine", "ramp": \##(ramp)}"##)
                == [
                    #"mine.json: ramp.stops[1].color: "red" is not a color; write it as #rrggbb, with "opacity" beside it"#
                ])
    }

    @Test func `Unknown keys and values are reported with suggestions`() {
        #expect(
            problems(##"{"name": "mine", "opacty": 1, "scale": "logg", "ramp": \##(Self.stops)}"##)
                == [
                    #"mine.json: opacty: unknown key; did you mean "opacity"?"#,
                    #"mine.json: scale: there is no "logg"; did you mean "log"?"#,
                ])
    }

    @Test func `All problems are reported together`() {
        let text =
            ##"{"name": "No Name", "colors": 3, "opacity": "x", "ramp": {"stops": [{"at": 0.5, "color": "#000000"}, 7]}}"##
        let messages = problems(text)
        for path in ["name", "colors", "opacity", "ramp.stops[1]"] {
            #expect(messages.contains { $0.hasPrefix("mine.json: \(path): ") }, "\(path) in \(messages)")
        }
    }

    @Test(arguments: [
        "", "[]", "{", "{\"name\": }", "7", ##"{"name": "a", "ramp": {"stops": []}}"##, ##"{"name": "a"}"##,
        ##"{"name": "a", "ramp": {"stops": [{"at": 0, "color": "#000000"}, {"at": 0, "color": "#000000"}]}}"##,
        ##"{"name": "a", "colors": 16.5, "ramp": {"stops": [{"at": 0, "color": "#000000"}, {"at": 1, "color": "#000000"}]}}"##,
    ])
    func `Invalid styles are reported`(text: String) {
        let messages = problems(text)
        #expect(!messages.isEmpty)
        #expect(messages.allSatisfy { $0.hasPrefix("mine.json: ") && !$0.contains("\n") })
    }

    @Test func `A file replaces a style of the same name`() throws {
        let text = Array(##"{"name": "heat", "opacity": 0.5, "ramp": \##(Self.stops)}"##.utf8)
        let sheet = try StyleSheet(files: [("heat.json", text)])
        #expect(sheet["heat"]?.heat?.opacity == 0.5)
        #expect(sheet["nothing"] == nil)
        #expect(sheet.name(like: "haet") == "heat")
    }

    @Test func `Two files cannot share a name`() {
        let text = Array(##"{"name": "mine", "ramp": \##(Self.stops)}"##.utf8)
        #expect(throws: StyleError.self) { try StyleSheet(files: [("a.json", text), ("b.json", text)]) }
    }
}
