import Database
import Foundation
import HTTPCore
import Locking
import PostgreSQLStorage
import TestPostgreSQL
import Testing
import Tokens

/// A store that fails when a test says so.
private final class FailingStore: TokenStore {
    private let base: TokenTable
    let fails = Locked(false)
    let outageSeconds: Double

    init(_ base: TokenTable, outageSeconds: Double) {
        self.base = base
        self.outageSeconds = outageSeconds
    }

    private func check() throws {
        if fails.withLock({ $0 }) {
            throw StoreError(.cannotOpen, code: "test", message: "the server is away", statement: nil)
        }
    }

    var place: String { base.place }
    func all() throws -> [TokenRecord] {
        try check()
        return try base.all()
    }
    func change<Result>(_ body: (inout [TokenRecord]) throws -> Result) throws -> Result { try base.change(body) }
    func revision() throws -> StoreRevision {
        try check()
        return try base.revision()
    }
}

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct TokenTableTests {
    private let server: PostgreSQLDatabase

    init() throws {
        server = try PostgreSQLServer.shared().makeDatabase()
    }

    /// What a process shares with others.
    private func shared() throws -> any SharedDatabase {
        try #require(PostgreSQLStorage(try PostgreSQLLocation(server.location)).shared)
    }

    @Test func `a token added or removed by one process is known to the others`() throws {
        let (first, second) = (TokenTable(try shared()), TokenTable(try shared()))
        #expect(try second.all().isEmpty)
        let book = try TokenBook(store: second)
        let (viewer, viewerToken) = try first.add(role: .viewer, name: "map", now: 0)
        let (owner, ownerToken) = try first.add(role: .owner, name: nil, now: 1)
        #expect(try second.all() == [viewer, owner])
        book.poll()
        #expect(book.authorization(for: viewerToken.text)?.caller == .viewer)
        #expect(book.authorization(for: ownerToken.text)?.caller == .owner)
        #expect(throws: TokenError.nameTaken("map")) { try second.add(role: .viewer, name: "map", now: 2) }
        #expect(try first.remove("map") == viewer && second.remove("map") == nil)
        book.poll()
        #expect(book.authorization(for: viewerToken.text) == nil)
        #expect(book.authorization(for: ownerToken.text)?.caller == .owner)
        // The last one leaves an empty list, whose revision is new.
        #expect(try second.remove(owner.id) == owner)
        book.poll()
        #expect(book.authorization(for: ownerToken.text) == nil)
    }

    @Test func `tokens added at once are all stored`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                let table = TokenTable(try shared())
                group.addTask { _ = try table.add(role: .viewer, name: nil, now: 0) }
            }
            try await group.waitForAll()
        }
        #expect(try TokenTable(shared()).all().count == 10)
    }

    @Test func `damaged tokens give nobody access`() throws {
        let shared = try shared()
        let table = TokenTable(shared)
        let (_, token) = try table.add(role: .owner, name: "me", now: 0)
        let book = try TokenBook(store: table)
        try shared.changeDocument("tokens") { $0 = Array("{".utf8) }
        #expect(throws: TokenError.damaged(path: table.place)) { try table.all() }
        #expect(throws: TokenError.damaged(path: table.place)) { try table.add(role: .owner, name: nil, now: 0) }
        book.poll()
        #expect(book.authorization(for: token.text) == nil)
    }

    @Test func `while the server is away, tokens are valid for a time`() throws {
        let store = FailingStore(TokenTable(try shared()), outageSeconds: 0.3)
        let (_, token) = try store.add(role: .owner, name: "me", now: 0)
        let errors = Locked(0)
        let book = try TokenBook(store: store) { _ in errors.withLock { $0 += 1 } }
        store.fails.withLock { $0 = true }
        book.poll()
        #expect(book.authorization(for: token.text) != nil)
        Thread.sleep(forTimeInterval: 0.4)
        book.poll()
        #expect(book.authorization(for: token.text) == nil)
        #expect(errors.withLock { $0 } == 1)
        store.fails.withLock { $0 = false }
        book.poll()
        #expect(book.authorization(for: token.text) != nil)
    }
}
