import HTTPCore
import Recording

/// Who sends points, and in which format.
struct RecordingSender: Sendable {
    var format: RecordingFormat
    /// The device named in the path.
    var device: String?
    var caller: Caller

    /// The device that points are stored under: the one of the recorder's token, else of the path, else of the
    /// body, else the name of the protocol.
    func name(of named: String?) -> String {
        if case .recorder(let known?, _) = caller { return known }
        return device ?? named ?? format.source
    }

    /// The person whose points they are; nil for the library's owner.
    var person: String? {
        switch caller {
        case .recorder(_, let person): return person
        case .member(let person): return person
        default: return nil
        }
    }
}
