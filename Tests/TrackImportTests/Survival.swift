import Testing
import TrackImport
import Tracks

/// Whether every truncation of a file yields the first of its points, and a failure if some are missing.
func handlesTruncation(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let options = ImportOptions(libraryZone: zone("UTC"), workers: 1)
    let whole = imported(bytes, options: options).recordings.flatMap(\.points)
    for length in 0..<bytes.count {
        let result = imported(Array(bytes[..<length]), options: options)
        let points = result.recordings.flatMap(\.points)
        let places = points.map { [$0.longitude, $0.latitude] }
        #expect(result.receipt.failure != nil || points == whole, "\(length)", sourceLocation: sourceLocation)
        #expect(
            places == whole.prefix(points.count).map { [$0.longitude, $0.latitude] }, "\(length)",
            sourceLocation: sourceLocation)
        #expect(result.sink.openCount == 0, "\(length)", sourceLocation: sourceLocation)
    }
}

/// Whether a file with any flipped bits is handled, and leaves no recording open.
func handlesFlippedBits(_ bytes: [UInt8], rounds: Int = 400, sourceLocation: SourceLocation = #_sourceLocation) {
    let options = ImportOptions(libraryZone: zone("UTC"), workers: 1)
    var seed: UInt64 = 0x5EED
    func random(below limit: Int) -> Int {
        // Knuth's MMIX generator; its high bits are the good ones.
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((seed >> 33) % UInt64(limit))
    }
    for round in 0..<rounds {
        var flipped = bytes
        for _ in 0..<(1 + random(below: 4)) { flipped[random(below: bytes.count)] ^= UInt8(1 << random(below: 8)) }
        let result = imported(flipped, options: options)
        #expect(result.sink.openCount == 0, "\(round)", sourceLocation: sourceLocation)
        for point in result.recordings.flatMap(\.points) {
            #expect(
                abs(point.longitude) <= 180_000_000_000 && abs(point.latitude) <= 90_000_000_000, "\(round)",
                sourceLocation: sourceLocation)
        }
    }
}
