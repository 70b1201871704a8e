import Files
import Foundation
import PhotoLocating
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileMath
import TrackStore
import Tracks

@testable import PhotoMatching

/// Photos and the tracks of a library.
struct PhotoMatchingTests {
    /// 2025-06-01T10:00:00Z.
    private static let start: Int64 = 1_748_772_000_000

    private let folder = try? TemporaryFolder()

    private func library() throws -> Library { try Library(in: try #require(folder)) }

    private func chunk(
        _ times: [Int64], west: Double = 13.4, accuracy: Int64? = nil, segmentStarts: [Int] = [0]
    ) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 7),
            longitudes: times.map { Int64((west * 1e7).rounded()) + ($0 - Self.start) / 1000 * 100 },
            latitudes: times.map { _ in 525_000_000 }, times: times, segmentStarts: segmentStarts,
            fields: accuracy.map { accuracy in
                let numbers = [Int64](repeating: accuracy, count: times.count)
                return [FieldColumn(name: FieldName.horizontalAccuracy, values: .numbers(places: 1, numbers))]
            } ?? [])
    }

    private func point(_ library: Library, at instant: Int64) throws -> PlaceEstimate? {
        let timelines = try LibraryTimelines(library)
        return try timelines.timelines(in: instant...instant).compactMap { try? $0.place(at: instant).get() }.first
    }

    @Test("The path of a track is the same in any order of its points in the file")
    func unordered() throws {
        let times = (0..<100).map { Self.start + Int64($0) * 10_000 }
        let library = try library()
        try library.database.add([chunk(times)], RecordingHeader(source: "a.gpx"))
        let ordered = try (0..<900).map { try point(library, at: Self.start + Int64($0) * 1000 + 300)?.place }
        let shuffled = try Library(in: try #require(folder), "other")
        try shuffled.database.add([chunk(times.reversed())], RecordingHeader(source: "a.gpx"))
        for index in 0..<900 {
            #expect(try point(shuffled, at: Self.start + Int64(index) * 1000 + 300)?.place == ordered[index])
        }
        #expect(ordered.allSatisfy { $0 != nil })
    }

    @Test("Of a long track, places in and beside pauses of any length are known as of a short one", arguments: 0..<4)
    func longTrack(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let day: Int64 = 86_400_000
        let library = try library()
        // Some minutes of points at the same place, and a pause of up to 10 days.
        var times: [Int64] = []
        var time = Self.start
        for _ in 0..<8 {
            for _ in 0..<20 {
                times.append(time)
                time += Int64.random(in: 1000...60_000, using: &random)
            }
            time += Int64.random(in: 0...(10 * day), using: &random)
        }
        let chunk = PointColumns(
            unit: .decimal(places: 7),
            longitudes: times.map { _ in 134_000_000 + Int64.random(in: 0...50, using: &random) },
            latitudes: times.map { _ in 525_000_000 }, times: times, segmentStarts: [0])
        let order = seed % 2 == 0 ? Array(times.indices) : times.indices.shuffled(using: &random)
        try library.database.add(
            [
                PointColumns(
                    unit: chunk.unit, longitudes: order.map { chunk.longitudes[$0] },
                    latitudes: order.map { chunk.latitudes[$0] }, times: order.map { times[$0] }, segmentStarts: [0])
            ], RecordingHeader(source: "a.gpx"))
        let whole = try LibraryTimelines(library)
        let part = try LibraryTimelines(library)
        part.longestWholeTrack = 10
        var stays = 0
        for _ in 0..<300 {
            let instant = Int64.random(in: (Self.start - 20 * day)...(time + 20 * day), using: &random)
            let (expected, found) = try (
                whole.timelines(in: instant...instant), part.timelines(in: instant...instant)
            )
            #expect(found.map { $0.place(at: instant) } == expected.map { $0.place(at: instant) }, "\(instant)")
            if case .success(let place)? = found.first?.place(at: instant), place.method == .stay { stays += 1 }
            let near = times.filter { abs($0 - instant) <= day }.count
            #expect(found.flatMap(\.paths).map(\.points.count).reduce(0, +) <= near + 2)
        }
        #expect(stays > 20)
    }

    @Test("The recorded accuracy is the radius at a point")
    func accuracy() throws {
        let library = try library()
        let times = (0..<10).map { Self.start + Int64($0) * 10_000 }
        try library.database.add([chunk(times, accuracy: 375)], RecordingHeader(source: "a.gpx"))
        #expect(try point(library, at: times[3])?.radiusMetres == 37.5)
    }

    @Test("Before, between and after tracks the timeline has the tracks on either side, of each person")
    func neighbours() throws {
        let library = try library()
        for (day, person) in [(0, nil), (10, nil), (5, "bea")] as [(Int64, String?)] {
            let times = (0..<10).map { Self.start + day * 86_400_000 + Int64($0) * 10_000 }
            try library.database.add([chunk(times)], RecordingHeader(person: person, source: "\(day).gpx"))
        }
        let instant = Self.start + 5 * 86_400_000 + 35_000
        let all = try LibraryTimelines(library).timelines(in: instant...instant)
        #expect(all.map(\.person) == [nil, "bea"] && all.map(\.paths.count) == [2, 1])
        guard case .failure(.gap) = all[0].place(at: instant) else { return #expect(Bool(false), "no gap") }
        #expect((try? all[1].place(at: instant).get()) != nil)
        let number = try #require(try library.database.persons().first { $0.name == "bea" }?.number)
        let one = try LibraryTimelines(library, person: number).timelines(in: instant...instant)
        #expect(one.map(\.person) == ["bea"])
    }

    @Test("The clock of a camera is learned from photos with the time of a receiver, for photos without")
    func clocks() throws {
        let library = try library()
        let times = (0..<1000).map { Self.start + Int64($0) * 10_000 }
        try library.database.add([chunk(times)], RecordingHeader(source: "a.gpx"))
        // 47 minutes wrong, in no zone.
        let ahead: Int64 = 2_820_000
        var photos = (0..<20).map { index in
            var metadata = PhotoMetadata()
            let instant = Self.start + Int64(index) * 400_000
            metadata.make = "Acme"
            metadata.readings = [ClockReading(shown: instant + ahead, meaning: .local, field: "DateTimeOriginal")]
            if index % 4 == 0 { metadata.stamp.instant = instant }
            return PhotoMatcher.Photo(metadata)
        }
        let zones = PlaceZones()
        func located() throws -> [LocatedPhoto] {
            try PhotoMatcher(library, LibraryTimelines(library), zones: zones).locate(photos)
        }
        for (index, photo) in try located().enumerated() {
            let instant = Self.start + Int64(index) * 400_000
            #expect(photo.best?.instant == instant && photo.best?.timeSource == .camera)
            let longitude = try #require(photo.best?.estimate?.place.longitude)
            #expect(abs(longitude - 13.4 - Double(index) * 4e-3) * 67_700 < 1)
        }
        // Another camera has another clock.
        photos[1].metadata.make = "Other"
        #expect(try located()[1].best?.timeSource != .camera)
    }

    @Test("A GPS time that is further from the clock than any zone does not move it, and the photo says so")
    func unconfirmed() throws {
        var metadata = PhotoMetadata()
        metadata.make = "Acme"
        metadata.readings = [ClockReading(shown: Self.start, meaning: .local, field: "DateTimeOriginal")]
        var other = metadata
        metadata.stamp.instant = Self.start - 40 * 3_600_000
        other.readings[0].shown += 60_000
        let zone = try #require(DayCalendar(zone: "UTC"))
        func located(_ photos: [PhotoMetadata], ahead: Int64? = nil) throws -> [LocatedPhoto] {
            try PhotoMatcher(zone: zone, zones: PlaceZones(), givenAhead: ahead)
                .locate(photos.map { PhotoMatcher.Photo($0) })
        }
        let alone = try located([metadata, other])
        #expect(alone.map { $0.best?.instant } == [Self.start, Self.start + 60_000])
        #expect(alone[0].doubt?.hasPrefix("the GPS time is 40 h before the clock of the camera") == true)
        #expect(alone[1].doubt == nil)
        #expect(try located([metadata], ahead: 0)[0].doubt == nil)
        // Another photo confirms that the clock is wrong.
        other.stamp.instant = Self.start + 60_000 - 40 * 3_600_000
        let both = try located([metadata, other])
        #expect(both.map { $0.best?.instant } == [metadata.stamp.instant, other.stamp.instant])
        #expect(both.allSatisfy { $0.doubt == nil })
    }

    @Test("Zones of places are those of their country, and unknown without the time zone database")
    func zones() throws {
        let zones = PlaceZones()
        guard zones.isUsable else { return }
        for (longitude, latitude, zone) in [
            (13.4, 52.5, "Europe/Berlin"), (-0.1, 51.5, "Europe/London"), (139.7, 35.7, "Asia/Tokyo"),
            (-74.0, 40.7, "America/New_York"), (151.2, -33.9, "Australia/Sydney"), (3.22, 51.21, "Europe/Brussels"),
            (116.4, 39.9, "Asia/Shanghai"), (72.88, 19.08, "Asia/Kolkata"),
        ] {
            let place = try #require(GeoPoint(longitude: longitude, latitude: latitude))
            #expect(zones.calendar(at: place)?.zone == zone)
        }
        let place = try #require(GeoPoint(longitude: 13.4, latitude: 52.5))
        #expect(PlaceZones(table: "/missing/zone.tab").calendar(at: place) == nil)
    }
}
