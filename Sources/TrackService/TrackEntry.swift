import Geocoding
import HTTPCore
import OpenAPI
import Places
import PrimaryStore
import RequestHandling
import Statistics
import Text
import TileMath
import TrackStore
import Tracks

/// A track as in lists.
struct TrackEntry: Encodable {
    var id: String
    var name: String?
    var source: String
    var person: String?
    var device: String?
    var activity: String?
    /// The word of the file.
    var activityRecorded: String?
    var tags: [String]
    /// RFC 3339.
    var start: String?
    var end: String?
    var points: Int
    var metres: Double
    var seconds: Double
    /// The moving time, and the climb in metres, as totals count them for this track alone. Not before the grid has the
    /// track.
    var movingSeconds: Double?
    var climb: Double?
    /// West, south, east, north.
    var bbox: [Double]?
    /// Not before the grid has the track.
    var places: TrackPlaces?
    /// The ids of other tracks of the person at the same time, of which each minute counts once in totals; nil without any.
    var sameTimeAs: [String]?

    /// The validator of the track's response: a digest of what belongs to the track itself, and one of all of it.
    var tag: ETag {
        get throws {
            let whole = JSONResponse.tag(of: try JSONResponse.response(self))
            return ETag(opaque: try ownTag + "-" + whole.opaque.prefix(16)) ?? whole
        }
    }

    /// A digest of the track without what is derived from it and from others, which can change without the track.
    private var ownTag: String {
        get throws {
            var own = self
            (own.places, own.sameTimeAs, own.movingSeconds, own.climb) = (nil, nil, nil, nil)
            return JSONResponse.tag(of: try JSONResponse.response(own)).opaque
        }
    }

    init(_ track: Track) {
        id = track.id
        name = track.name
        source = track.source
        person = track.personName
        device = track.device
        activity = track.activity?.rawValue
        activityRecorded = track.activityRecorded
        tags = track.tags
        start = track.start.map(InstantFormatter.utc)
        end = track.end.map(InstantFormatter.utc)
        points = track.points
        // No receiver is more precise than a decimetre.
        metres = (track.metres * 10).rounded() / 10
        seconds = track.seconds
        bbox = track.bounds.map { [$0.west, $0.south, $0.east, $0.north].map { Double($0) / 1e7 } }
    }

    /// Throws a `412` if the request has an `If-Match` of another version of the track. Addresses, names of places, and
    /// other tracks may have come since the client read it.
    func checkPrecondition(_ request: Request) throws {
        let own = "\"" + (try ownTag) + "-"
        let tags = (request.headers[.ifMatch] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
        if tags.contains(where: { $0.hasPrefix(own) }) { return }
        try request.checkPrecondition(try tag)
    }
}

/// Where a track begins and ends, by the names of the nearest places.
struct TrackPlaces: Encodable, Equatable {
    /// nil if there is no place near.
    var from: String?
    var to: String?
    /// Whether it comes back to where it began.
    var loop: Bool
    var source = Gazetteer.source
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
    func entries(of tracks: [Track]) -> [TrackEntry] {
        let totals = totals(ofTracks: tracks.map(\.number))
        // Lists of tracks do not depend on addresses.
        let cells = totals.values.compactMap(\.ends).flatMap { $0.cells.compactMap { $0 } }
        let addresses = (try? database.addresses(of: cells)) ?? [:]
        let others = (try? database.tracksAtSameTime(as: tracks)) ?? [:]
        return tracks.map { track in
            var entry = TrackEntry(track)
            entry.sameTimeAs = others[track.number]
            guard let own = totals[track.number] else { return entry }
            entry.places = own.ends.flatMap { TrackPlaces($0, metres: track.metres, addresses) }
            entry.movingSeconds = Double(own.days.reduce(0) { $0 + $1.movingMilliseconds }) / 1000
            entry.climb = Double(own.days.reduce(0) { $0 + $1.climbCentimetres }) / 100
            return entry
        }
    }

    /// A track as in lists, with the names of its places.
    func entry(of track: Track) -> TrackEntry { entries(of: [track])[0] }
}

extension APISchema {
    static let track = object([
        ("id", .text()), ("name?", .text()), ("source", .text()), ("person?", .text()), ("device?", .text()),
        ("activity?", .text()), ("activityRecorded?", .text()), ("tags", .list(.text())), ("start?", .text()),
        ("end?", .text()), ("points", .count), ("metres", .amount), ("seconds", .amount), ("movingSeconds?", .amount),
        ("climb?", .amount), ("bbox?", .box), ("places?", places), ("sameTimeAs?", .list(.text())),
    ]).named("Track")

    private static let places = object([
        ("from?", .text()), ("to?", .text()), ("loop", .boolean), ("source", .choice([Gazetteer.source])),
        ("fromAddress?", .text()), ("toAddress?", .text()), ("addressSource?", .text()),
    ])
}
