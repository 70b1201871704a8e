public import Tracks

/// A sink that stores pins besides recordings.
public protocol PinSink: RecordingSink {
    /// Ends a list of pins of a file. They are stored when `store` of the result is called.
    func end(_ pins: [PinContent]) throws -> any EndedRecording
}
