import Foundation
import Glibc
import Testing

/// An HTTP client that uses one connection per request. URLSession cannot be used: it waits forever for a refused
/// request that asks for a password.
struct RawHTTPClient: Sendable {
    let port: UInt16

    /// Reads from the server at an origin (`http://host:port`); it always connects to this machine's loopback address.
    init(_ origin: String) throws {
        port = try #require(origin.split(separator: ":").last.flatMap { UInt16($0) })
    }

    func ask(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) throws -> Answer {
        var fields = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        if !body.isEmpty { fields["Content-Length"] = "\(body.count)" }
        fields.merge(headers) { $1 }
        let head = fields.map { "\($0): \($1)\r\n" }.sorted().joined()
        let descriptor = try opened()
        defer { Glibc.close(descriptor) }
        let bytes = Array("\(method) \(target) HTTP/1.1\r\n\(head)\r\n".utf8) + body
        var sent = 0
        while sent < bytes.count {
            let rest = Array(bytes[sent...])
            let count = unsafe send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
            // A server that refuses a body answers before it has received all of it.
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return try answer(received)
    }

    private func opened() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &name) { name in
            unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe connect(descriptor, name, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        return descriptor
    }

    private func answer(_ received: [UInt8]) throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        let end = try #require(
            received.indices.first { received[$0...].starts(with: separator) }, "an answer has a head")
        let lines = String(decoding: received[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return Answer(status: status, headers: headers, body: Array(received[(end + separator.count)...]))
    }
}
