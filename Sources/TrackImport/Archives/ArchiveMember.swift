import Archive

/// The unpacked bytes of the current member of an archive.
final class ArchiveMember: ByteSource {
    private let archive: ArchiveReader
    private var isAtEnd = false
    /// The error that ended the reading; nil if there was none.
    private(set) var failure: ImportFailure?

    init(of archive: ArchiveReader) {
        self.archive = archive
    }

    func read() throws -> [UInt8] {
        guard !isAtEnd else { return [] }
        do {
            let block = try archive.read()
            isAtEnd = block.isEmpty
            return block
        } catch {
            isAtEnd = true
            // Not `error`, which would be taken for that of a stream in the member.
            let failure = ImportFailure(error)
            self.failure = failure
            throw failure
        }
    }

    /// Reads the rest, whose errors are those of the member, too.
    func drain() throws {
        while try !read().isEmpty {}
    }
}
