import Digest
import Testing

@testable import Replay

/// Cursors that readers keep, for example as `Last-Event-ID`: an old one must be understood or rejected, not misread.
@Suite struct KnownCursorTests {
    @Test func `The text of a cursor keeps its value`() throws {
        var frame = ReplayCursor(query: 0x0123_4567_89AB, kind: .frame)
        frame.track = 300
        frame.version = 0xBA98_7654_3210
        frame.instant = 1_559_390_400_250
        frame.ordinal = 4097
        var start = ReplayCursor(query: 0x0123_4567_89AB, kind: .start)
        start.instant = -1
        let end = ReplayCursor(query: 0x0123_4567_89AB, kind: .end)
        let known = [
            (frame, "E6uJZ0UjAawCEDJUdpi69LvJruJagSA"), (start, "EKuJZ0UjAQE"), (end, "F6uJZ0UjAQ"),
        ]
        for (cursor, text) in known {
            #expect(cursor.text == text)
            #expect(ReplayCursor(text) == cursor)
        }
    }

    @Test func `The digest of a query keeps its value`() {
        let all = ReplayQuery(.window(from: nil, to: nil, layer: "all"), pace: .max)
        #expect(
            all.digest.description
                == "28f32987984aa8cbb833e367921945f545e55bd862b2a195688a4d7714ee1080")
    }
}
