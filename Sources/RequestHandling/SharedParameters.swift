package import OpenAPI
import Styling
import TileDrawing
import TileMath

/// Parameters that several operations have.
extension APIParameter {
    package static let id = APIParameter("id", .text(), "The id, as in `/v1/tracks` or `/v1/pins`", in: .path)
    package static let style = APIParameter("style", .text(), "The name of a style, as in `/styles`", in: .path)

    package static let layer = APIParameter("layer", .name, "A layer, as in `/layers`; all tracks without it")
    package static let person = APIParameter(
        "person", .text(), "The name of a person; empty for the owner of the library", example: "ada")
    package static let activity = APIParameter(
        "activity", .text(), "An activity, or another word for it; `none` for tracks without one", example: "run")
    /// One or several ids.
    package static let trackList = APIParameter(
        "track", .set(.element, limit: TileSelection.maxTracks),
        "Up to \(TileSelection.maxTracks) ids of tracks, separated by commas")
    package static let bounds = APIParameter(
        "bbox", .box, boxDetail, example: "13,52,14,53")
    private static let boxDetail =
        "West, south, east, north in degrees; west may be greater than east, south may not be greater than north"
    /// Of one box, without which there is no answer.
    package static func box(example: String) -> APIParameter {
        APIParameter("bbox", .box, boxDetail, isRequired: true, example: example)
    }

    package static func theme(_ detail: String) -> APIParameter {
        APIParameter("theme", .choice(["light", "dark"], default: "light"), detail)
    }

    package static let after = APIParameter("after", .text(), "The value of `next` in the previous list")

    package static func limit(_ most: Int, default usual: Int) -> APIParameter {
        APIParameter("limit", .integer(1...most, default: usual), "How many entries")
    }

    package static func ifMatch(_ thing: String) -> APIParameter {
        APIParameter(
            "If-Match", .text(), "The ETag of the \(thing): 412 if it has changed since", in: .header)
    }
}

extension [APIParameter] {
    package static let window = [
        APIParameter("from", .date, "The beginning of the window, before `to`", example: "2023-06-01"),
        APIParameter(
            "to", .date, "The end of the window: a day is included, an instant is not", example: "2023-08-31"),
    ]

    /// The tracks and the time that tiles show.
    package static let selection =
        [.layer, .trackList] + window + [
            APIParameter("asof", .date, "The same as `to`; only one of the two", example: "2023-06-01T18:30:00Z")
        ]

    /// The appearance of tiles.
    package static let appearance = [
        APIParameter(
            "minus", .interval,
            "`FROM/TO`, one of which may be missing: for styles that show differences, the window that is subtracted",
            example: "2022-01-01/2022-12-31"),
        APIParameter(
            "ramp", .choice(NamedRamp.all.map(\.name)), "Other colours, by a name in `/ramps`", example: "glacier"),
        .theme("The background of the map, for styles with colours of their own for it (`takesTheme` in `/styles`)"),
        APIParameter(
            "span", .choice(["all", "window"], default: "all"),
            "Whether colours span the counts of all time, or those of the window"),
        APIParameter(
            "marks", .choice(["1"]), "Shows start, direction and end of the tracks in `track`, which is needed"),
    ]

    package static let position = [
        APIParameter("lon", .longitude, "Degrees", isRequired: true, example: "13.4"),
        APIParameter("lat", .latitude, "Degrees", isRequired: true, example: "52.5"),
    ]

    /// The coordinates of a tile, in its path.
    package static let tile = [
        APIParameter("z", .zoom, "The zoom level", in: .path),
        APIParameter("x", tiles, "The column, from the west", in: .path),
        APIParameter("y", tiles, "The row, from the north", in: .path),
    ]

    private static let tiles = APISchema.integer(0...(1 << ZoomLevel.deepest.number) - 1)
}

extension APISchema {
    package static let zoom = integer(0...ZoomLevel.deepest.number)

    /// West, south, east, north.
    package static let box = tuple([longitude, latitude, longitude, latitude]).named("Box")

    /// A name that is not empty, of a layer, a ramp or the like.
    package static let name = text(minLength: 1)

    /// A text that is not empty, and not of white space only.
    package static func visible(maxLength: Int? = nil) -> APISchema {
        text(pattern: #"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$"#, maxLength: maxLength)
    }

    /// The same value, or a text without characters, or null, which mean that there is none.
    package var orEmpty: APISchema { .either([self, .choice([""]), .null]) }

    /// The name of a time zone of the IANA database.
    package static let zone = pattern("^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$")

    /// An element of a list separated by commas.
    package static let element = pattern(#"^[^\x00-\x1f\x7f,]+$"#)

    /// The address of a place, or the nearest place with a name.
    package static let address = object([
        ("address?", .text()), ("place?", .text()), ("region?", .text()), ("country?", .pattern("^[A-Z]{2}$")),
        ("metres", .integer(0...20_100_000)), ("kind", .choice(["nearest", "address"])), ("source", .text()),
    ]).named("Address")
}

extension APIOperation {
    /// The tiles of a style that a handler of its own draws, in both sizes.
    package static func tiles(
        _ style: String, _ summary: String, _ tag: APITag, detail: String, parameters: [APIParameter],
        answer: String = "The tile"
    ) -> APIOperation {
        APIOperation(
            "\(summary): `/tiles/\(style)/Z/X/Y[@2x].png`", tag, detail: detail, parameters: .tile + parameters,
            answers: [APIResponse(answer, .png)], traits: [.canBeMissing, .hasETag]
        ).at(["/tiles/\(style)/{z}/{x}/{y}.png", "/tiles/\(style)/{z}/{x}/{y}@2x.png"])
    }
}
