import Digest
import Testing

@Test func `Many numbers at once give the digest of the same numbers one by one`() {
    let words = (0..<1000).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
    var single = Digester()
    single.update("before")
    for word in words { single.update(word) }
    single.update("behind")
    var together = Digester()
    together.update("before")
    together.update(words: Array(words[..<300]))
    together.update(words: [])
    together.update(words: Array(words[300...]))
    together.update("behind")
    let expected = single.finish()
    let given = together.finish()
    #expect(given == expected)
}
