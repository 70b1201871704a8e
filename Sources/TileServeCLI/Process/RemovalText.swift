import TrackStore

extension Library.Removal {
    /// The message about a removal that is not complete; nil if it is. `content` says what was removed (`points`).
    func message(_ content: String, in folder: String) -> String? {
        switch self {
        case .complete: nil
        case .serverUnconfirmed: "\(folder): a running server has not confirmed the deletion; restart it to be sure"
        case .blockedByReader:
            "\(folder): a reader prevented the \(content) from being overwritten on disk; this is done when the library is next opened"
        }
    }
}
