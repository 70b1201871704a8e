import Geocoding
import HTTPCore
import OpenAPI
import Places
package import PrimaryStore
import RequestHandling
import Statistics
package import Text
import TileMath
package import TrackStore
import Tracks

/// A track as in the lists of the server and of the command line.
package struct TrackEntry {
    package let track: Track
    /// The moving time, and the climb in metres, as totals count them for this track alone. Not before the grid has the
    /// track.
    private(set) var movingSeconds: Double?
    private(set) var climb: Double?
    /// Not before the grid has the track.
    private(set) var places: TrackPlaces?
    /// The ids of other tracks of the person at the same time, of which each minute counts once in totals; nil without any.
    package private(set) var sameTimeAs: [String]?

    /// What belongs to the track itself, without what is derived from it and from others, which can change without it.
    private var own: JSONObject {
        var object = JSONObject()
        object.add("id", track.id)
        object.add("name", track.name)
        object.add("source", track.source)
        object.add("person", track.personName)
        object.add("device", track.device)
        object.add("activity", track.activity?.rawValue)
        // The word of the file.
        object.add("activityRecorded", track.activityRecorded)
        object.add("tags", track.tags)
        object.add("start", track.start.map(InstantFormatter.utc))
        object.add("end", track.end.map(InstantFormatter.utc))
        object.add("points", track.points)
        // No receiver is more precise than a decimetre.
        object.add("metres", number: (track.metres * 10).rounded() / 10)
        object.add("seconds", number: track.seconds)
        object.add("bbox", numbers: track.bounds?.degrees)
        return object
    }

    /// The members of the track in lists.
    package var json: JSONObject {
        var object = own
        if let movingSeconds { object.add("movingSeconds", number: movingSeconds) }
        if let climb { object.add("climb", number: climb) }
        if let places { object.add("places", object: places.json) }
        if let sameTimeAs { object.add("sameTimeAs", sameTimeAs) }
        return object
    }

    /// The validator of the track's response: a digest of what belongs to the track itself, and one of all of it.
    var tag: ETag {
        let whole = JSONResponse.tag(of: JSONResponse.response(json))
        return ETag(opaque: ownTag + "-" + whole.opaque.prefix(16)) ?? whole
    }

    private var ownTag: String { JSONResponse.tag(of: JSONResponse.response(own)).opaque }

    /// Throws a `412` if the request has an `If-Match` of another version of the track. Addresses, names of places, and
    /// other tracks may have come since the client read it.
    func checkPrecondition(_ request: Request) throws {
        let own = "\"" + ownTag + "-"
        let tags = (request.headers[.ifMatch] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
        if tags.contains(where: { $0.hasPrefix(own) }) { return }
        try request.checkPrecondition(tag)
    }
}

/// Where a track begins and ends, by the names of the nearest places.
struct TrackPlaces: Equatable {
    /// nil if there is no place near.
    var from: String?
    var to: String?
    /// Whether it comes back to where it began.
    var loop: Bool
    /// The addresses of both ends, as far as they are known, and whose data they are.
    var fromAddress: String?
    var toAddress: String?
    var addressSource: String?

    /// A place names what is not farther away: about the size of a large town.
    private static let nearMetres = 20_000.0
    /// The ends of a loop are not farther apart, about as much as between home and the next bus stop.
    private static let loopEndMetres = 300.0
    /// A shorter track is not a loop, but a place.
    private static let shortestLoopMetres = 1_000.0

    /// nil if there is no place near either end.
    init?(_ ends: TrackEnds, metres: Double, _ addresses: [GeocodingCell: PostalAddress] = [:]) {
        from = Self.name(ends.startLongitude, ends.startLatitude)
        to = Self.name(ends.endLongitude, ends.endLatitude)
        let known = ends.cells.map { cell in cell.flatMap { addresses[$0] } }
        fromAddress = known[0]?.label
        toAddress = known[1]?.label
        let sources = known.compactMap { $0?.source }
        if !sources.isEmpty { addressSource = Set(sources).sorted().joined(separator: "; ") }
        guard from != nil || to != nil || addressSource != nil else { return nil }
        let apart = Geodesy.metres(ends.startLongitude, ends.startLatitude, ends.endLongitude, ends.endLatitude)
        loop = metres >= Self.shortestLoopMetres && apart <= Self.loopEndMetres
    }

    var json: JSONObject {
        var object = JSONObject()
        if let from { object.add("from", from) }
        if let to { object.add("to", to) }
        object.add("loop", loop)
        object.add("source", Gazetteer.source)
        if let fromAddress { object.add("fromAddress", fromAddress) }
        if let toAddress { object.add("toAddress", toAddress) }
        if let addressSource { object.add("addressSource", addressSource) }
        return object
    }

    private static func name(_ longitude: Int32, _ latitude: Int32) -> String? {
        guard let position = GeoPoint(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7) else {
            return nil
        }
        let (index, metres) = Gazetteer.embedded.nearest(to: position)
        return metres <= nearMetres ? Gazetteer.embedded[index].name : nil
    }
}

extension TrackEnds {
    /// The cells of both ends; nil near the poles.
    fileprivate var cells: [GeocodingCell?] {
        [
            GeocodingCell(e7Longitude: startLongitude, latitude: startLatitude),
            GeocodingCell(e7Longitude: endLongitude, latitude: endLatitude),
        ]
    }
}

extension Library {
    /// Tracks as in lists, with the names of their places.
    package func entries(of tracks: [Track]) -> [TrackEntry] {
        let totals = totals(ofTracks: tracks.map(\.number))
        // Lists of tracks do not depend on addresses.
        let cells = totals.values.compactMap(\.ends).flatMap { $0.cells.compactMap { $0 } }
        let addresses = (try? database.addresses(of: cells)) ?? [:]
        let others = (try? database.tracksAtSameTime(as: tracks)) ?? [:]
        return tracks.map { track in
            let own = totals[track.number]
            return TrackEntry(
                track: track,
                movingSeconds: own.map { Double($0.days.reduce(0) { $0 + $1.movingMilliseconds }) / 1000 },
                climb: own.map { Double($0.days.reduce(0) { $0 + $1.climbCentimetres }) / 100 },
                places: own?.ends.flatMap { TrackPlaces($0, metres: track.metres, addresses) },
                sameTimeAs: others[track.number])
        }
    }

    /// A track as in lists, with the names of its places.
    func entry(of track: Track) -> TrackEntry { entries(of: [track])[0] }
}

extension APISchema {
    static let track = object([
        ("id", .text()), ("name", .text().orNull), ("source", .text()), ("person", .text().orNull),
        ("device", .text().orNull), ("activity", .text().orNull), ("activityRecorded", .text().orNull),
        ("tags", .list(.text())), ("start", .text().orNull), ("end", .text().orNull), ("points", .count),
        ("metres", .amount), ("seconds", .amount), ("bbox", .box.orNull), ("movingSeconds?", .amount),
        ("climb?", .amount), ("places?", places), ("sameTimeAs?", .list(.text())),
    ]).named("Track")

    private static let places = object([
        ("from?", .text()), ("to?", .text()), ("loop", .boolean), ("source", .choice([Gazetteer.source])),
        ("fromAddress?", .text()), ("toAddress?", .text()), ("addressSource?", .text()),
    ])
}
