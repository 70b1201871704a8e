import Files
import Foundation
import HTTPCore
import Testing
import Tokens

@Suite struct TokenTests {
    let folder: TemporaryFolder
    let file: TokenFile

    init() throws {
        folder = try TemporaryFolder()
        file = TokenFile(folder: folder.path)
    }

    private func bytes() throws -> String {
        String(decoding: try #require(try AtomicFile.read(file.path)), as: UTF8.self)
    }

    @Test func `tokens are long, unique and need no URL escaping`() {
        let tokens = (0..<1000).map { _ in Token().text }
        #expect(Set(tokens).count == 1000)
        for token in tokens {
            #expect(token.count == 43)
            #expect(
                token.utf8.allSatisfy {
                    UInt8(ascii: "-") == $0 || Character(Unicode.Scalar($0)).isLetter
                        || Character(Unicode.Scalar($0)).isNumber || UInt8(ascii: "_") == $0
                })
        }
    }

    @Test func `a token has the rights of its role, and is not stored in clear`() throws {
        let book = try TokenBook(store: file)
        var tokens: [(String, Authorization)] = []
        for role in TokenRole.allCases {
            let isRecorder = role == .recorder
            let (record, token) = try file.add(
                role: role, name: "the \(role)", device: isRecorder ? "phone" : nil,
                person: isRecorder || role == .member ? "ada" : nil,
                now: 1_700_000_000)
            tokens.append((token.text, record.authorization))
        }
        #expect(book.authorization(for: tokens[0].0) == nil)
        book.poll()
        #expect(
            tokens.map(\.1.caller) == [
                .owner, .member(person: "ada"), .recorder(device: "phone", person: "ada"), .viewer,
            ])
        for (token, authorization) in tokens {
            #expect(book.authorization(for: token) == authorization)
            #expect(!(try bytes()).contains(token))
            for wrong in ["", String(token.dropLast()), token + "A", token.uppercased(), authorization.tokenID] {
                #expect(book.authorization(for: wrong) == nil)
            }
        }
        for record in try file.all() { #expect(book.authorization(for: "\(record.id)") == nil) }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a token for an edition gives no right to the library, and earlier versions refuse it`() throws {
        let book = try TokenBook(store: file)
        _ = try file.add(role: .viewer, name: "all", now: 1)
        #expect(try bytes().contains(#""version" : 1"#))
        let (_, token) = try file.add(role: .viewer, name: "club", edition: "public", now: 1)
        book.poll()
        let authorization = try #require(book.authorization(for: token.text))
        #expect(authorization.caller == .anonymous && authorization.edition == "public")
        // They would take it for a token of a viewer of everything.
        #expect(try bytes().contains(#""version" : 2"#))
        #expect(try file.removeTokens(ofEdition: "public") == 1)
        #expect(try bytes().contains(#""version" : 1"#))
        #expect(try file.all().map(\.name) == ["all"])
    }

    @Test func `a removed token gives no access, and its streams are closed`() throws {
        let (kept, keptToken) = try file.add(role: .viewer, name: "kept", now: 0)
        let (gone, goneToken) = try file.add(role: .viewer, name: nil, now: 0)
        let book = try TokenBook(store: file)
        let keptAuthorization = try #require(book.authorization(for: keptToken.text))
        let removedAuthorization = try #require(book.authorization(for: goneToken.text))
        let channels = (0..<3).map { _ in EventChannel() }
        book.closeWhenRevoked(channels[0], openedBy: keptAuthorization)
        book.closeWhenRevoked(channels[1], openedBy: removedAuthorization)
        #expect(try file.remove(gone.name) == gone)
        #expect(try file.remove(gone.id) == nil)
        book.poll()
        #expect(book.authorization(for: goneToken.text) == nil)
        #expect(book.authorization(for: keptToken.text)?.tokenID == kept.id)
        book.closeWhenRevoked(channels[2], openedBy: removedAuthorization)
        #expect(channels.map(\.isClosed) == [false, true, true])
    }

    @Test func `a running server notices changes of the token file`() async throws {
        let book = try TokenBook(store: file)
        book.start()
        let (record, token) = try file.add(role: .owner, name: "me", now: 0)
        for _ in 0..<200 where book.authorization(for: token.text) == nil {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(book.authorization(for: token.text)?.caller == .owner)
        _ = try file.remove(record.id)
        for _ in 0..<200 where book.authorization(for: token.text) != nil {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(book.authorization(for: token.text) == nil)
    }

    @Test func `a damaged token file gives nobody access until it is repaired`() throws {
        let (_, token) = try file.add(role: .owner, name: "me", now: 0)
        let right = try bytes()
        let told = TokenFile(folder: folder.path)
        let book = try TokenBook(store: file)
        for wrong in ["", "{", "{\"version\":3,\"tokens\":[]}", right.replacingOccurrences(of: "owner", with: "king")] {
            try AtomicFile.write(Array(wrong.utf8), to: file.path)
            book.poll()
            #expect(book.authorization(for: token.text) == nil)
            #expect(throws: TokenError.damaged(path: file.path)) { try told.all() }
            #expect(throws: TokenError.damaged(path: file.path)) { try told.add(role: .owner, name: nil, now: 0) }
            #expect(throws: TokenError.damaged(path: file.path)) { try TokenBook(store: file) }
            try AtomicFile.write(Array(right.utf8), to: file.path)
            book.poll()
            #expect(book.authorization(for: token.text)?.caller == .owner)
        }
        try AtomicFile.remove(file.path)
        book.poll()
        #expect(book.authorization(for: token.text) == nil)
    }

    @Test func `token names are unique`() throws {
        let (record, _) = try file.add(role: .viewer, name: "phone", now: 0)
        #expect(throws: TokenError.nameTaken("phone")) { try file.add(role: .owner, name: "phone", now: 0) }
        #expect(throws: TokenError.nameTaken(record.id)) { try file.add(role: .owner, name: record.id, now: 0) }
        #expect(try file.all() == [record])
    }

    @Test func `tokens added concurrently are all stored`() async throws {
        let tokens = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<40 {
                group.addTask { [file] in try? file.add(role: .viewer, name: nil, now: 0).token.text }
            }
            return await group.reduce(into: [String]()) { tokens, token in tokens += token.map { [$0] } ?? [] }
        }
        let book = try TokenBook(store: file)
        #expect(tokens.count == 40 && tokens.allSatisfy { book.authorization(for: $0)?.caller == .viewer })
        #expect(Set(try file.all().map(\.id)).count == 40)
    }
}
