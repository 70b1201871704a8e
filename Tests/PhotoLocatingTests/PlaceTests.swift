import Foundation
import Places
import TestSupport
import Testing
import TileMath
import Tracks

@testable import PhotoLocating

/// Places from tracks, and times from places.
struct PlaceTests {
    private static let start: Int64 = 1_750_000_000_000

    private static func point(_ seconds: Int, _ longitude: Double, _ latitude: Double, begins: Bool = false)
        -> PathPoint
    {
        PathPoint(
            time: start + Int64(seconds) * 1000, longitude: Int32((longitude * 1e7).rounded()),
            latitude: Int32((latitude * 1e7).rounded()), begins: begins)
    }

    private static func timeline(_ points: [PathPoint]) -> PersonTimeline {
        PersonTimeline(person: nil, paths: [RecordedPath(track: "t", points: points)])
    }

    @Test("A place between two points is on the straight line, within 1 m, at its share of the time")
    func interpolation() throws {
        var random = SeededRandom(seed: 3)
        var points: [PathPoint] = []
        var (longitude, latitude, seconds) = (179.9, 52.0, 0)
        for index in 0..<500 {
            points.append(Self.point(seconds, longitude, latitude, begins: index == 0))
            longitude += Double.random(in: 0...0.001, using: &random)
            if longitude > 180 { longitude -= 360 }
            latitude += Double.random(in: -0.0005...0.0005, using: &random)
            seconds += Int.random(in: 1...60, using: &random)
        }
        let timeline = Self.timeline(points)
        for _ in 0..<1000 {
            let index = Int.random(in: 1..<points.count, using: &random)
            let (early, late) = (points[index - 1], points[index])
            let instant = Int64.random(in: early.time..<late.time, using: &random)
            let share = Double(instant - early.time) / Double(late.time - early.time)
            var east = Double(late.longitude) - Double(early.longitude)
            if east < -1.8e9 { east += 3.6e9 }
            let expected = (Double(early.longitude) + east * share) / 1e7
            let north = (Double(early.latitude) + Double(late.latitude - early.latitude) * share) / 1e7
            let found = try timeline.place(at: instant).get()
            #expect(abs((found.place.longitude - expected).remainder(dividingBy: 360)) * 111_320 < 0.1)
            #expect(abs(found.place.latitude - north) * 111_320 < 0.1)
            #expect(found.method == .track)
            // The radius is never smaller than the accuracy, and never reaches beyond both points.
            let reach = PersonTimeline.receiverMetres + 60 * 200
            #expect(found.radiusMetres >= PersonTimeline.receiverMetres && found.radiusMetres < reach)
        }
    }

    @Test("The radius follows the formula: accuracy, the way that was possible, and the clock's error times the speed")
    func radius() throws {
        // 100 s for 500 m at 5 m/s, and before that 10 s at 20 m/s.
        let degree = 1 / 111_319.49
        let points = [
            Self.point(0, 0, 0, begins: true), Self.point(10, 200 * degree, 0), Self.point(110, 700 * degree, 0),
        ]
        let timeline = Self.timeline(points)
        let at = { (seconds: Int) in Self.start + Int64(seconds) * 1000 }
        let metres = points[1].metres(to: points[2])
        let speed = points[0].metres(to: points[1]) / 10
        let ellipse = ((speed * 100) * (speed * 100) - metres * metres).squareRoot() / 2
        #expect(abs(try timeline.place(at: at(15)).get().radiusMetres - (10 + speed * 5)) < 0.01)
        #expect(abs(try timeline.place(at: at(60)).get().radiusMetres - (10 + min(speed * 50, ellipse))) < 0.01)
        let late = try timeline.place(at: at(15), deviation: 2000).get()
        #expect(abs(late.radiusMetres - (10 + speed * 5 + 2 * speed)) < 0.01)
        #expect(abs(try timeline.place(at: at(110)).get().radiusMetres - 10) < 0.01)
    }

    @Test("Over a gap there is no place, and the reason says from when to when; before and after the tracks too")
    func gaps() {
        let points = [
            Self.point(0, 8, 47, begins: true), Self.point(60, 8.001, 47), Self.point(3600, 8.1, 47, begins: true),
            Self.point(3660, 8.101, 47),
        ]
        let timeline = Self.timeline(points)
        guard case .failure(.gap(let from, let to, let metres)) = timeline.place(at: Self.start + 1_000_000) else {
            return #expect(Bool(false), "a place over a gap")
        }
        #expect(from == points[1].time && to == points[2].time && abs(metres - 7530) < 20)
        #expect(timeline.place(at: Self.start - 1) == .failure(.before(first: points[0].time)))
        #expect(timeline.place(at: Self.start + 3_660_001) == .failure(.after(last: points[3].time)))
        #expect(PersonTimeline(person: nil, paths: []).place(at: Self.start) == .failure(.noTracks))
    }

    @Test("A pause with the same place on both sides is a stay, up to 7 days")
    func stays() throws {
        let week = 7 * 86_400
        for (seconds, isStay) in [(3600, true), (week, true), (week + 61, false)] {
            let points = [
                Self.point(0, 8, 47, begins: true), Self.point(60, 8.001, 47),
                Self.point(60 + seconds, 8.0012, 47, begins: true), Self.point(120 + seconds, 8.002, 47),
            ]
            let found = Self.timeline(points).place(at: Self.start + 1_000_000)
            #expect((try? found.get().method) == (isStay ? .stay : nil), "\(seconds) s")
        }
    }

    // MARK: Zones

    private static func locator(_ timelines: [PersonTimeline], library: String = "UTC") throws -> PhotoLocator {
        return PhotoLocator(
            libraryZone: try #require(DayCalendar(zone: library)),
            zone: {
                DayCalendar(
                    zone: $0.longitude > 5 ? "Europe/Berlin" : $0.longitude > -5 ? "Europe/London" : "Europe/Lisbon")
            },
            timelines: { _ in timelines })
    }

    private static func photo(_ shown: Int64, _ meaning: ClockReading.Meaning = .local) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        metadata.readings = [ClockReading(shown: shown, meaning: meaning, field: "DateTimeOriginal")]
        return metadata
    }

    @Test("The zone of a photo without one is that of the place where the tracks then were")
    func deducedZone() throws {
        // Two days in Berlin, in summer.
        let points = (0..<2880).map { Self.point(60 * $0, 13.4 + Double($0) * 1e-5, 52.5, begins: $0 == 0) }
        let instant = Self.start + 86_400_000
        let answer = try Self.locator([Self.timeline(points)]).locate(.init(Self.photo(instant + 7_200_000)))
        #expect(answer.candidates.map(\.instant) == [instant])
        #expect(answer.best?.zone == "Europe/Berlin" && answer.best?.timeSource == .place)
        let longitude = try #require(answer.best?.estimate?.place.longitude)
        #expect(abs(longitude - 13.4144) < 1e-6)
    }

    @Test("A photo whose only clock is that of its last change has the time of its receiver")
    func changedTime() throws {
        var photo = Self.photo(Self.start + 86_400_000)
        photo.stamp.instant = Self.start
        #expect(PhotoLocator.anchor(photo) != nil)
        photo.readings[0].origin = .changed
        let found = try Self.locator([]).locate(.init(photo))
        #expect(found.best?.instant == Self.start && found.best?.timeSource == .gps)
        #expect(PhotoLocator.anchor(photo) == nil)
    }

    @Test(
        "A reading that is UTC or local time answers both, however the local time is known"
    )
    func utcOrLocal() throws {
        let points = (0..<2880).map { Self.point(60 * $0, 13.4 + Double($0) * 1e-5, 52.5, begins: $0 == 0) }
        let locator = try Self.locator([Self.timeline(points)], library: "Europe/Berlin")
        let hour: Int64 = 3_600_000
        func instants(_ shown: Int64, _ clock: CameraClock? = nil, at place: GeoPoint? = nil) throws -> LocatedPhoto {
            try locator.locate(.init(Self.photo(shown, .utcOrLocal), clock: clock, givenPlace: place))
        }
        // The tracks allow both.
        let shown = Self.start + 86_400_000
        let both = try instants(shown)
        #expect(both.candidates.map(\.instant) == [shown - 2 * hour, shown])
        #expect(both.candidates.map(\.timeSource) == [.place, .utc])
        #expect(both.candidates.allSatisfy { $0.estimate != nil })
        // Only as UTC is it in the time of the tracks.
        let early = try instants(Self.start + hour)
        #expect(early.candidates.map(\.instant) == [Self.start + hour, Self.start - hour])
        #expect(early.candidates.map(\.timeSource) == [.utc, .library])
        // Neither is.
        let far = Self.start + 400 * 86_400_000
        let neither = try instants(far)
        #expect(neither.candidates.map(\.instant) == [far - 2 * hour, far] && neither.reason != nil)
        #expect(neither.candidates.map(\.timeSource) == [.library, .utc])
        let place = try #require(GeoPoint(longitude: 13.4, latitude: 52.5))
        #expect(try instants(shown, at: place).candidates.map(\.instant) == [shown - 2 * hour, shown])
        let clock = CameraClock([ClockAnchor(shown: shown, instant: shown - 7000)])
        #expect(try instants(shown, clock).candidates.map(\.instant) == [shown - 7000, shown])
    }

    @Test("A reading that is UTC or local time is answered once where local time is UTC")
    func utcIsLocal() throws {
        // Lisbon in winter.
        let winter = 180 * 86_400
        let points = (0..<600).map { Self.point(winter + 60 * $0, -9.1, 38.7, begins: $0 == 0) }
        let locator = try Self.locator([Self.timeline(points)])
        let shown = Self.start + Int64(winter + 6000) * 1000
        let metadata = Self.photo(shown, .utcOrLocal)
        let clock = CameraClock([ClockAnchor(shown: shown, instant: shown)])
        let place = GeoPoint(longitude: -9.1, latitude: 38.7)
        for question in [
            PhotoLocator.Question(metadata), .init(metadata, clock: clock), .init(metadata, givenPlace: place),
        ] {
            #expect(try locator.locate(question).candidates.map(\.instant) == [shown])
        }
    }

    @Test("A photo without zone answers all possible readings, if the journey allows several")
    func severalReadings() throws {
        // From Berlin (+2 h) to London (+1 h) within half an hour: the same hour is shown in both.
        var points = (0..<60).map { Self.point(60 * $0, 13.4, 52.5, begins: $0 == 0) }
        points += (0..<240).map { Self.point(5400 + 60 * $0, -0.12, 51.5, begins: $0 == 0) }
        let shown = Self.start + 7_200_000 + 40 * 60_000 + 3_600_000 * 0
        let answer = try Self.locator([Self.timeline(points)]).locate(.init(Self.photo(shown)))
        #expect(Set(answer.candidates.compactMap(\.instant)) == [shown - 7_200_000, shown - 3_600_000])
        #expect(Set(answer.candidates.map(\.zone)) == ["Europe/Berlin", "Europe/London"])
    }

    @Test("The offset of the photo counts before the learned clock, that before the place, and the library's zone last")
    func orderOfSources() throws {
        let points = (0..<2880).map { Self.point(60 * $0, 13.4, 52.5, begins: $0 == 0) }
        let locator = try Self.locator([Self.timeline(points)], library: "Asia/Tokyo")
        let instant = Self.start + 86_400_000
        let clock = CameraClock([ClockAnchor(shown: instant + 100_000, instant: instant)])
        let offset = try locator.locate(.init(Self.photo(instant + 7_200_000, .offset(seconds: 7200)), clock: clock))
        #expect(offset.best?.instant == instant && offset.best?.timeSource == .offset)
        let learned = try locator.locate(.init(Self.photo(instant + 100_000), clock: clock))
        #expect(learned.best?.instant == instant && learned.best?.timeSource == .camera)
        let far = Self.start + 400 * 86_400_000
        let library = try locator.locate(.init(Self.photo(far)))
        #expect(library.best?.instant == far - 9 * 3_600_000 && library.best?.timeSource == .library)
        #expect(library.reason?.hasPrefix("the tracks end earlier") == true)
        let given = try locator.locate(.init(Self.photo(instant + 5000), clock: clock, givenAhead: 5000))
        #expect(given.best?.instant == instant && given.best?.timeSource == .given)
    }

    @Test("An hour that is repeated has two instants, a skipped hour one")
    func clockChanges() throws {
        let berlin = try #require(DayCalendar(zone: "Europe/Berlin"))
        // 2025-10-26T02:30 and 2025-03-30T02:30.
        #expect(PhotoLocator.instants(showing: 1_761_445_800_000, in: berlin).count == 2)
        #expect(PhotoLocator.instants(showing: 1_743_301_800_000, in: berlin) == [1_743_298_200_000])
    }

    @Test("A place given by the user becomes an anchor at the moment when the tracks passed there")
    func givenPlace() throws {
        let points = (0..<600).map { Self.point(10 * $0, 13.4 + Double($0) * 5e-4, 52.5, begins: $0 == 0) }
        let locator = try Self.locator([Self.timeline(points)])
        let place = try #require(GeoPoint(longitude: 13.4 + 300.5 * 5e-4, latitude: 52.5001))
        // The clock is 25 minutes wrong.
        let shown = Self.start + 3_005_000 + 7_200_000 + 1_500_000
        let anchor = try #require(try locator.anchor(shown: shown, at: place))
        #expect(abs(anchor.instant - (Self.start + 3_005_000)) <= 1000)
        let elsewhere = try #require(GeoPoint(longitude: 13.4, latitude: 52.6))
        #expect(try locator.anchor(shown: shown, at: elsewhere) == nil)
    }

    @Test("A step across the meridian on the other side of the Earth does not pass a place")
    func antipode() throws {
        for (longitude, latitude) in [(10.0, 0.0), (10, 40), (0, 0), (-170, 0), (180, 0)] {
            let place = try #require(GeoPoint(longitude: longitude, latitude: latitude))
            let other = longitude > 0 ? longitude - 180 : longitude + 180
            func step(around longitude: Double) throws -> ClockAnchor? {
                let ends = [-0.001, 0.001].map { (longitude + $0).remainder(dividingBy: 360) }
                let points = [Self.point(0, ends[0], latitude, begins: true), Self.point(10, ends[1], latitude)]
                return try Self.locator([Self.timeline(points)]).anchor(shown: Self.start, at: place)
            }
            #expect(try step(around: other) == nil, "\(place)")
            #expect(try step(around: longitude)?.instant == Self.start + 5000, "\(place)")
        }
    }

    @Test("Coordinates of ISO 6709 are latitude first, with or without minutes and seconds")
    func coordinates() {
        let cases: [(String, Double, Double)] = [
            ("+48.8577+002.295+035/", 48.8577, 2.295), ("-3352.5+15112.6/", -33.875, 151.21),
            ("+483030-1223000CRSWGS_84/", 48.508333333, -122.5), ("+27.5916+086.5640+8850CRSWGS_84/", 27.5916, 86.564),
        ]
        for (text, latitude, longitude) in cases {
            let place = ISO6709.place(text)
            #expect(abs((place?.latitude ?? 999) - latitude) < 1e-6, "\(text)")
            #expect(abs((place?.longitude ?? 999) - longitude) < 1e-6, "\(text)")
        }
        for text in ["", "48.8+2.3", "+48.8", "+95.0+002.0/", "+48..8+002", "+4861+00200/", "+1234567+1/"] {
            #expect(ISO6709.place(text) == nil, "\(text)")
        }
    }
}
