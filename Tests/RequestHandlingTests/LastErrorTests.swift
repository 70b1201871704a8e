import HTTPCore
import Testing

@testable import RequestHandling

@Suite struct LastErrorTests {
    @Test func `the same error is new again only after a success or another error`() {
        let (full, lost) = (Problem.badRequest("full"), Problem.badRequest("lost"))
        var last = LastError()
        #expect(last.isNone)
        var news: [Bool] = []
        for error in [full, full, lost, full] { news.append(last.isNew(error)) }
        #expect(news == [true, false, true, true] && !last.isNone)
        last.clear()
        #expect(last.isNone)
        let isNewAgain = last.isNew(full)
        #expect(isNewAgain)
    }
}
