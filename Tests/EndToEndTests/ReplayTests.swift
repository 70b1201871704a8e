import Foundation
import Testing

@Suite struct ReplayTests {
    private func events(_ answer: Answer) -> [String] {
        String(decoding: answer.body, as: UTF8.self).components(separatedBy: "\n\n").filter { $0.hasPrefix("id: ") }
    }

    @Test func `an interrupted replay continues at another server, and equals the command line's`() async throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.sample("city.csv", tracks: 2)).code == 0)
        let query = "/v1/replay?speed=max"
        let first = try Server(fixture)
        let whole = try await first.get(query)
        #expect(whole.status == 200 && whole.headers["content-type"] == "text/event-stream")
        let all = events(whole)
        #expect(all.count > 100)
        first.running.signal(SIGTERM)
        #expect(first.running.ended().code == 0)

        let second = try Server(fixture)
        for index in [0, 1, all.count / 2, all.count - 2] {
            let id = String(all[index].dropFirst(4).prefix { $0 != "\n" })
            let rest = events(try await second.get(query, headers: ["Last-Event-ID": id]))
            #expect(rest == Array(all[(index + 1)...]), "behind event \(index)")
        }
        let last = try #require(all.last)
        let end = String(last.dropFirst(4).prefix { $0 != "\n" })
        #expect(try await second.get(query, headers: ["Last-Event-ID": end]).status == 204)

        let lines = try fixture.run("replay", "--speed", "max")
        #expect(lines.code == 0 && lines.messages == "")
        let played = lines.out.split(separator: "\n").map { $0.components(separatedBy: ",\"data\":")[1].dropLast() }
        #expect(played.map(String.init) == all.map { $0.components(separatedBy: "\ndata: ")[1] })
    }
}
