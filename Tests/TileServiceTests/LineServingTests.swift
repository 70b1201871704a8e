import Files
import Foundation
import HTTPCore
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackQuery
import Tracks

@testable import TrackStore

/// Lines and points of layers and of partial days, compared with libraries that contain nothing else.
@Suite(.eachStore) struct LineServingTests {
    /// Points of a synthetic ride, by second.
    private func points(
        _ seconds: Range<Int64>, day: Int64 = 0, latitude: Int64 = 525_000_000, climbs: Bool = true,
        waypoints: Set<Int64> = []
    ) -> PointColumns {
        var fields: [FieldColumn] = []
        if climbs {
            let numbers = seconds.map { $0 * 40 }
            fields.append(FieldColumn(name: FieldName.elevation, values: .numbers(places: 0, numbers)))
        }
        if !waypoints.isEmpty {
            let numbers = seconds.map { waypoints.contains($0) ? 1 : FieldColumn.absent }
            fields.append(FieldColumn(name: FieldName.waypoint, values: .numbers(places: 0, numbers)))
        }
        return PointColumns(
            unit: .decimal(places: 7), longitudes: seconds.map { 134_000_000 + $0 * 700 + $0 * $0 },
            latitudes: seconds.map { latitude + $0 % 7 * 100 },
            times: seconds.map { (Town.firstDay + day * 86_400 + $0) * 1000 }, segmentStarts: [0], fields: fields)
    }

    private func store(_ chunk: PointColumns, activity: String? = nil, device: String? = nil, in library: Library)
        throws
    {
        try library.database.add([chunk], RecordingHeader(activity: activity, device: device, source: "a.gpx"))
        try library.catchUp()
    }

    /// The path of the tile that contains the place of the ride at a second.
    private func path(_ zoom: Int, style: String, second: Int64 = 20) throws -> String {
        let longitude = Double(134_000_000 + second * 700 + second * second) / 1e7
        let tile = try Town.tile(zoom, longitude: longitude, latitude: 52.5 + Double(second % 7) * 1e-5)
        return "/tiles/\(style)/\(zoom)/\(tile.x)/\(tile.y)"
    }

    @Test(arguments: ["tracks", "tracks-speed", "tracks-elevation", "points"])
    func `an operator's layer has the lines and points of a library with only its tracks`(style: String) throws {
        let place = try TemporaryFolder()
        let (town, own) = (try Library(in: place, "town"), try Library(in: place, "own"))
        for day in Int64(0)..<3 {
            let ride = points(0..<60, day: day, latitude: 525_000_000 + day * 3000)
            try store(ride, activity: day == 1 ? "walk" : "ride", in: town)
            if day != 1 { try store(ride, activity: "ride", in: own) }
        }
        _ = try town.database.addLayer(name: "mine", condition: try TrackCondition(parsing: "not activity = walk"))
        try town.catchUp()
        try town.finishLayers()
        let (server, alone) = (try town.server(), try own.server())
        var differing = 0
        for zoom in [0, 9, 14, 15, 16, 17, 18, 19, 22] {
            let path = try path(zoom, style: style)
            for ending in [".png", "@2x.png"] {
                let mine = server.get("\(path)\(ending)?layer=mine")
                #expect(mine.status == .ok)
                #expect(mine.bytes.shown == alone.get(path + ending).bytes.shown, "\(zoom)\(ending)")
                if mine.bytes.shown != server.get(path + ending).bytes.shown { differing += 1 }
            }
        }
        #expect(differing > 2)
    }

    @Test(arguments: ["tracks", "tracks-speed", "tracks-elevation", "points"])
    func `a window of instants has the lines and points of a library with only the points between them`(style: String)
        throws
    {
        let place = try TemporaryFolder()
        let (town, own) = (try Library(in: place, "town"), try Library(in: place, "own"))
        try store(points(0..<60), in: town)
        // The line continues to the cut, which is the place at exactly that second.
        try store(points(style == "points" ? 10..<31 : 10..<32), in: own)
        let (server, alone) = (try town.server(), try own.server())
        let window = "from=2019-06-01T12:00:10Z&to=2019-06-01T12:00:31Z"
        // Points of a style that also draws lines end one second earlier than the lines.
        for second in style == "points" ? [Int64(11), 20] : [Int64(10), 11, 20, 30] {
            for zoom in [19, 20, 22] {
                let path = try path(zoom, style: style, second: second)
                let part = server.get("\(path).png?\(window)")
                #expect(part.status == .ok && part.bytes.count > 116)
                #expect(part.bytes.shown == alone.get("\(path).png").bytes.shown, "\(zoom), second \(second)")
            }
        }
        let outside = server.get("\(try path(20, style: style, second: 45)).png?\(window)")
        #expect(outside.bytes.count == 116)
        // Two adjacent windows together show the whole.
        let all = try path(19, style: style, second: 20)
        #expect(
            server.get("\(all).png?from=2019-06-01T11:59:00Z&to=2019-06-01T12:01:00Z").bytes.shown
                == server.get("\(all).png").bytes.shown)
    }

    @Test(arguments: [nil, "watch"] as [String?])
    func `waypoints and elevations added later give the pictures and ETags of a library that had them from the start`(
        device: String?
    ) throws {
        let place = try TemporaryFolder()
        for (style, later) in [
            ("points", points(0..<60, climbs: false, waypoints: [20])), ("tracks-elevation", points(0..<60)),
        ] {
            let (town, own) = (try Library(in: place, "town-\(style)"), try Library(in: place, "own-\(style)"))
            try store(points(0..<60, climbs: false), device: device, in: town)
            try store(later, device: device, in: own)
            let server = try town.server()
            let path = try path(17, style: style) + ".png"
            let before = server.get(path)
            try store(later, device: device, in: town)
            server.poll()
            let after = server.get(path, [(.ifNoneMatch, before[.eTag] ?? "")])
            #expect(after.status == .ok && after.bytes != before.bytes, "\(style)")
            let alone = try own.server().get(path)
            #expect(after[.eTag] == alone[.eTag], "\(style)")
            #expect(after.bytes.shown == alone.bytes.shown, "\(style)")
            // The partial day is read with the same seeds.
            #expect(server.get("\(path)?to=2019-06-01T12:00:30Z").status == .ok)
            #expect(try town.verify().isEmpty)
        }
    }
}
