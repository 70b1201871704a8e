import Editions
import HTTPCore
import Links
import PrimaryStore
import RequestHandling
import Text
import TileMath
import Tracks

/// A link as a client asks for it.
struct LinkBody {
    let label: String
    let kind: LinkKind
    let subject: LinkSubject
    /// In seconds since 1970; nil if it does not expire.
    let expires: Int64?
    let password: String?
    /// Whether programs that show previews of links get a picture.
    let hasPreview: Bool

    /// More tracks are a layer.
    private static let trackLimit = 10_000
    private static let longestSeconds: Int64 = 100 * 366 * 86_400

    /// Throws a `400` that names what is wrong. `now` is in milliseconds since 1970.
    init(_ bytes: [UInt8], calendar: DayCalendar, now: Int64) throws(Problem) {
        var members = try BodyMembers(bytes)
        label =
            members.value("label", "a text of 1 to \(LinkRequest.textLimit) characters", isRequired: true, Self.text)
            ?? ""
        let edition = members.value("edition", "the name of an edition", Self.text)
        let tracks = members.value("tracks", "a list of 1 to \(Self.trackLimit) ids of tracks, each once") {
            value -> [String]? in
            guard case .list(let elements) = value, (1...Self.trackLimit).contains(elements.count) else { return nil }
            let ids = elements.compactMap(Self.text)
            return ids.count == elements.count && Set(ids).count == ids.count ? ids : nil
        }
        let layer = members.value("layer", "the name of a layer", Self.text)
        var rule = EditionRule()
        rule.from = members.value("from", "a day such as 2025-03-30", Self.day)
        rule.to = members.value("to", "a day such as 2025-03-30", Self.day)
        if members.value("sinceNow", "true or false", Self.bool) == true { rule.since = now }
        rule.isLive = members.value("live", "true or false", Self.bool) ?? false
        // Whoever chooses tracks has looked at them; a layer goes on with what is recorded tomorrow.
        rule.delayDays =
            members.value("delayDays", "a number of days from 0 to \(EditionRule.delayDays.upperBound)", Self.days)
            ?? (tracks == nil && rule.since == nil && !rule.isLive ? EditionRule.defaultDelayDays : 0)
        rule.keepsNames = members.value("names", "true or false", Self.bool) ?? false
        let zones = members.value(
            "zones",
            "a list of {\"lon\", \"lat\", \"radiusMetres\"} with radii of \(PrivacyZone.radii.lowerBound) to "
                + "\(PrivacyZone.radii.upperBound) m", Self.zones)
        kind = members.value("tiles", "true or false", Self.bool) == true ? .tiles : .page
        let standard = now / 1000 + LinkRequest.standardSeconds
        let end = members.value("expires", "an instant after now, a day, or \"never\"") { value -> Int64?? in
            Self.expiry(value, calendar, now: now / 1000)
        }
        expires = end ?? standard
        hasPreview = members.value("preview", "true or false", Self.bool) ?? false
        password = members.value("password", "a text of 1 to \(LinkRequest.textLimit) characters", Self.text)
        let subjects: [LinkSubject.Content] = [
            edition.map { .edition($0) }, tracks.map { .tracks($0) }, layer.map { .layer($0) },
        ].compactMap { $0 }
        if subjects.count != 1 { members.addFault("give one of edition, tracks and layer") }
        if edition != nil {
            for name in ["from", "to", "sinceNow", "live", "delayDays", "names", "zones"] where members.has(name) {
                members.addFault("\(name) belongs to an edition, and this one exists already")
            }
        }
        if rule.isLive, layer == nil { members.addFault("live needs a layer") }
        if rule.isLive, rule.delayDays > 0 { members.addFault("live and delayDays exclude each other") }
        if hasPreview, kind == .tiles || password != nil {
            members.addFault("preview excludes tiles and password: everybody may see the picture")
        }
        if kind == .tiles, password != nil {
            members.addFault("tiles and password exclude each other: map programs ask for no password")
        }
        if let from = rule.from, let to = rule.to, from.daysSince1970 > to.daysSince1970 {
            members.addFault("from has to be before to")
        }
        try members.check()
        subject = LinkSubject(subjects.first ?? .layer(LayerDefinition.everything), rule: rule, zones: zones ?? [])
    }

    // MARK: Members

    private static func text(_ value: JSONValue) -> String? {
        guard case .text(let text) = value, (1...LinkRequest.textLimit).contains(text.count) else { return nil }
        return text
    }

    private static func bool(_ value: JSONValue) -> Bool? {
        guard case .bool(let bool) = value else { return nil }
        return bool
    }

    private static func day(_ value: JSONValue) -> CivilDay? {
        guard case .text(let text) = value else { return nil }
        return DateText.day(in: text)
    }

    private static func days(_ value: JSONValue) -> Int? {
        guard let number = value.decimal, let days = Int(exactly: number.double) else { return nil }
        return EditionRule.delayDays.contains(days) ? days : nil
    }

    private static func zones(_ value: JSONValue) -> [RequestedZone]? {
        guard case .list(let elements) = value else { return nil }
        let zones = elements.compactMap { element -> RequestedZone? in
            guard let longitude = element["lon"]?.decimal?.double, let latitude = element["lat"]?.decimal?.double,
                let place = GeoPoint(longitude: longitude, latitude: latitude),
                let radius = element["radiusMetres"]?.decimal.flatMap({ Int(exactly: $0.double) })
            else { return nil }
            return RequestedZone(at: place, radiusMetres: radius)
        }
        return zones.count == elements.count ? zones : nil
    }

    /// In seconds since 1970, the outer nil for what is not valid, the inner one for a link that does not expire.
    private static func expiry(_ value: JSONValue, _ calendar: DayCalendar, now: Int64) -> Int64?? {
        guard case .text(let text) = value else { return nil }
        if text == "never" { return .some(nil) }
        guard let end = DateText(text)?.end(in: calendar) else { return nil }
        let seconds = end / 1000
        return seconds > now && seconds - now <= longestSeconds ? .some(seconds) : nil
    }
}
