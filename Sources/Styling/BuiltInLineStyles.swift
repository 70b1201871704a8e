import Colors

// Built-in styles for lines and points.
//
// At low zoom levels a line is about one pixel wide; wider lines would merge in towns. At zoom levels that show single
// streets the line gets wider, with a casing that separates it from the map below.
extension Style {
    static let lineStyles = [
        Style(
            name: "tracks", title: "Tracks", kind: .tracks,
            lines: LineSymbolizer(
                coloring: .fixed(color("#1552d8"), dense: color("#06143c")), width: lineWidth, casing: wideCasing(white)
            )),
        Style(
            name: "tracks-dark", title: "Tracks on dark maps", kind: .tracks,
            lines: LineSymbolizer(
                coloring: .fixed(color("#ffb020"), dense: color("#fff8e0")), width: lineWidth,
                casing: wideCasing(darkCasing))),
        // A colour that no other style uses for lines: tracks shared by others are drawn beside the owner's.
        Style(
            name: "inbox", title: "Shared by others", kind: .tracks,
            lines: LineSymbolizer(
                coloring: .fixed(color("#d6249f"), dense: color("#57083f")), width: lineWidth,
                casing: wideCasing(white), opacity: 0.9)),
        Style(
            name: "points", title: "Points", kind: .points,
            lines: LineSymbolizer(
                coloring: .fixed(color("#6f7f99")), width: ZoomNumbers([0: 0.75, 11: 0.75, 15: 1, 18: 1.25])),
            points: PointSymbolizer(
                color: color("#1552d8"), radius: ZoomNumbers([15: 1.25, 17: 2.25, 19: 3.5]),
                outline: Casing(color: white, width: ZoomNumbers([15: 0.5, 18: 1])))),
        // The glow shows how often, the line in it shows exactly where.
        Style(
            name: "heat-tracks", title: "Heat under lines", kind: .heat,
            heat: HeatSymbolizer(colors: 32, ramp: heatRamp, kernel: .pixels(3)),
            lines: LineSymbolizer(
                coloring: .fixed(white), width: ZoomNumbers([0: 0.5, 11: 0.5, 14: 0.75, 17: 1.25]), opacity: 0.7)),
        Style(
            name: "tracks-activity", title: "Tracks by activity", kind: .tracks,
            lines: LineSymbolizer(
                coloring: .activity(activityColors), others: color("#6e6e6e"), width: lineWidth, casing: thinCasing)),
        Style(
            name: "tracks-age", title: "Tracks by age", kind: .tracks,
            lines: LineSymbolizer(coloring: .age(ramp("sunset")), width: lineWidth, casing: thinCasing)),
        // From walking speed to a fast bicycle.
        Style(
            name: "tracks-speed", title: "Tracks by speed", kind: .tracks,
            lines: LineSymbolizer(
                coloring: .speed(ramp("aurora"), metresPerSecond: 1...15), width: lineWidth, casing: thinCasing)),
        Style(
            name: "tracks-elevation", title: "Tracks by elevation", kind: .tracks,
            lines: LineSymbolizer(
                coloring: .elevation(ramp("aurora"), metres: 0...2500), width: lineWidth, casing: thinCasing)),
        Style(
            name: "tracks-direction", title: "Tracks by direction", kind: .tracks,
            lines: LineSymbolizer(coloring: .direction(ramp("compass")), width: lineWidth, casing: thinCasing)),
    ]

    private static let lineWidth = ZoomNumbers([8: 1, 11: 1.5, 14: 2.5, 17: 4])
    private static let white = Color(red: 255, green: 255, blue: 255)
    private static let darkCasing = Color(red: 0x14, green: 0x16, blue: 0x1a)

    private static func wideCasing(_ color: Color) -> Casing {
        Casing(color: color, width: ZoomNumbers([9: 0, 11: 0.5, 14: 1, 17: 1.5]))
    }

    /// Visible on light maps and invisible on dark ones. A dark casing cannot be mistaken for a colour that has a
    /// meaning.
    private static let thinCasing = Casing(
        color: Color(red: 0x22, green: 0x25, blue: 0x2b), width: ZoomNumbers([9: 0, 11: 0.25, 14: 0.5, 17: 0.75]))

    /// Six colours, including the colour of all other activities. They can be distinguished by people who see no red or
    /// no green too. The words that formats and apps use for the same activity share one colour.
    private static let activityColors: [String: Color] = {
        let groups = [
            ("#2964dd", ["ride", "cycling", "biking", "bicycle", "bike", "mountain_biking", "road_biking"]),
            ("#c2410c", ["run", "running", "trail_running", "jogging"]),
            ("#12b76a", ["walk", "walking", "hike", "hiking"]),
            (
                "#7b2d8e",
                ["drive", "driving", "car", "motorcycle", "bus", "train", "tram", "subway", "flight"]
            ),
            ("#17a2c4", ["swim", "swimming", "ski", "skiing", "rowing", "kayaking", "sailing", "skating"]),
        ]
        var colors: [String: Color] = [:]
        for (text, names) in groups {
            for name in names { colors[name] = color(text) }
        }
        return colors
    }()

    /// A colour written in this file; it must be valid.
    private static func color(_ text: String) -> Color {
        guard let color = Color(text) else { preconditionFailure("\(text) is not a valid colour") }
        return color
    }
}
