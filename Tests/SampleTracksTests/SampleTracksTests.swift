import Testing
import Tracks

@testable import SampleTracks

@Suite struct SampleTracksTests {
    private static let thousands = Array(SampleTracks(SampleSpec(size: .points(200_000), years: 1)))

    @Test func `Equal seeds give equal tracks`() {
        let spec = SampleSpec(size: .tracks(12), seed: 7, years: 1)
        #expect(Array(SampleTracks(spec)) == Array(SampleTracks(spec)))
        let other = SampleSpec(size: .tracks(12), seed: 8, years: 1)
        #expect(Array(SampleTracks(spec)) != Array(SampleTracks(other)))
    }

    /// Pins the bytes: an intended change of the city changes this number, and every benchmark.
    @Test func `The sample is the same on every machine`() {
        var bytes: [UInt8] = []
        for track in SampleTracks(SampleSpec(size: .points(20_000), seed: 3, years: 2)) {
            SampleText.appendCSV(track, to: &bytes)
        }
        let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(hash == 10_594_286_279_201_457_975)
    }

    @Test(arguments: [1, 999, 20_000]) func `A sample has as many points as wanted`(points: Int) {
        let tracks = SampleTracks(SampleSpec(size: .points(points), years: 1))
        #expect(tracks.reduce(0) { $0 + $1.count } == points)
    }

    @Test func `A sample has as many tracks as wanted`() {
        #expect(Array(SampleTracks(SampleSpec(size: .tracks(25), years: 1))).map(\.number) == Array(1...25))
    }

    @Test func `File names of tracks are unique`() {
        let names = Self.thousands.map { $0.fileName(extension: "gpx") }
        #expect(Set(names).count == names.count)
    }

    @Test func `Times ascend and trips of a resident do not overlap`() {
        var until: [String: Int64] = [:]
        for track in Self.thousands {
            #expect(zip(track.times, track.times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(track.times.allSatisfy { $0 % 1_000 == 0 })
            guard let first = track.times.first, let last = track.times.last else { continue }
            #expect(first > until[track.person] ?? .min, "\(track.fileName(extension: "gpx"))")
            until[track.person] = last
        }
    }

    @Test func `Speeds stay within the limits of activities`() {
        let limits = ["ride": 15.0, "run": 9, "walk": 8, "drive": 40, "train": 70, "flight": 320]
        for track in Self.thousands {
            let limit = limits[track.activity] ?? 0
            for index in 1..<max(1, track.count) {
                let seconds = Double(track.times[index] - track.times[index - 1]) / 1_000
                let east = Double(track.longitudes[index] - track.longitudes[index - 1]) * 0.1112 * 0.628
                let north = Double(track.latitudes[index] - track.latitudes[index - 1]) * 0.1112
                let metres = (east * east + north * north).squareRoot()
                // The position error changes by metres from one second to the next.
                #expect(metres - 12 < limit * seconds, "\(track.fileName(extension: "gpx")) at \(index)")
            }
        }
    }

    @Test func `Chunks hold every point and segment once`() {
        for track in Self.thousands {
            let chunks = track.chunks
            #expect(chunks.flatMap(\.longitudes) == track.longitudes)
            #expect(chunks.flatMap(\.times) == track.times)
            #expect(chunks.allSatisfy { $0.count <= PointChunk.capacity })
            #expect(chunks.reduce(0) { $0 + $1.segmentStarts.count } == track.segmentStarts.count)
            #expect(track.segmentStarts.first == 0)
        }
    }

    @Test func `Residents have several activities`() {
        #expect(Set(Self.thousands.map(\.person)).count >= 4)
        #expect(Set(Self.thousands.map(\.activity)).isSuperset(of: ["ride", "run", "walk"]))
    }

    @Test func `Random numbers are uniform below a bound`() {
        var random = SampleRandom(seed: 1)
        var counts = [Int](repeating: 0, count: 11)
        for _ in 0..<11_000 { counts[random.below(11)] += 1 }
        #expect(counts.allSatisfy { (800...1200).contains($0) }, "\(counts)")
    }

    @Test func `People live in different places`() {
        let starts = Self.thousands.map {
            "\(($0.longitudes.first ?? 0) / 10_000) \(($0.latitudes.first ?? 0) / 10_000)"
        }
        #expect(Set(starts).count >= 4)
    }

    @Test func `Residents reuse streets`() {
        // Distinct places at 1e-4° (about 10 m): far fewer than points, though every point has its own place.
        var places: Set<Int64> = []
        var points = 0
        for track in SampleTracks(SampleSpec(size: .points(200_000), years: 1)) where track.activity == "ride" {
            points += track.count
            for (longitude, latitude) in zip(track.longitudes, track.latitudes) {
                places.insert(longitude / 100 * 1_000_000 + latitude / 100)
            }
        }
        #expect(places.count * 2 < points)
    }

    @Test func `A city on the antimeridian has valid longitudes`() {
        let spec = SampleSpec(size: .points(30_000), years: 1, longitude: 179.99, latitude: -17)
        var sides: Set<Bool> = []
        for track in SampleTracks(spec) {
            #expect(track.longitudes.allSatisfy { abs($0) <= 180_000_000 })
            for longitude in track.longitudes { sides.insert(longitude > 0) }
        }
        #expect(sides.count == 2)
    }
}

@Suite struct SampleTextTests {
    private var track: SampleTrack {
        var track = SampleTrack(number: 3, name: "Run", person: "ada", activity: "run")
        track.longitudes = [-5, 13_405_000, -180_000_000]
        track.latitudes = [0, -52_000_001, 999_999]
        track.elevations = [-3, 0, 1_204]
        track.times = [0, 951_782_400_000, 1_552_810_530_000]
        track.segmentStarts = [0, 2]
        return track
    }

    @Test func `CSV has one line for each point`() {
        var bytes = SampleText.csvHeader
        SampleText.appendCSV(track, to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                time,longitude,latitude,elevation,track,person,activity
                0,-0.000005,0.000000,-0.3,3,ada,run
                951782400,13.405000,-52.000001,0.0,3,ada,run
                1552810530,-180.000000,0.999999,120.4,3,ada,run

                """)
    }

    @Test func `GPX has its segments and times`() {
        let text = String(decoding: SampleText.gpx(track), as: UTF8.self)
        #expect(
            text.contains("<trkpt lat=\"-52.000001\" lon=\"13.405000\"><ele>0.0</ele><time>2000-02-29T00:00:00Z</time>")
        )
        #expect(text.contains("</trkseg>\n<trkseg>\n<trkpt lat=\"0.999999\""))
        #expect(text.contains("2019-03-17T08:15:30Z"))
        #expect(text.hasSuffix("</trkseg>\n</trk>\n</gpx>\n"))
    }

    @Test func `File names contain number, person, activity and day`() {
        #expect(track.fileName(extension: "gpx") == "00003-ada-run-1970-01-01.gpx")
    }
}

@Suite struct ApproximateSineTests {
    @Test func `The approximation is accurate`() {
        #expect(abs(approximateSine(0)) < 1e-12)
        #expect(abs(approximateSine(0.25) - 1) < 0.001)
        #expect(abs(approximateSine(-0.25) + 1) < 0.001)
        #expect(abs(approximateSine(1.0 / 12) - 0.5) < 0.002)
        #expect(abs(approximateSine(7.25) - 1) < 0.001)
    }
}
