import TrackStore

extension Library.Removal {
    /// Whether something is still to be done.
    var isPending: Bool {
        switch self {
        case .complete, .deleted: false
        case .serverUnconfirmed, .blockedByReader: true
        }
    }

    /// The message about a removal of which something is left; nil if it is complete. `content` says what was removed (`points`).
    func message(_ content: String, in name: String) -> String? {
        switch self {
        case .complete: nil
        case .deleted:
            "\(name): the \(content) are deleted, but not overwritten: files, log and backups of the database server hold them until these are used again"
        case .serverUnconfirmed: "\(name): a running server has not confirmed the deletion; restart it to be sure"
        case .blockedByReader:
            "\(name): a reader prevented the \(content) from being overwritten on disk; this is done when the library is next opened"
        }
    }
}
