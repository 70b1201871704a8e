/// The number of fragments of a tile by activity.
protocol FragmentCounts {
    /// By activity number; index 0 for those without one.
    var fragmentCounts: [Int] { get }
}

extension FragmentCounts {
    /// The total number of fragments.
    var fragmentCount: Int { fragmentCounts.reduce(0, +) }

    /// The numbers of the activities that occur, ascending, without 0.
    var activities: [UInt8] { fragmentCounts.indices.dropFirst().filter { fragmentCounts[$0] > 0 }.map { UInt8($0) } }

    /// The activity that all fragments have, whose layer therefore equals `all`; nil if they differ or one has none.
    var commonActivity: UInt8? {
        let activities = activities
        return activities.count == 1 && fragmentCounts[0] == 0 ? activities[0] : nil
    }
}
