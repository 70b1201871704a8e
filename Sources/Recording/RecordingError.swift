/// Why a request cannot be decoded, as a sentence for its sender.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// The reason under which it is counted.
    package let kind: RefusalReason
    /// The sentence.
    package let description: String

    init(_ kind: RefusalReason, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
