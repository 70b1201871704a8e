import Digest

/// A source that computes the digest of its bytes while they are read.
///
/// It is the BLAKE2b digest of two checksums of each 64 KiB: BLAKE2b of all bytes took 4 % of the time in which GPX is
/// read. Nobody gains from forging it; it only has to tell files apart.
final class DigestedSource: ByteSource {
    private var source: any ByteSource
    private var digester: Digester? = Digester()
    private var result: ContentDigest?
    /// The beginning of a part that is not complete yet: the digest does not depend on the blocks in which bytes arrive.
    private var part: [UInt8] = []

    private static let partSize = 64 << 10

    init(_ source: any ByteSource) {
        self.source = source
    }

    func read() throws -> [UInt8] {
        let block = try source.read()
        block.isEmpty ? end() : add(block)
        return block
    }

    /// The digest of all bytes, the rest of which is read; nil if it cannot be read.
    func digest() -> ContentDigest? {
        do { while try !read().isEmpty {} } catch { return nil }
        return result
    }

    private func add(_ block: [UInt8]) {
        var at = 0
        if !part.isEmpty {
            at = min(Self.partSize - part.count, block.count)
            part.append(contentsOf: block[..<at])
            guard part.count == Self.partSize else { return }
            addPart(part.span)
            part.removeAll(keepingCapacity: true)
        }
        while block.count - at >= Self.partSize {
            addPart(block.span.extracting(at..<(at + Self.partSize)))
            at += Self.partSize
        }
        if at < block.count { part.append(contentsOf: block[at...]) }
    }

    private func addPart(_ bytes: borrowing Span<UInt8>) {
        for seed in 0..<2 as Range<UInt64> {
            var checksum = Checksum64(seed: seed)
            checksum.update(bytes)
            digester?.update(checksum.value)
        }
    }

    private func end() {
        if !part.isEmpty { addPart(part.span) }
        part = []
        if let digester = digester.take() { result = digester.finish() }
    }
}
