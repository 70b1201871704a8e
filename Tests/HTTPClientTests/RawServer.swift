import Dispatch
import Glibc
import Locking

/// A server that answers each connection with the bytes that a test gives it, valid or not.
final class RawServer: Sendable {
    /// What is done with a connection after its request has been read.
    enum Step: Sendable {
        case send(String)
        /// Bytes without end, until the client closes the connection.
        case sendForever(String)
        /// Nothing for some time, in milliseconds.
        case wait(UInt32)
    }

    struct CannotListen: Error {}

    let port: UInt16
    private let descriptor: Int32
    /// The requests so far, as text.
    let requests = Locked<[String]>([])

    init(_ steps: @escaping @Sendable (_ request: String) -> [Step]) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &name) { name in
            unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe bind(descriptor, name, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, name, &size) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw CannotListen()
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: name.sin_port)
        let requests = requests
        DispatchQueue(label: "raw-server", qos: .utility).async {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                let request = Self.request(connection)
                requests.withLock { $0.append(request) }
                for step in steps(request) { Self.run(step, connection) }
                close(connection)
            }
            // Not earlier: another server could get the same number, and this thread would answer for it.
            close(descriptor)
        }
    }

    deinit {
        // Ends `accept`.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The request up to the blank line.
    private static func request(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func run(_ step: Step, _ connection: Int32) {
        switch step {
        case .send(let text): _ = send(text, connection)
        case .sendForever(let text): while send(text, connection) {}
        case .wait(let milliseconds): usleep(milliseconds * 1000)
        }
    }

    /// Whether everything was sent.
    private static func send(_ text: String, _ connection: Int32) -> Bool {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let count = unsafe Glibc.send(connection, rest, rest.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
