/// Limits of what one request may contain.
enum RecordingLimits {
    /// The largest number of different fields in one request; further ones are refused.
    static let fields = 256
    /// The longest text of a field, in bytes.
    static let textBytes = 10_000
    /// The longest name of a field, in bytes.
    static let nameBytes = 200
    /// The longest name of a device, in bytes.
    static let deviceBytes = 200
    /// The largest number of devices in one request; a phone's batch has one.
    static let devices = 100
}
