import Tracks

/// The data of one file in an activity list.
struct ActivityListEntry: Sendable {
    var name: String?
    var kind: String?
    var attributes: [String: String] = [:]

    /// Copies the data into a recording's header.
    ///
    /// Name and activity of the list win, because people rename activities after the upload; attributes of the file
    /// win.
    func describe(_ header: inout RecordingHeader) {
        header.name = name ?? header.name
        header.activity = kind?.lowercased() ?? header.activity
        header.attributes.merge(attributes) { own, _ in own }
    }
}
