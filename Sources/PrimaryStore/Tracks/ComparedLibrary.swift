package import Database
package import Pins
package import Tracks

/// The library with which the recordings of a dry run are compared, as it was at the start. Nothing in it is changed.
package protocol ComparedLibrary: Sendable {
    /// Copies what every import needs: settings, persons and devices.
    func copyBasics(into session: any Session) throws
    /// Whether the library has a file recording.
    func has(_ recording: ClosedRecording) throws -> Bool
    /// Whether the library has a pin.
    func has(_ pin: PinID) throws -> Bool
    /// The ids of similar tracks.
    func similarTracks(of summary: TrackSummary, person: Int64) throws -> [String]
    /// Copies the file recordings of a person that start at a time, if they are not copied yet.
    func copyTracks(startingAt start: Int64, person: Int64, into session: any Session) throws
    /// Copies points and tracks of a device's stream, if they are not copied yet.
    func copyStream(of header: RecordingHeader, into session: any Session) throws
}
