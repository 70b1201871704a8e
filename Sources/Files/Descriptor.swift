internal import Glibc

/// An open file descriptor, closed by `deinit`.
struct Descriptor: ~Copyable {
    let number: Int32
    let path: String

    /// Opens a file. With `O_CREAT`, a new or existing file gets the permissions of `access`.
    init(opening path: String, _ flags: Int32, access: FileAccess = .owner) throws(FileError) {
        var number: Int32
        repeat {
            number = unsafe Glibc.open(FileName.systemPath(path), flags | O_CLOEXEC, access.fileMode)
        } while number < 0 && errno == EINTR
        guard number >= 0 else { throw FileError("open", path) }
        // The umask may have removed permissions of the owner. Fails for another user's file, which is ignored.
        if flags & O_CREAT != 0, access == .owner { _ = fchmod(number, access.fileMode) }
        self.number = number
        self.path = path
    }

    /// A duplicate of an open descriptor.
    init(duplicating number: Int32, path: String) throws(FileError) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError("open", path) }
        self.number = copy
        self.path = path
    }

    deinit {
        // Errors are ignored: data that must be durable was synchronised before.
        _ = Glibc.close(number)
    }

    /// Up to `limit` bytes from the current position; empty at the end.
    borrowing func read(upTo limit: Int) throws(FileError) -> [UInt8] {
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var got: Int
            repeat {
                got = unsafe Glibc.read(number, buffer.baseAddress, limit)
            } while got < 0 && errno == EINTR
            failed = got < 0
            count = max(0, got)
        }
        guard !failed else { throw FileError("read", path) }
        return bytes
    }

    /// Whether a read would not wait: there are bytes, the end, or an error.
    borrowing func isReadable(within milliseconds: Int32) -> Bool {
        var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&event, 1, milliseconds)
        return count > 0 || (count < 0 && errno != EINTR)
    }

    borrowing func move(to position: Int64) throws(FileError) {
        guard lseek(number, off_t(position), SEEK_SET) == off_t(position) else { throw FileError("read", path) }
    }

    borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let start = done
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(number, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if written < 0 {
                if errno == EINTR { continue }
                throw FileError("write", path)
            }
            done += written
        }
    }

    borrowing func flushToDisk() throws(FileError) {
        guard fsync(number) == 0 else { throw FileError("fsync", path) }
    }

    borrowing func fileStatus() throws(FileError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw FileError("stat", path) }
        return FileStatus(status)
    }

    /// Calls fsync for the folder of a file or folder, so that its name survives a power failure.
    static func flushFolder(of path: String) throws(FileError) {
        let folder = FileName.parentFolder(of: path)
        let descriptor = try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY)
        // Some file systems do not support fsync of a folder, and do not need it.
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw FileError("fsync", folder) }
    }
}
