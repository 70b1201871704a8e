import Foundation
import Malloc
import Testing

@Suite("What the C library keeps of freed memory")
struct MallocTests {
    #if canImport(Glibc)
        @Test func `Pages between blocks that stay are given back`() throws {
            // Below the size of blocks that are mapped on their own; every other stays, so that the heap cannot shrink.
            let blockBytes = 64 << 10
            var blocks = (0..<2048).map { _ in [UInt8](repeating: 1, count: blockBytes) }
            for index in stride(from: 0, to: blocks.count, by: 2) { blocks[index] = [] }
            let before = try residentBytes()
            #expect(Malloc.releaseFreePages())
            let given = before - (try residentBytes())
            // Half of what was freed: other tests run beside this one.
            #expect(given > 1024 * blockBytes / 2)
            #expect(blocks.count == 2048)
        }

        private func residentBytes() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
            let kibibytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
            return kibibytes << 10
        }
    #endif

    @Test func `Bounding may be asked for again`() {
        #expect(Malloc.bound() == Malloc.bound())
    }
}
