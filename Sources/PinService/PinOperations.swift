import HTTPCore
import OpenAPI
import Pins
import RequestHandling

extension APITag {
    static let pins = APITag("pins", "Places with content: waypoints, marked points, photos")
}

extension [APIParameter] {
    /// The parameters that `PinParameters` reads for a selection of pins.
    static let pins =
        window + [
            .bounds, APIParameter("category", .visible(), "Pins of this category", example: "hut"),
            APIParameter(
                "layer", .name, "Pins of times in which their person recorded a track of this layer", example: "all"),
            APIParameter("person", .text(), "Pins of this person; empty for the owner's", example: "bea"),
            APIParameter("source", .words(of: PinSource.self), "Where they came from"),
            APIParameter(
                "hours", .periods("0?[0-9]|1[0-9]|2[0-3]"),
                "Hours of the day in the library's time zone; they may wrap", example: "6-9,22-4"),
            APIParameter(
                "months", .periods("0?[1-9]|1[0-2]"), "Months; they may wrap", example: "12-2"),
        ]
}

/// What the routes of `PinHandler` do.
extension APIOperation {
    static let listPins = APIOperation(
        "a list of pins", .pins, detail: "The newest first; those without a time last.",
        parameters: .pins + [.limit(PinHandler.entryLimit, default: PinHandler.defaultEntries), .after],
        answers: [APIResponse("The pins", .json(.pinList))], traits: [.canBeMissing, .hasETag])

    static let addPin = APIOperation(
        "adds a pin", .pins,
        detail: """
            As a form also with a photo; without `lon` and `lat`, the place is that of the photo, or of the author's \
            tracks at its time (422 if it is not known).
            """, body: [.json(.newPin), APIContent("multipart/form-data", .newPhotoPin)],
        answers: [
            APIResponse("The pin", .json(.pin), status: .created),
            APIResponse("The pin of its author that has the same photo", .json(.pin)),
        ])

    static let pin = APIOperation(
        "a pin", .pins, parameters: [.id], answers: [APIResponse("The pin", .json(.pin))],
        traits: [.canBeMissing, .hasETag])

    static let editPin = APIOperation(
        "edits a pin", .pins, detail: "A JSON merge patch (RFC 7396).", parameters: [.id, .ifMatch("pin")],
        body: [.json(.pinPatch), APIContent("application/merge-patch+json", .pinPatch)],
        answers: [APIResponse("The pin", .json(.pin))], traits: .canBeMissing)

    static let removePin = APIOperation(
        "removes a pin", .pins, parameters: [.id, .ifMatch("pin")], answers: .removal, traits: .canBeMissing)
}

extension APISchema {
    private static let visibility = words(of: PinVisibility.self)

    fileprivate static let pin = object([
        ("id", .text()), ("lon", .longitude), ("lat", .latitude), ("time", .text().orNull), ("person", .text().orNull),
        ("category", .text().orNull), ("caption", .text().orNull), ("source", .words(of: PinSource.self)),
        ("located", .choice(["recorded", "exif", "track", "hand"])), ("score", .count), ("visibility", visibility),
        ("photo", .boolean), ("comments", .amount.orNull), ("hidden?", .boolean), ("created?", .text()),
        ("expires?", .text().orNull), ("notes?", .object()), ("pictures?", .list(.words(of: PinPhoto.Size.self))),
        ("width?", .number(1...Double.infinity).orNull), ("height?", .number(1...Double.infinity).orNull),
        ("camera?", .text().orNull), ("method?", .text().orNull), ("radius?", .amount.orNull),
    ]).named("Pin")

    /// Numbers and ranges, separated by commas.
    fileprivate static func periods(_ number: String) -> APISchema {
        let range = "(\(number))(-(\(number)))?"
        return pattern("^\(range)(,\(range))*$")
    }

    fileprivate static let pinList = object([("pins", .list(.pin)), ("next?", .text())]).named("PinList")

    /// An empty text is no value.
    private static let fields: [(String, APISchema)] = [
        ("time?", .either([.instant, .choice([""])])), ("category?", .text(maxLength: PinText.categoryLimit)),
        ("caption?", .text(maxLength: PinText.captionLimit)), ("expires?", .either([.instant, .choice([""])])),
    ]
    /// In JSON, null is no value, too.
    private static let changes = fields.map { ($0, $1.orNull) } + [("visibility?", visibility)]
    private static let newPlace: [(String, APISchema)] = [("lon", .longitude), ("lat", .latitude)]
    private static let place: [(String, APISchema)] = [("lon?", .longitude), ("lat?", .latitude)]
    fileprivate static let newPin = object(newPlace + changes, isClosed: true).named("NewPin")
    fileprivate static let newPhotoPin = object(
        [("photo", .text(minLength: 1)), ("visibility?", visibility)] + place + fields, together: ["lon", "lat"],
        isClosed: true
    ).named("NewPhotoPin")
    fileprivate static let pinPatch = object(place + changes, together: ["lon", "lat"], isClosed: true).named(
        "PinPatch")
}
