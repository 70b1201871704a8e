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
    func `an ETag matches weakly, in lists and with '*'`(header: String) throws {
        #expect(try matches(header))
    }

    @Test(arguments: ["", "\"abd\"", "abc", "\"abc", "\"ab\",\"c\"", "w/\"x\"", "\"x, abc\"", "**", "\"*\""])
    func `other If-None-Match values do not match`(header: String) throws {
        #expect(try !matches(header))
    }

    @Test func `the tag of the compressed form names the same content`() throws {
        let tag = try #require(ETag(opaque: "abc"))
        #expect(tag.compressed.description == "\"abc-gzip\"")
        #expect(try matches("\"abc-gzip\"") && matches("W/\"abc-gzip\""))
        #expect(try !matches("\"abc-gzi\"") && !matches("\"abc-gzipx\"") && !matches("\"abc-\""))
    }

    @Test(arguments: [
        ("\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true), ("\"abc-gzip\"", true), ("W/\"abc\"", false),
        ("\"abd\"", false), ("", false), ("abc", false),
    ])
    func `If-Match compares strongly`(header: String, isCurrent: Bool) throws {
        let tag = try #require(ETag(opaque: "abc"))
        let request = Request(.get, "/", headers: [(.ifMatch, header)])
        do {
            try request.checkPrecondition(tag)
            #expect(isCurrent)
        } catch {
            #expect(!isCurrent && error.status == .preconditionFailed)
        }
        try Request(.get, "/").checkPrecondition(tag)
    }

    @Test func `repeated If-None-Match headers count as one list`() throws {
        let tag = try #require(ETag(opaque: "b"))
        let request = Request(.get, "/", headers: [(.ifNoneMatch, "\"a\""), (.ifNoneMatch, "\"b\"")])
        #expect(request.alreadyHas(tag))
    }

    @Test func `ETags of digests are quoted and differ for different digests`() {
        let one = ETag(ContentDigest(of: [1]))
        #expect(one.description.count == 34)
        #expect(one.description.first == "\"" && one.description.last == "\"")
        #expect(one != ETag(ContentDigest(of: [2])))
        #expect(ETag(opaque: "a\"b") == nil && ETag(opaque: "a b") == nil)
    }
}

@Suite struct ProblemTests {
    @Test func `a problem is valid RFC 9457 JSON for any detail`() throws {
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

    @Test func `an unknown error gives no details`() {
        struct Secret: Error { let path = "/home/ada" }
        let response = Problem.response(to: Secret())
        guard case .bytes(let bytes) = response.body else { return }
        #expect(response.status == .internalServerError)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("ada"))
    }

    @Test func `a header value cannot inject another header`() {
        #expect(ResponseHeader(.eTag, "a\r\nSet-Cookie: b\0").value == "a Set-Cookie: b ")
    }
}

@Suite struct CompletionTests {
    @Test func `only the first reply is sent`() {
        let statuses = Mutex<[Int]>([])
        let completion = Completion { reply in statuses.withLock { $0.append(reply.response.status.code) } }
        completion(.response(Response(status: .ok)))
        completion(.response(Response(status: .notFound)))
        #expect(statuses.withLock { $0 } == [200])
    }

    @Test func `work without a reply is answered with 500`() {
        let statuses = Mutex<[Int]>([])
        do {
            _ = Completion { reply in statuses.withLock { $0.append(reply.response.status.code) } }
        }
        #expect(statuses.withLock { $0 } == [500])
    }
}
