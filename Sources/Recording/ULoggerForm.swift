/// A request of μlogger (github.com/bfabiszewski/ulogger-android): a form with an `action`. Only `addpos` has a point;
/// its time is in seconds, its speed in m/s.
package enum ULoggerForm {
    /// The values of `action`.
    package enum Action: String, Sendable {
        /// Sends the password.
        case authorize = "auth"
        /// Asks for the number of a new track.
        case addTrack = "addtrack"
        /// Sends a point of a track.
        case addPosition = "addpos"
    }

    /// The form as the parameters of a request.
    package static func parameters(_ body: [UInt8]) -> [(name: String, value: String)] {
        FormParameters.read(body[...])
    }

    /// The action; nil if it is missing or unknown.
    package static func action(_ parameters: [(name: String, value: String)]) -> Action? {
        parameters.first { $0.name == "action" }.flatMap { Action(rawValue: $0.value) }
    }

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        let parameters = try request.allParameters()
        switch action(parameters) {
        case .authorize?, .addTrack?: return RecordingBatch()
        case .addPosition?:
            return UserNamedPoint.readParameters(parameters.filter { $0.name != "action" }, request)
        case nil:
            throw RecordingError(.shape, "the form has no known action; expected auth, addtrack or addpos")
        }
    }
}
