import Digest

/// A source that computes the digest of its bytes while they are read.
final class DigestedSource: ByteSource {
    private var source: any ByteSource
    private var digester: Digester? = Digester()
    private var result: ContentDigest?

    init(_ source: any ByteSource) {
        self.source = source
    }

    func read() throws -> [UInt8] {
        let block = try source.read()
        if block.isEmpty {
            if let digester = digester.take() { result = digester.finish() }
        } else {
            digester?.update(bytes: block)
        }
        return block
    }

    /// The digest of all bytes, the rest of which is read; nil if it cannot be read.
    func digest() -> ContentDigest? {
        do { while try !read().isEmpty {} } catch { return nil }
        return result
    }
}
