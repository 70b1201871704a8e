import Digest
import TestSupport
import Testing
import Tracks

/// Values that are stored in libraries: a change of any of them makes existing libraries unreadable or their digests
/// wrong.
@Suite struct KnownDigestTests {
    private static let points = [
        TestPoint(longitude: 134_000_000, latitude: 525_000_000, time: 1_559_390_400_000, elevation: 345),
        TestPoint(longitude: 134_000_700, latitude: 525_000_100, time: 1_559_390_401_000),
        TestPoint(
            longitude: -1_799_999_999, latitude: -850_511_287, time: nil, elevation: -12, isWaypoint: true,
            beginsSegment: true),
    ]

    @Test func `The digest of a recording keeps its value`() {
        var digest = RecordingDigest()
        for chunk in Self.points.chunks() { digest.add(chunk) }
        #expect(
            digest.finish().description
                == "205bba810b26ba8c854f71f0feb4be116669ead0b761ab2c478b309fc0c6ce44")
        #expect(
            RecordingDigest().finish().description
                == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
    }

    @Test func `The bytes of a stored chunk keep their values`() throws {
        let chunk = try #require(Self.points.chunks().first)
        #expect(
            chunk.encoded().hexadecimal
                == "010307020002000201d00f80b8c9aee25a0280b6e57ff80af588b4b40e80f5d6f403c801b58de59f0a0203656c65000100010101b205c9"
                + "05046d61726b0000020102")
    }
}
