import CSodium

/// Computes a BLAKE2b digest incrementally.
///
/// Numbers are added as 8 little-endian bytes and strings with their length first, so that two different sequences of
/// values never give the same bytes. Safe: the state belongs to one digester and lives as long as it.
@safe
public struct Digester: ~Copyable {
    // The C header aligns the state to 64 bytes, which Swift cannot express, so it is allocated here as opaque memory.
    private let memory: UnsafeMutableRawPointer
    private var pending: [UInt8] = []

    /// Numbers are buffered up to this many bytes before libsodium is called.
    private static let pendingLimit = 4096

    /// Creates a digester of no data.
    public init() {
        unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        let status = unsafe crypto_generichash_init(OpaquePointer(memory), nil, 0, ContentDigest.byteCount)
        precondition(status == 0, "libsodium refused to begin a digest of 32 bytes")
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Adds bytes as they are, without their count.
    public mutating func update(bytes: [UInt8]) {
        if bytes.count + pending.count <= Self.pendingLimit {
            pending.append(contentsOf: bytes)
            return
        }
        flush()
        feed(bytes)
    }

    /// Adds a number as 8 little-endian bytes.
    public mutating func update(_ number: Int64) {
        if pending.count + 8 > Self.pendingLimit { flush() }
        var rest = UInt64(bitPattern: number)
        for _ in 0..<8 {
            pending.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Adds a number as 8 little-endian bytes.
    public mutating func update(_ number: UInt64) {
        update(Int64(bitPattern: number))
    }

    /// Adds a number as 8 little-endian bytes.
    public mutating func update(_ number: Int) {
        update(Int64(number))
    }

    /// Adds the count of UTF-8 bytes, then the bytes.
    public mutating func update(_ text: String) {
        let bytes = Array(text.utf8)
        update(bytes.count)
        update(bytes: bytes)
    }

    /// Adds numbers, each as 8 little-endian bytes; faster for many numbers.
    public mutating func update(words: [UInt64]) {
        flush()
        let ordered = UInt64(1).littleEndian == 1 ? words : words.map(\.littleEndian)
        let status = unsafe ordered.withUnsafeBytes { buffer in
            unsafe crypto_generichash_update(
                OpaquePointer(memory), buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(buffer.count))
        }
        precondition(status == 0, "libsodium refused to go on with a digest")
    }

    /// Adds another digest's 32 bytes.
    public mutating func update(_ digest: ContentDigest) {
        update(bytes: digest.bytes)
    }

    /// The digest of everything added.
    public consuming func finish() -> ContentDigest {
        flush()
        var output = [UInt8](repeating: 0, count: ContentDigest.byteCount)
        let status = unsafe output.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return Int32(-1) }
            return unsafe crypto_generichash_final(OpaquePointer(memory), start, buffer.count)
        }
        guard status == 0, let digest = ContentDigest(bytes: output) else {
            preconditionFailure("libsodium refused to end a digest of 32 bytes")
        }
        return digest
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        feed(pending)
        pending.removeAll(keepingCapacity: true)
    }

    private func feed(_ bytes: [UInt8]) {
        let status = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe crypto_generichash_update(OpaquePointer(memory), buffer.baseAddress, UInt64(buffer.count))
        }
        precondition(status == 0, "libsodium refused to go on with a digest")
    }
}

extension ContentDigest {
    /// The digest of `bytes` alone.
    public init(of bytes: [UInt8]) {
        var digester = Digester()
        digester.update(bytes: bytes)
        self = digester.finish()
    }
}
