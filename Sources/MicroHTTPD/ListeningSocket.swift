import CMicroHTTPD
import Glibc
public import HTTPCore

/// Why a socket could not be bound, or a listener could not be started.
public enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another program listens on this port.
    case portInUse(host: String, port: Int)
    /// The port is below 1024, or the user has no permission for it.
    case notAllowed(host: String, port: Int)
    /// The host is not a name or address of this machine.
    case noSuchHost(String)
    /// The system call failed with this `errno`.
    case system(code: Int32, host: String, port: Int)
    /// What the service manager has passed is not one listening socket.
    case notInherited
    /// libmicrohttpd did not start.
    case notStarted

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "\(host):\(port): the port is in use; stop the other program or choose another --port"
        case .notAllowed(let host, let port):
            "\(host):\(port): permission denied; choose a --port above 1023"
        case .noSuchHost(let host):
            "\(host): not an address of this machine; give --host one of its addresses or names"
        case .system(let code, let host, let port):
            "\(host):\(port): cannot listen (system error \(code)); choose another --host or --port"
        case .notInherited:
            "the service manager did not pass one socket that listens on a TCP port; check the unit of the socket"
        case .notStarted:
            "libmicrohttpd did not start; check the limits of memory and open files"
        }
    }
}

/// A bound, listening socket; a listener gives a duplicate of it to each of its event loops.
///
/// It is bound separately from the listener, so that an occupied port is reported before anything else is opened.
public final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// The requested host.
    public let host: String
    /// The bound address; `isAny` if connections to every address are accepted.
    public let address: IPAddress
    /// The bound port, also if 0 was requested.
    public let port: Int

    /// Binds to `host`, a name or an address, and to `port`; 0 selects a free port.
    public init(host: String, port: Int) throws(ListenError) {
        guard (0...65_535).contains(port) else { throw .noSuchHost("\(host):\(port)") }
        var lastError = ListenError.noSuchHost(host)
        for candidate in Self.candidates(host: host, port: port) {
            do {
                descriptor = try Self.bind(candidate, host: host, port: port)
            } catch {
                lastError = error
                continue
            }
            guard let (address, port) = Self.name(of: descriptor) else {
                // Read before `close`, which sets it, too.
                let code = errno
                close(descriptor)
                throw .system(code: code, host: host, port: port)
            }
            self.host = host
            self.address = address
            self.port = port
            return
        }
        throw lastError
    }

    /// The socket that the service manager has opened for this process (sd_listen_fds(3)): connections wait in it while the
    /// process restarts. nil if there is none. Its requested host is its address.
    public init?(inheritedFrom environment: [String: String]) throws(ListenError) {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap(Int.init), count > 0
        else { return nil }
        let descriptor = Self.firstInherited
        guard count == 1, Self.isListening(descriptor), let (address, port) = Self.name(of: descriptor) else {
            throw .notInherited
        }
        // Not inherited by others, and never waited for by an event loop.
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else { throw .notInherited }
        self.descriptor = descriptor
        self.address = address
        self.port = port
        host = "\(address)"
    }

    /// `SD_LISTEN_FDS_START`
    private static let firstInherited: Int32 = 3

    private static func isListening(_ descriptor: Int32) -> Bool {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
    }

    deinit {
        close(descriptor)
    }

    /// The names under which clients reach this socket: the requested host, and, if other machines can connect, the name
    /// of this machine, alone and in `.local`. On a loopback address, where no token is needed to read, a name that the
    /// network resolves could be made to mean a page of somebody else (DNS rebinding).
    public var names: [String] {
        let requested = IPAddress(host) == nil ? [host] : []
        guard !address.isLoopback, let name = Self.machineName else { return requested }
        let label = String(name.prefix { $0 != "." })
        return requested + [name, label, label + ".local"]
    }

    private static var machineName: String? {
        var bytes = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard unsafe gethostname(&bytes, bytes.count) == 0 else { return nil }
        let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private struct Candidate {
        var family: Int32
        var storage: sockaddr_storage
        var length: socklen_t
    }

    /// The addresses of `host`, IPv4 first: `localhost` has both, and most clients use 127.0.0.1 for it.
    private static func candidates(host: String, port: Int) -> [Candidate] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var result: [Candidate] = []
        var next = unsafe first
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ai_addr {
                var storage = sockaddr_storage()
                let length = unsafe entry.pointee.ai_addrlen
                unsafe withUnsafeMutableBytes(of: &storage) { bytes in
                    unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
                }
                result.append(Candidate(family: unsafe entry.pointee.ai_family, storage: storage, length: length))
            }
            unsafe next = entry.pointee.ai_next
        }
        return result.filter { $0.family == AF_INET } + result.filter { $0.family == AF_INET6 }
    }

    private static func bind(_ candidate: Candidate, host: String, port: Int) throws(ListenError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(candidate.family, kind, 0)
        guard descriptor >= 0 else { throw .system(code: errno, host: host, port: port) }
        // Lets a new server bind while connections of the previous one are in TIME_WAIT; two servers at once stay
        // impossible.
        set(SO_REUSEADDR, at: SOL_SOCKET, to: 1, of: descriptor)
        // `::` also accepts IPv4.
        if candidate.family == AF_INET6 { set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: 0, of: descriptor) }
        var storage = candidate.storage
        let status = unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe Glibc.bind(descriptor, address, candidate.length)
            }
        }
        guard status == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let code = errno
            close(descriptor)
            switch code {
            case EADDRINUSE: throw .portInUse(host: host, port: port)
            case EACCES: throw .notAllowed(host: host, port: port)
            case EADDRNOTAVAIL: throw .noSuchHost(host)
            default: throw .system(code: code, host: host, port: port)
            }
        }
        return descriptor
    }

    private static func set(_ option: Int32, at level: Int32, to value: Int32, of descriptor: Int32) {
        var value = value
        // Errors are ignored: they only narrow what can be bound, and then `bind` fails.
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func name(of descriptor: Int32) -> (address: IPAddress, port: Int)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe getsockname(descriptor, address, &length) == 0 else { return nil }
                return unsafe SocketAddress.read(address)
            }
        }
    }
}

enum SocketAddress {
    /// The address and port in an IPv4 or IPv6 `sockaddr`; nil for other families.
    static func read(_ address: UnsafePointer<sockaddr>) -> (address: IPAddress, port: Int)? {
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                let address = unsafe address.pointee
                return (
                    IPAddress(v4: UInt32(bigEndian: address.sin_addr.s_addr)), Int(UInt16(bigEndian: address.sin_port))
                )
            }
        case AF_INET6:
            return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                var address = unsafe address.pointee
                let port = Int(UInt16(bigEndian: address.sin6_port))
                return unsafe withUnsafeBytes(of: &address.sin6_addr) { bytes in
                    let high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
                    let low = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                    return (IPAddress(high: high, low: low), port)
                }
            }
        default:
            return nil
        }
    }
}
