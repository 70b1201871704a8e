import Colors
import Styling
import Testing
import TileMath

/// An invalid style file, and the error message for it.
struct InvalidStyleFile: CustomTestStringConvertible, Sendable {
    let text: String
    let message: String

    init(_ text: String, _ message: String) {
        self.text = text
        self.message = message
    }

    var testDescription: String { message }
}

@Suite struct SymbolizerFileTests {
    private func read(_ text: String) throws -> Style { try Style(file: "mine.json", text: Array(text.utf8)) }

    @Test func `Lines are parsed`() throws {
        let style = try read(
            ##"""
            {"name": "mine", "kind": "tracks",
             "lines": {"color": "#0A64A0", "width": {"0": 1, "10": 1.5, "16": 4},
                       "casing": {"color": "#ffffff", "width": {"9": 0, "12": 1}}, "opacity": 0.9}}
            """##)
        let expected = LineSymbolizer(
            coloring: .fixed(Color(red: 10, green: 100, blue: 160)), width: ZoomNumbers([0: 1, 10: 1.5, 16: 4]),
            casing: Casing(color: Color(red: 255, green: 255, blue: 255), width: ZoomNumbers([9: 0, 12: 1])),
            opacity: 0.9)
        #expect(style == Style(name: "mine", kind: .tracks, lines: expected))
    }

    @Test func `Every coloring is parsed`() throws {
        let ember = try #require(NamedRamp.named("ember")).ramp
        let black = Color(red: 0, green: 0, blue: 0)
        let colorings: [(String, LineSymbolizer.Coloring)] = [
            (##""by": "activity", "colors": {"Ride": "#000000"}"##, .activity(["ride": black])),
            (##""by": "age", "ramp": "ember""##, .age(ember)),
            (##""by": "direction", "ramp": "ember""##, .direction(ember)),
            (##""by": "speed", "ramp": "ember", "from": 1, "to": 15.5"##, .speed(ember, metresPerSecond: 1...15.5)),
            (##""by": "elevation", "ramp": "ember", "from": -10, "to": 9"##, .elevation(ember, metres: -10...9)),
        ]
        for (text, coloring) in colorings {
            let style = try read(##"{"name": "mine", "kind": "tracks", "lines": {"width": 2, "color": {\##(text)}}}"##)
            #expect(style.lines == LineSymbolizer(coloring: coloring, width: ZoomNumbers(2)))
            let other = try read(
                ##"{"name": "mine", "kind": "tracks", "lines": {"width": 2, "color": {"others": "#000000", \##(text)}}}"##
            )
            #expect(other.lines == LineSymbolizer(coloring: coloring, others: black, width: ZoomNumbers(2)))
        }
    }

    @Test func `Lines can have a ramp with stops`() throws {
        let stops = ##"{"stops": [{"at": 0, "color": "#112233"}, {"at": 1, "color": "#ffeedd"}]}"##
        let style = try read(
            ##"{"name": "a", "kind": "tracks", "lines": {"width": 2, "color": {"by": "age", "ramp": \##(stops)}}}"##)
        #expect(style.ramp?.stops.count == 2)
    }

    @Test func `Points are parsed`() throws {
        let style = try read(
            ##"""
            {"name": "mine", "kind": "points",
             "dots": {"color": "#000000", "radius": 2, "outline": {"color": "#ffffff", "width": 0.5}, "from": 13,
                      "opacity": 0.5, "pin": "#ff0000"}}
            """##)
        let white = Color(red: 255, green: 255, blue: 255)
        let expected = PointSymbolizer(
            color: Color(red: 0, green: 0, blue: 0), radius: ZoomNumbers(2),
            outline: Casing(color: white, width: ZoomNumbers(0.5)), firstZoom: 13, opacity: 0.5,
            pin: Color(red: 255, green: 0, blue: 0))
        #expect(style == Style(name: "mine", kind: .points, points: expected))
        let defaults = try read(##"{"name": "a", "kind": "points", "dots": {"color": "#000000", "radius": 2}}"##)
        #expect(defaults.points == PointSymbolizer(color: Color(red: 0, green: 0, blue: 0), radius: ZoomNumbers(2)))
        for zoom in allZooms { #expect(defaults.points?.isShown(at: zoom) == (zoom.number >= 15)) }
    }

    @Test func `A style can have heat, lines and points`() throws {
        let style = try read(
            ##"""
            {"name": "all", "ramp": "heat", "opacity": 0.5, "lines": {"color": "#000000", "width": 1},
             "dots": {"color": "#000000", "radius": 2}}
            """##)
        #expect(style.kind == .heat && style.heat?.opacity == 0.5 && style.lines != nil && style.points != nil)
    }

    @Test(arguments: [
        InvalidStyleFile(
            ##""kind": "tracks""##, #"lines: missing; a style of the kind "tracks" needs the key "lines""#),
        InvalidStyleFile(
            ##""kind": "points""##, #"dots: missing; a style of the kind "points" needs the key "dots""#),
        InvalidStyleFile(
            ##""kind": "tracks", "scale": "log", "lines": {"color": "#000000", "width": 1}"##,
            #"scale: the kind "tracks" does not support this key; remove it, or set the kind to "heat""#),
        InvalidStyleFile(
            ##""kind": "points", "opacity": 1, "dots": {"color": "#000000", "radius": 1}"##,
            #"opacity: the kind "points" does not support this key; move it to "dots""#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": 7"##, "lines: the number 7 is not an object; write it in braces: { … }"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "blue", "width": 1}"##,
            #"lines.color: "blue" is not a color; write it as #rrggbb, or as an object such as {"by": "speed", …}"#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1}"##, "lines.color: missing; give a string in quotes"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000"}"##,
            "lines.width: missing; give a number from 0.25 to 14"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": 0.1}"##,
            "lines.width: the number 0.1 is not a valid value; give a number from 0.25 to 14"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": {}}"##,
            #"lines.width: no number given; give one, or some by zoom level: {"10": 1.5}"#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": {"23": 1}}"##,
            #"lines.width.23: "23" is not a zoom level; use whole numbers from "0" to "22""#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": {"07": 1}}"##,
            #"lines.width.07: "07" is not a zoom level; use whole numbers from "0" to "22""#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": {"7": "thin"}}"##,
            #"lines.width.7: "thin" is not a valid value; give a number from 0.25 to 14"#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": {"0": 1, "16": 9}, "casing": {"color": "#ffffff", "width": 3}}"##,
            "lines.width: a line with its casing on both sides is too wide at zoom level 15; use at most 14 pixels"
        ),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": 1, "casing": {"color": "#ffffff", "width": 7}}"##,
            "lines.casing.width: the number 7 is not a valid value; give a number from 0 to 6"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": 1, "casing": {"color": "#ffff", "width": 1}}"##,
            ##"lines.casing.color: "#ffff" is not a color; write it as #rrggbb"##),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": 1, "casng": {}}"##,
            #"lines.casng: unknown key; did you mean "casing"?"#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": {"by": "age", "ramp": "rust"}, "dense": "#000000", "width": 1}"##,
            ##"lines.dense: colours that mean something cannot also show density; give "color" as #rrggbb"##),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "dense": "#12", "width": 1}"##,
            ##"lines.dense: "#12" is not a color; write it as #rrggbb"##),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"color": "#000000", "width": 1, "opacity": 2}"##,
            "lines.opacity: the number 2 is not a valid value; give a number from 0 to 1"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"ramp": "heat"}}"##,
            "lines.color.by: missing; choose one of activity, age, direction, elevation, speed"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "sped"}}"##,
            #"lines.color.by: there is no "sped"; did you mean "speed"?"#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "age", "ramp": "heat", "from": 1}}"##,
            "lines.color.from: unknown key; the keys here are by, ramp, others"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "age", "ramp": "embr"}}"##,
            #"lines.color.ramp: there is no "embr"; did you mean "ember"?"#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "age", "ramp": {"stops": []}}}"##,
            #"lines.color.ramp.stops: fewer than two stops; give a list of at least two stops, from "at": 0 to "at": 1"#
        ),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "age", "ramp": "heat", "others": "grey"}}"##,
            ##"lines.color.others: "grey" is not a color; write it as #rrggbb"##),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "speed", "ramp": "heat", "to": 15}}"##,
            "lines.color.from: missing; give a number from 0.1 to 350"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "speed", "ramp": "heat", "from": 15, "to": 1.5}}"##,
            #"lines.color.to: 1.5 is not above 15; give the lower limit as "from""#),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "elevation", "ramp": "heat", "from": -501, "to": 1}}"##,
            "lines.color.from: the number -501 is not a valid value; give a number from -500 to 20000"),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "activity", "colors": {}}}"##,
            ##"lines.color.colors: not 1–64 activities; give an object of colors by activity, such as {"ride": "#0072b2"}"##
        ),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "activity", "colors": {"ride": "red"}}}"##,
            ##"lines.color.colors.ride: "red" is not a color; write it as #rrggbb"##),
        InvalidStyleFile(
            ##""kind": "tracks", "lines": {"width": 1, "color": {"by": "activity", "colors": {"Ride": "#000000", "ride": "#000001"}}}"##,
            "lines.color.colors.ride: the activity occurs twice; names of activities ignore case"),
        InvalidStyleFile(
            ##""kind": "points", "dots": {"color": "#000000", "radius": 7}"##,
            "dots.radius: the number 7 is not a valid value; give a number from 0.5 to 6"),
        InvalidStyleFile(
            ##""kind": "points", "dots": {"color": "#000000", "radius": 6, "outline": {"color": "#ffffff", "width": {"3": 1, "4": 1.5}}}"##,
            "dots.radius: a dot with its outline is too wide at zoom level 4; use at most 7 pixels"),
        InvalidStyleFile(
            ##""kind": "points", "dots": {"color": "#000000", "radius": 1, "from": 1.5}"##,
            "dots.from: the number 1.5 is not a valid value; give a whole number from 12 to 22"),
        InvalidStyleFile(
            ##""kind": "points", "dots": {"color": "#000000", "radius": 1, "from": 11}"##,
            "dots.from: the number 11 is not a valid value; give a whole number from 12 to 22"),
        InvalidStyleFile(
            ##""kind": "points", "dots": {"color": "#000000", "radius": 1, "pin": 3}"##,
            "dots.pin: the number 3 is not a string; write it in quotes"),
    ])
    func `Each problem is reported once with its path`(invalid: InvalidStyleFile) {
        let error = #expect(throws: StyleError.self) { try read(##"{"name": "mine", \##(invalid.text)}"##) }
        #expect(error?.description == "mine.json: \(invalid.message)")
    }

    @Test(arguments: [
        "1e308", "-1e308", "1e999", "-0", "4.9e-324", "9223372036854775808", "-9223372036854775808", "0.1", "22.5",
        "1e18",
    ]) func `Extreme numbers are values or problems`(number: String) {
        for text in [
            ##"{"name": "mine", "kind": "tracks", "lines": {"color": "#000000", "width": NUMBER, "opacity": NUMBER}}"##,
            ##"{"name": "mine", "kind": "tracks", "lines": {"color": "#000000", "width": {"0": NUMBER, "22": NUMBER}}}"##,
            ##"{"name": "mine", "kind": "tracks", "lines": {"color": "#000000", "width": {"NUMBER": 1}}}"##,
            ##"{"name": "mine", "kind": "tracks", "lines": {"width": 1, "color": {"by": "speed", "ramp": "ember", "from": NUMBER, "to": NUMBER}}}"##,
            ##"{"name": "mine", "kind": "tracks", "lines": {"width": 1, "color": {"by": "elevation", "ramp": [["#000000", NUMBER], ["#ffffff", 1]], "from": 0, "to": NUMBER}}}"##,
            ##"{"name": "mine", "kind": "tracks", "dots": {"color": "#000000", "from": NUMBER, "radius": NUMBER}}"##,
            ##"{"name": "mine", "kind": "heat", "colors": NUMBER, "opacity": NUMBER, "kernel": {"0": NUMBER}, "ramp": "ember"}"##,
            ##"{"name": "mine", "kind": "heat", "heat": {"colors": NUMBER, "opacity": NUMBER, "kernel": NUMBER, "scale": NUMBER, "ramp": NUMBER}}"##,
        ] {
            let style = try? read(text.replacing("NUMBER", with: number))
            _ = style?.namedLegend(activities: [], age: nil)
        }
    }
}
