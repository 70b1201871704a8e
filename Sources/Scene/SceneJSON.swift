public import Text
import TileMath

extension Scene {
    /// The scene as a page needs it to turn it: corners in metres east and north of the centre, with heights in stretched
    /// metres and the recorded values.
    public var json: JSONObject {
        let metre = Double(WorldPoint.side) / 40_075_016.685_578_5
        func metres(_ units: Double) -> Double { (units / metre * 100).rounded() / 100 }
        func row(_ vertex: Vertex) -> String {
            let east = metres(Double(projection.centre.eastwards(to: vertex.place)))
            let north = metres(Double(projection.centre.y - vertex.place.y))
            let value = vertex.value.map { "\(($0 * 10).rounded() / 10)" } ?? "null"
            return "[\(east),\(north),\(metres(vertex.height)),\(value),\(vertex.time.map { "\($0)" } ?? "null")]"
        }
        var object = JSONObject()
        object.add(
            "centre",
            numbers: [projection.centre.longitude, projection.centre.latitude].map { ($0 * 1e7).rounded() / 1e7 })
        object.add("azimuth", number: view.azimuth)
        object.add("tilt", number: view.tilt)
        object.add("stretch", number: stretch)
        object.add("size", numbers: [Double(view.width), Double(view.height)])
        object.add("range", numbers: range.map { [$0.lowerBound, $0.upperBound] })
        // Pixels for a metre of the map at the equator, of the view as it is asked for.
        object.add("pixelsPerMetre", number: projection.scale * metre)
        object.add("origin", numbers: [projection.origin.x, projection.origin.y])
        object.add(
            "tracks",
            objects: tracks.map { track in
                var object = JSONObject()
                object.add("id", track.id)
                object.add("name", track.name)
                object.add("segments", json: track.segments.map { "[\($0.map(row).joined(separator: ","))]" })
                return object
            })
        object.add(
            "hours",
            objects: hours.map { mark in
                var object = JSONObject()
                object.add("track", mark.track)
                object.add("hour", mark.hour)
                object.add("at", json: [row(mark.vertex)])
                return object
            })
        object.add(
            "posts",
            objects: posts.map { post in
                var object = JSONObject()
                object.add("kind", post.post.kind.rawValue)
                object.add("label", post.post.label)
                let vertex = Vertex(place: post.post.place, height: post.height, value: nil, time: post.post.time)
                object.add("at", json: [row(vertex)])
                return object
            })
        return object
    }
}
