internal import Glibc

/// The descriptors 0, 1 and 2 of the process.
public enum StandardDescriptors {
    /// Opens the null device in place of standard streams that the parent process has closed (`>&-` of a shell).
    /// Otherwise the next files, sockets and event descriptors would get their numbers, and output would be written to
    /// these, also by C libraries. Reading a stream that was closed finds its end, and output to it is dropped, as output
    /// to a closed pipe is. To be called before anything else opens a descriptor.
    public static func open() throws(FileError) {
        // In this order, because a new descriptor gets the lowest free number. Child processes inherit it.
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            guard unsafe Glibc.open(nullDevice, O_RDWR) == number else { throw FileError("open", nullDevice) }
        }
    }

    private static let nullDevice = "/dev/null"
}
