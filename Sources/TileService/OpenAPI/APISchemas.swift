import Countries
import Places
import RequestHandling

/// The schemas of the document, by name.
enum APISchemas {
    static let all: [(name: String, schema: APISchema)] = [
        ("Problem", problem), ("Date", date), ("Box", box), ("Track", track), ("TrackList", trackList),
        ("Visits", visits), ("TileJSON", tileJSON), ("Health", health), ("Point", point), ("Points", points),
        ("Receipt", receipt), ("Import", importRecord), ("TrackPatch", trackPatch), ("Feature", feature),
        ("LocatedPhoto", locatedPhoto), ("Totals", totals), ("Explorer", explorer), ("Countries", countries),
        ("CountryInterval", countryInterval), ("Stay", stay), ("StayPlace", stayPlace), ("Address", address),
        ("NamedPlace", namedPlace),
        ("Pin", pin), ("PinList", pinList), ("NewPin", newPin), ("NewPhotoPin", newPhotoPin), ("PinPatch", pinPatch),
        ("Comment", comment),
    ]

    /// RFC 9457.
    private static let problem = APISchema.object([
        ("type", .text()), ("title", .text()), ("status", .integer(400...599)), ("detail?", .text()),
    ])

    /// A day, an instant, or milliseconds since 1970.
    private static let date = APISchema.pattern("^(-?[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].+)?)$")

    private static let sums: [(String, APISchema)] = [
        ("tracks", .integer(0...Int.max)), ("metres", .number(0...Double.infinity)),
        ("seconds", .number(0...Double.infinity)), ("movingSeconds", .number(0...Double.infinity)),
        ("climb", .number(0...Double.infinity)), ("days", .integer(0...Int.max)),
    ]

    private static let eddington = APISchema.object([
        ("number", .integer(0...Int.max)), ("missing", .integer(1...Int.max)),
    ])

    private static let explorer = APISchema.object([
        ("zoom", .integer(14...17)), ("tiles", .integer(0...Int.max)), ("cluster", .integer(0...Int.max)),
        (
            "square",
            .object([
                ("side", .integer(0...Int.max)), ("x", .either([.integer(0...131_071), .null])),
                ("y", .either([.integer(0...131_071), .null])),
            ])
        ), ("new", .integer(0...Int.max)),
    ])

    private static let countryStatus = APISchema.choice(CountryStatus.allCases.map(\.rawValue))
    private static let metres = APISchema.object([("metres", .number(0...Double.infinity))])

    private static let countries = APISchema.object([
        ("by", .text()), ("view", .text()),
        (
            "countries",
            .list(
                .object([
                    ("code", .text()), ("name", .text()), ("region?", .either([.text(), .null])),
                    ("status", countryStatus), ("first", .either([.text(), .null])),
                    ("last", .either([.text(), .null])),
                    ("days", .integer(0...Int.max)), ("nights", .integer(0...Int.max)),
                    ("metres", .number(0...Double.infinity)),
                ]))
        ), ("sea", metres), ("unknown", metres), ("source?", .text()),
    ])

    private static let countryInterval = APISchema.object([
        ("person", .text()), ("region", .either([.text(), .null])), ("enter", .either([.text(), .null])),
        ("leave", .either([.text(), .null])), ("status", countryStatus), ("metres", .number(0...Double.infinity)),
        ("tracks", .list(.text())),
    ])

    private static let stay = APISchema.object([
        ("person", .text()), ("arrive", .text()), ("leave", .text()), ("lon", .number(-180...180)),
        ("lat", .number(-90...90)), ("radius", .number(0...Double.infinity)), ("points", .integer(2...Int.max)),
        ("bridgedSeconds", .number(0...Double.infinity)), ("name", .either([.text(), .null])),
        ("place", .named("Address")),
    ])

    private static let stayPlace = APISchema.object([
        ("id", .text()), ("person", .text()), ("lon", .number(-180...180)), ("lat", .number(-90...90)),
        ("name", .either([.text(), .null])), ("seconds", .number(0...Double.infinity)),
        ("stays", .integer(0...Int.max)), ("first", .either([.text(), .null])), ("last", .either([.text(), .null])),
        ("place", .named("Address")),
    ])

    private static let totals = APISchema.object([
        ("by", .text()), ("zone", .text()),
        ("rows", .list(.object([("period", .text()), ("from", .text())] + sums))), ("total", .object(sums)),
        ("untimed", .object(sums)),
        ("activities", .list(.object([("activity", .either([.text(), .null]))] + sums))),
        (
            "streak",
            .object([
                ("longest", .integer(0...Int.max)), ("from", .either([.text(), .null])),
                ("to", .either([.text(), .null])), ("current", .integer(0...Int.max)),
            ])
        ),
        ("eddington", .object([("km", eddington), ("mi", eddington)])),
    ])

    /// West, south, east, north.
    private static let box = APISchema.list(.number(-180...180), limit: 4)

    private static let track = APISchema.object([
        ("id", .text()), ("name?", .text()), ("source", .text()), ("person?", .text()), ("device?", .text()),
        ("activity?", .text()), ("activityRecorded?", .text()), ("tags", .list(.text())), ("start?", .text()),
        ("end?", .text()),
        ("points", .integer(0...Int.max)), ("metres", .number(0...Double.infinity)),
        ("seconds", .number(0...Double.infinity)), ("movingSeconds?", .number(0...Double.infinity)),
        ("climb?", .number(0...Double.infinity)), ("bbox?", .named("Box")),
        (
            "places?",
            .object([
                ("from?", .text()), ("to?", .text()), ("loop", .boolean), ("source", .choice([Gazetteer.source])),
                ("fromAddress?", .text()), ("toAddress?", .text()), ("addressSource?", .text()),
            ])
        ), ("sameTimeAs?", .list(.text())),
    ])

    private static let trackList = APISchema.object([("tracks", .list(.named("Track"))), ("next?", .text())])

    private static let visits = APISchema.object([
        ("lon", .number(-180...180)), ("lat", .number(-90...90)), ("z", .integer(0...22)),
        ("count", .integer(0...Int.max)), ("quantile", .number(0...1)), ("first?", .text()), ("last?", .text()),
        ("days", .integer(0...Int.max)), ("tracks", .list(.object())), ("more", .boolean),
        ("cell", .object([("bbox", .named("Box"))])),
    ])

    private static let tileJSON = APISchema.object([
        ("tilejson", .choice(["3.0.0"])), ("tiles", .list(.text())), ("name", .text()), ("bounds?", .named("Box")),
        ("minzoom", .integer(0...22)), ("maxzoom", .integer(0...22)),
    ])

    private static let health = APISchema.object([
        ("status", .choice(["ok", "rebuilding", "degraded"])), ("reason?", .text()), ("progress?", .number(0...1)),
        ("behind?", .boolean), ("revision?", .text()), ("tracks?", .integer(0...Int.max)),
        ("points?", .integer(0...Int.max)),
        ("permissions?", .list(.choice(["read", "record", "change", "contribute"]))),
        ("version", .text()), ("recording?", .object()),
    ])

    /// Further members are stored as fields.
    private static let point = APISchema.object([
        ("t", .either([.text(), .number(-Double.infinity...Double.infinity)])), ("lon", .number(-180...180)),
        ("lat", .number(-90...90)), ("ele?", .number(-9998...1_000_000)), ("speed?", .number(0...12_000)),
        ("course?", .number(0...360)), ("hacc?", .number(0...Double.infinity)), ("battery?", .number(0...100)),
        ("mark?", .boolean), ("name?", .text(maxLength: 10_000)),
    ])

    /// What is not known is null.
    private static let locatedPhoto = APISchema.object([
        ("time", .either([.text(), .null])), ("zone?", .text()), ("timeSource?", .either([.text(), .null])),
        ("lon?", .either([.number(-180...180), .null])), ("lat?", .either([.number(-90...90), .null])),
        ("radius?", .either([.number(0...Double.infinity), .null])), ("method?", .either([.text(), .null])),
        ("track?", .either([.text(), .null])), ("person?", .either([.text(), .null])),
        ("reason", .either([.text(), .null])), ("candidates", .list(.object())),
    ])

    private static let text = APISchema.either([.text(), .null])
    private static let visibility = APISchema.choice(["open", "here", "been"])

    private static let pinMembers: [(String, APISchema)] = [
        ("id", .text()), ("lon", .number(-180...180)), ("lat", .number(-90...90)), ("time", text), ("person", text),
        ("category", text), ("caption", text), ("source", .choice(["waypoint", "mark", "photo", "hand"])),
        ("located", .choice(["recorded", "exif", "track", "hand"])), ("score", .integer(0...Int.max)),
        ("visibility", visibility), ("photo", .boolean),
        ("comments", .either([.number(0...Double.infinity), .null])), ("hidden?", .boolean), ("created?", .text()),
        ("expires?", text),
        ("notes?", .object()), ("pictures?", .list(.choice(["thumb", "screen", "original"]))),
        ("width?", .either([.number(1...Double.infinity), .null])),
        ("height?", .either([.number(1...Double.infinity), .null])), ("camera?", text), ("method?", text),
        ("radius?", .either([.number(0...Double.infinity), .null])),
    ]
    private static let pin = APISchema.object(pinMembers)
    private static let comment = APISchema.object([
        ("id", .integer(1...Int.max)), ("person", text), ("time", .text()), ("text", .text(maxLength: 2000)),
    ])
    private static let pinList = APISchema.object([("pins", .list(.named("Pin"))), ("next?", .text())])

    private static let pinPatchMembers: [(String, APISchema)] = [
        ("time?", text), ("category?", text), ("caption?", text), ("visibility?", visibility), ("expires?", text),
    ]
    private static let newPin = APISchema.object(
        [("lon", .number(-180...180)), ("lat", .number(-90...90))] + pinPatchMembers)
    /// As texts, because they are fields of a form.
    private static let newPhotoPin = APISchema.object(
        [("photo", .text()), ("lon?", .text()), ("lat?", .text())] + pinPatchMembers)
    private static let pinPatch = APISchema.object(
        [("lon?", .number(-180...180)), ("lat?", .number(-90...90))] + pinPatchMembers)

    private static let address = APISchema.object([
        ("address?", .text()), ("place?", .text()), ("region?", .text()), ("country?", .pattern("^[A-Z]{2}$")),
        ("metres", .integer(0...20_100_000)), ("kind", .choice(["nearest", "address"])), ("source", .text()),
    ])

    private static let namedPlace = APISchema.object([
        ("name", .text()), ("otherName?", .text()), ("region?", .text()), ("country", .pattern("^[A-Z]{2}$")),
        ("lon", .number(-180...180)), ("lat", .number(-90...90)), ("population?", .integer(1...Int.max)),
    ])

    private static let feature = APISchema.object([
        ("type", .choice(["Feature", "FeatureCollection"])), ("geometry?", .object()), ("properties?", .object()),
        ("features?", .list(.object())),
    ])

    private static let points = APISchema.either([
        .object([("points", .list(.named("Point")))]), .list(.named("Point")), .named("Point"), .named("Feature"),
    ])

    private static let receipt = APISchema.object([
        ("accepted", .integer(0...Int.max)), ("headings?", .integer(0...Int.max)), ("refused", .integer(0...Int.max)),
        ("refusedFields?", .integer(0...Int.max)),
        ("reasons?", .list(.object([("point", .integer(1...Int.max)), ("reason", .text())]))),
    ])

    private static let importRecord = APISchema.object([
        ("import", .integer(1...Int.max)), ("time", .text()), ("given", .list(.text())),
        ("files", .integer(0...Int.max)), ("tracks", .integer(0...Int.max)), ("streams", .integer(0...Int.max)),
        ("pins", .integer(0...Int.max)), ("receipts?", .list(.object())), ("next?", .text()),
    ])

    private static let trackPatch = APISchema.object([
        ("name?", .either([.text(), .null])), ("activity?", .either([.text(), .null])), ("tags?", .list(.text())),
    ])
}
