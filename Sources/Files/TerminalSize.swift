internal import Glibc

/// The size of the terminal to which a standard stream is written.
public enum TerminalSize {
    /// A standard stream.
    public enum Stream: Sendable {
        case output, error

        var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
    }

    /// The width of the terminal in characters, as it is now; nil if the stream is not a terminal, or if the terminal
    /// does not know its width.
    public static func columns(of stream: Stream) -> Int? { columns(ofDescriptor: stream.descriptor) }

    package static func columns(ofDescriptor descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
