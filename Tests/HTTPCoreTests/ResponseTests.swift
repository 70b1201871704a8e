import Digest
import Foundation
import HTTPCore
import Synchronization
import Testing

@Suite struct ETagTests {
    private func matches(_ header: String) throws -> Bool {
        let tag = try #require(ETag(opaque: "abc"))
        return Request(.get, "/", headers: [(.ifNoneMatch, header)]).alreadyHas(tag)
    }

    @Test(arguments: [
        "\"abc\"", "W/\"abc\"", " \"x\" , W/\"abc\"", "\"a,b\",\"abc\"", "*", " * ", "nonsense, \"abc\"", ",,\"abc\"",
        "\"\",\"abc\"",
    ])
    func `a tag is found weakly, in lists and under a star`(header: String) throws {
        #expect(try matches(header))
    }

    @Test(arguments: ["", "\"abd\"", "abc", "\"abc", "\"ab\",\"c\"", "w/\"x\"", "\"x, abc\"", "**", "\"*\""])
    func `what does not name the tag does not match`(header: String) throws {
        #expect(try !matches(header))
    }

    @Test func `several headers are one list`() throws {
        let tag = try #require(ETag(opaque: "b"))
        let request = Request(.get, "/", headers: [(.ifNoneMatch, "\"a\""), (.ifNoneMatch, "\"b\"")])
        #expect(request.alreadyHas(tag))
    }

    @Test func `tags of digests are quoted, and differ where digests do`() {
        let one = ETag(ContentDigest(of: [1]))
        #expect(one.description.count == 34)
        #expect(one.description.first == "\"" && one.description.last == "\"")
        #expect(one != ETag(ContentDigest(of: [2])))
        #expect(ETag(opaque: "a\"b") == nil && ETag(opaque: "a b") == nil)
    }
}

@Suite struct ProblemTests {
    @Test func `a problem is JSON of RFC 9457 whatever its detail holds`() throws {
        let detail = "\"\\\u{1}\u{7f}\né"
        let response = Problem.badRequest(detail).response
        #expect(response.status == .badRequest)
        #expect(response[.contentType] == "application/problem+json")
        guard case .bytes(let bytes) = response.body else {
            Issue.record("a problem has a body")
            return
        }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(json["detail"] as? String == detail)
        #expect(json["status"] as? Int == 400)
        #expect(json["title"] as? String == "Bad Request")
        #expect(json["type"] as? String == "about:blank")
    }

    @Test func `an unknown error tells nothing`() {
        struct Secret: Error { let path = "/home/ada" }
        let response = Problem.response(to: Secret())
        guard case .bytes(let bytes) = response.body else { return }
        #expect(response.status == .internalServerError)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("ada"))
    }

    @Test func `a header value cannot begin another header`() {
        #expect(ResponseHeader(.eTag, "a\r\nSet-Cookie: b\0").value == "a Set-Cookie: b ")
    }
}

@Suite struct CompletionTests {
    @Test func `the first reply counts`() {
        let statuses = Mutex<[Int]>([])
        let completion = Completion { reply in statuses.withLock { $0.append(reply.response.status.code) } }
        completion(.response(Response(status: .ok)))
        completion(.response(Response(status: .notFound)))
        #expect(statuses.withLock { $0 } == [200])
    }

    @Test func `work that forgets to reply is a 500`() {
        let statuses = Mutex<[Int]>([])
        do {
            _ = Completion { reply in statuses.withLock { $0.append(reply.response.status.code) } }
        }
        #expect(statuses.withLock { $0 } == [500])
    }
}
