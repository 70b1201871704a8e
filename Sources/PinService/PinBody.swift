import HTTPCore
import Pins
import PrimaryStore
import RequestHandling
import Text

/// The members of a pin that a client sends: all that are needed for a new pin, or a merge patch (RFC 7396).
struct PinBody {
    private(set) var place: PinPlace?
    private var time = PinEdit.Change<Int64>.keep
    private var category = PinEdit.Change<String>.keep
    private var caption = PinEdit.Change<String>.keep
    private var expires = PinEdit.Change<Int64>.keep
    private var visibility: PinVisibility?

    /// Limit in bytes of a body: a caption of the longest kind, escaped.
    static let byteLimit = 32 * 1024

    /// Reads a body; the `400` names each member that is wrong.
    init(_ bytes: [UInt8]) throws(Problem) {
        guard let members = JSONBody.members(of: bytes) else {
            throw Problem.badRequest("the body has to be a JSON object")
        }
        try self.init(members.map { ($0.name, $0.value) })
    }

    /// Reads the fields of a form; numbers are texts there.
    init(fields: [(name: String, text: String)]) throws(Problem) {
        try self.init(
            fields.map { field in
                let isNumber = field.name == "lon" || field.name == "lat"
                let number = isNumber ? try? JSONReader.value(Array(field.text.utf8)) : nil
                return (field.name, number ?? .text(field.text))
            })
    }

    private init(_ members: [(name: String, value: JSONValue)]) throws(Problem) {
        var faults: [String] = []
        var numbers: [String: Double] = [:]
        var seen: Set<String> = []
        for (name, value) in members {
            guard seen.insert(name).inserted else {
                faults.append("\(name.prefix(40)) is given twice")
                continue
            }
            switch name {
            case "lon", "lat":
                guard let number = value.decimal?.double else {
                    faults.append("\(name) has to be a number of degrees")
                    continue
                }
                numbers[name] = number
            case "time": Self.read(value, Self.instant, &time) { faults.append("time has to be \(Self.instantRule)") }
            case "expires":
                Self.read(value, Self.instant, &expires) { faults.append("expires has to be \(Self.instantRule)") }
            case "category":
                Self.read(value, { Self.text($0, PinText.categoryLimit, PinText.category) }, &category) {
                    faults.append("category has to be a text of up to \(PinText.categoryLimit) characters, or null")
                }
            case "caption":
                Self.read(value, { Self.text($0, PinText.captionLimit, PinText.caption) }, &caption) {
                    faults.append("caption has to be a text of up to \(PinText.captionLimit) characters, or null")
                }
            case "visibility":
                visibility = value.text.flatMap { PinVisibility(rawValue: $0) }
                if visibility == nil { faults.append("visibility has to be open, here or been") }
            default: faults.append("\(name.prefix(40)) cannot be set")
            }
        }
        if let longitude = numbers["lon"], let latitude = numbers["lat"] {
            place = PinPlace(longitude: longitude, latitude: latitude)
            if place == nil { faults.append("lon and lat have to be degrees, -180 to 180 and -90 to 90") }
        } else if !numbers.isEmpty {
            faults.append("lon and lat have to be given together")
        }
        guard faults.isEmpty else { throw Problem.badRequest(faults.joined(separator: "; ")) }
    }

    private static let instantRule = "an instant such as 2025-03-30T08:00:00Z, or null"

    private static func read<Value>(
        _ value: JSONValue, _ read: (String) -> Value?, _ member: inout PinEdit.Change<Value>, otherwise: () -> Void
    ) {
        if case .none = value {
            member = .set(nil)
        } else if case .text(let text) = value, text.isEmpty || read(text) != nil {
            member = .set(text.isEmpty ? nil : read(text))
        } else {
            otherwise()
        }
    }

    private static func instant(_ text: String) -> Int64? {
        guard case .instant(let instant)? = DateText(text) else { return nil }
        return instant
    }

    private static func text(_ text: String, _ limit: Int, _ normalized: (String) -> String?) -> String? {
        text.unicodeScalars.count <= limit ? normalized(text) : nil
    }

    /// The content of a new pin. Throws a `400` without a place.
    func content(person: String?) throws(Problem) -> PinContent {
        guard let place else { throw Problem.badRequest("lon and lat are missing") }
        var content = PinContent(place, source: .hand, located: .hand)
        content.person = person
        return applied(to: content)
    }

    /// The time of a new pin; nil if none is given.
    var newTime: Int64? {
        if case .set(let value) = time { return value }
        return nil
    }

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
