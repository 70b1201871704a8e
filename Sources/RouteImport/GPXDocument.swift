import TileMath

/// A point of GPX that may be a place of a route.
struct GPXPlace {
    var point: GeoPoint
    var name: String?
    var description: String?
    /// `cmt`, `type`, `sym`: of other programs.
    var comment: String?
    var type: String?
    var symbol: String?
    /// What our own exports say; see `RouteGPXNames`.
    var tags: [String] = []
    var credit: String?
    var seconds: Int?
    /// The position in the route, from 1.
    var number: Int?

    init(_ point: GeoPoint) { self.point = point }
}

/// A `rte` or `trk` of GPX.
struct GPXLine {
    var name: String?
    var level: Int?
    var isSingle = false
    var points: [GeoPoint] = []
    /// The points of a `rte` with a name.
    var places: [GPXPlace] = []
}

/// What a GPX file says about routes.
struct GPXDocument {
    var name: String?
    var routes: [GPXLine] = []
    var tracks: [GPXLine] = []
    var waypoints: [GPXPlace] = []
}
