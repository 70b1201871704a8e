import HTTPCore
import Pins
import PrimaryStore
import RequestHandling
import Text

/// The members of a pin that a client sends: all that are needed for a new pin, or a merge patch (RFC 7396).
struct PinBody {
    private(set) var place: PinPlace?
    private var time = EditedValue<Int64>.keep
    private var category = EditedValue<String>.keep
    private var caption = EditedValue<String>.keep
    private var expires = EditedValue<Int64>.keep
    private var visibility: PinVisibility?

    /// Limit in bytes of a body: a caption of the longest kind, escaped.
    static let byteLimit = 32 * 1024

    /// Reads a body; the `400` names each member that is wrong.
    init(_ bytes: [UInt8]) throws(Problem) {
        try self.init(BodyMembers(bytes))
    }

    /// Reads the fields of a form; numbers are texts there.
    init(fields: [(name: String, text: String)]) throws(Problem) {
        try self.init(
            BodyMembers(
                fields.map { field in
                    let isNumber = field.name == "lon" || field.name == "lat"
                    let number = isNumber ? try? JSONReader.value(Array(field.text.utf8)) : nil
                    return (field.name, number ?? .text(field.text))
                }))
    }

    private init(_ given: BodyMembers) throws(Problem) {
        var members = given
        let degrees = ["lon", "lat"].compactMap { members.value($0, "a number of degrees") { $0.decimal?.double } }
        if degrees.count == 2 {
            place = PinPlace(longitude: degrees[0], latitude: degrees[1])
            if place == nil { members.addFault("lon and lat have to be degrees, -180 to 180 and -90 to 90") }
        } else if members.has("lon") != members.has("lat") {
            members.addFault("lon and lat have to be given together")
        }
        time = members.text("time", Self.instantRule) { DateText.instant(in: $0) }
        expires = members.text("expires", Self.instantRule) { DateText.instant(in: $0) }
        category = members.text(
            "category", "a text of up to \(PinText.categoryLimit) characters", PinText.givenCategory)
        caption = members.text("caption", "a text of up to \(PinText.captionLimit) characters", PinText.givenCaption)
        visibility = members.value("visibility", "open, here or been") {
            $0.text.flatMap { PinVisibility(rawValue: $0) }
        }
        try members.check()
    }

    private static let instantRule = "an instant such as 2025-03-30T08:00:00Z"

    /// The content of a new pin. Throws a `400` without a place.
    func content(person: String?) throws(Problem) -> PinContent {
        guard let place else { throw Problem.badRequest("lon and lat are missing") }
        var content = PinContent(place, source: .hand, located: .hand)
        content.person = person
        return applied(to: content)
    }

    /// The time of a new pin; nil if none is given.
    var newTime: Int64? { time.newValue }

    /// The content with what the body says besides the place.
    func applied(to given: PinContent) -> PinContent {
        var content = given
        if let newTime { content.time = newTime }
        if case .set(let value) = category { content.category = value }
        if case .set(let value) = caption { content.caption = value }
        if case .set(let value) = expires { content.expires = value }
        content.visibility = visibility ?? .open
        return content
    }

    /// The edit that a patch stands for.
    var edit: PinEdit {
        var edit = PinEdit()
        edit.place = place
        edit.time = time
        edit.category = category
        edit.caption = caption
        edit.expires = expires
        edit.visibility = visibility
        return edit
    }
}
