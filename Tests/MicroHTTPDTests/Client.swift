import Glibc
import Testing

/// One client connection for tests: writes bytes and reads responses.
final class Client {
    struct Timeout: Error {}
    struct Closed: Error {}

    struct Answer {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let descriptor: Int32
    private var received: [UInt8] = []
    private var isOpen = true
    /// Longer than any test should take; a test that reaches it has failed.
    private static let patienceMilliseconds: Int32 = 20_000

    init(port: Int, address: UInt32 = 0x7f00_0001) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(port).bigEndian
        name.sin_addr.s_addr = address.bigEndian
        let status = unsafe withUnsafePointer(to: &name) { name in
            unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe connect(descriptor, name, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            isOpen = false
            throw Closed()
        }
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(descriptor)
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        // Errors are ignored: the test checks the response.
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func get(_ target: String, method: String = "GET", headers: [String] = []) throws -> Answer {
        send(Self.request(target, method: method, headers: headers))
        return try answer(to: method)
    }

    static func request(_ target: String, method: String = "GET", headers: [String] = []) -> String {
        (["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Sends a request with a body of this length.
    func post(_ target: String, _ body: [UInt8], method: String = "POST") throws -> Answer {
        send(Self.request(target, method: method, headers: ["Content-Length: \(body.count)"]))
        send(body)
        return try answer()
    }

    /// The next response; throws `Closed` if the connection ends before it is complete.
    func answer(to method: String = "GET") throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        var end = headEnd(separator)
        while end == nil {
            try receive()
            end = headEnd(separator)
        }
        guard let end else { throw Closed() }
        let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(end + separator.count)
        let statusLine = try #require(lines.first)
        let status = try #require(Int(statusLine.split(separator: " ")[1]))
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let count = method == "HEAD" || status == 304 ? 0 : Int(headers["content-length"] ?? "0") ?? 0
        while received.count < count { try receive() }
        let body = Array(received.prefix(count))
        received.removeFirst(count)
        return Answer(status: status, headers: headers, body: body)
    }

    /// The head of a response whose body has no known length, as text.
    func head() throws -> String {
        let separator = Array("\r\n\r\n".utf8)
        while true {
            if let end = headEnd(separator) {
                defer { received.removeFirst(end + separator.count) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            try receive()
        }
    }

    /// The next chunk of a chunked body; empty at its end.
    func chunk() throws -> [UInt8] {
        let lineEnd = Array("\r\n".utf8)
        while headEnd(lineEnd) == nil { try receive() }
        let end = try #require(headEnd(lineEnd))
        let size = try #require(Int(String(decoding: received[..<end], as: UTF8.self), radix: 16))
        let whole = end + 2 + size + 2
        while received.count < whole { try receive() }
        defer { received.removeFirst(whole) }
        return Array(received[(end + 2)..<(end + 2 + size)])
    }

    /// Reads at least `count` bytes of a chunked body.
    func chunks(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try chunk() }
        return bytes
    }

    /// Waits for the end of the connection; whether the other side has ended it.
    func isClosedByPeer() throws -> Bool {
        do {
            while true { try receive() }
        } catch is Closed {
            return true
        }
    }

    /// Everything received until the other side ends the connection.
    func everything() throws -> String {
        do {
            while true { try receive() }
        } catch is Closed {
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// Whether nothing is received for `milliseconds`.
    func isSilent(milliseconds: Int32) -> Bool {
        received.isEmpty && !isReadable(milliseconds)
    }

    private func headEnd(_ separator: [UInt8]) -> Int? {
        guard received.count >= separator.count else { return nil }
        return (0...(received.count - separator.count)).first { start in
            received[start..<(start + separator.count)].elementsEqual(separator)
        }
    }

    private func isReadable(_ milliseconds: Int32) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, milliseconds) == 1
    }

    private func receive() throws {
        guard isReadable(Self.patienceMilliseconds) else { throw Timeout() }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Closed() }
        received += buffer[..<count]
    }
}
