import TileLog

/// The share of an operator's layer in a log.
struct LayerShare: Sendable, Equatable {
    /// The sum of its fragments' digests.
    var digest: UInt64 = 0
    /// The number of fragments.
    var fragmentCount = 0
}

/// The result of one pass over the fragment heads of a log.
struct LogStatistics: FragmentCounts {
    private(set) var digest: UInt64 = 0
    /// The number of fragments per activity; index 0 for those without one.
    private(set) var fragmentCounts = [Int](repeating: 0, count: 256)
    /// The share of each requested operator's layer, in the order of the request.
    private(set) var shares: [LayerShare]

    init(_ log: borrowing Span<UInt8>, tracks: GridTracks, layers: [UInt8] = []) {
        let sets = layers.map { tracks.layers[$0] ?? LayerMembers() }
        shares = layers.map { _ in LayerShare() }
        var reader = LogReader(log)
        while let fragment = reader.nextFragment(in: log) {
            let fragmentDigest = tracks.fragmentDigest(fragment.order)
            digest &+= fragmentDigest
            fragmentCounts[Int(tracks.activity(of: fragment.order.track))] += 1
            for index in sets.indices where sets[index].contains(fragment.order.track) {
                shares[index].digest &+= fragmentDigest
                shares[index].fragmentCount += 1
            }
        }
    }
}
