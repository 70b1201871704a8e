import Testing

@testable import TileServeCLI

@Suite("Token commands")
struct TokenCommandTests {
    @Test("A token is added, shown once, listed without its text, and removed")
    func life() throws {
        let line = try CommandLineHarness()
        let made = line.run("tokens", "add", "--role", "recorder", "--device", "phone", "--person", "Ada", "my phone")
        #expect(made.code == .done)
        let token = made.out.dropLast()
        #expect(made.out.hasSuffix("\n") && token.count == 43 && !token.contains("\n"))
        #expect(
            made.err.hasPrefix(
                "my phone: the token above is permitted to read, and record for the device 'phone' of 'Ada'"))
        #expect(!made.err.contains(token))
        let unnamed = line.run("tokens", "add", "--role=owner")
        #expect(unnamed.code == .done && unnamed.out != made.out)
        let listed = try line.objects(line.run("tokens", "list", "--json").out)
        #expect(listed.count == 2)
        #expect(listed[0]["name"] as? String == "my phone" && listed[0]["role"] as? String == "recorder")
        #expect(listed[0]["device"] as? String == "phone" && listed[0]["person"] as? String == "Ada")
        #expect(listed[1]["name"] as? String == listed[1]["id"] as? String)
        let text = line.run("tokens", "list")
        #expect(text.out.split(separator: "\n").count == 2 && text.out.contains("may do everything"))
        #expect(!text.out.contains(token))
        let id = try #require(listed[1]["id"] as? String)
        let removed = line.run("tokens", "remove", "my phone", id)
        #expect(
            removed.code == .done && removed.out == "my phone: removed\n\(id): removed\n")
        let none = line.run("tokens", "list")
        #expect(none.code == .done && none.out == "" && none.err.contains("no tokens"))
        #expect(line.run("tokens", "remove", id).code == .noInput)
    }

    @Test(
        "An invalid token definition is refused in one line",
        arguments: [
            (["add"], "'--role' is missing"), (["add", "--role", "king"], "use owner, member, recorder or viewer"),
            (["add", "--role", "viewer", "--device", "phone"], "'--device' is only for recorders"),
            (["add", "--role", "owner", "--person", "Ada"], "'--person' is only for recorders and members"),
            (["add", "--role", "viewer", "a", "b"], "unexpected argument 'b'"),
            (["add", "--role", "viewer", "a\nb"], "is not a valid token name"),
            (["add", "--role", "recorder", "--device", ""], "not a name; write one line of up to 100 characters"),
            (["remove"], "no NAME given"),
            (["ad", "x"], "did you mean 'add'?"),
        ])
    func refused(_ words: [String], _ sentence: String) throws {
        let line = try CommandLineHarness()
        let recorder = Recorder()
        let code = Program.run(
            ["tokens"] + words, environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: StopRequest())
        #expect(code == .usage && recorder.err.contains(sentence), "\(recorder.err)")
        #expect(recorder.err.split(separator: "\n").count == 1)
    }

    @Test("Token names are unique, and removing several reports the missing ones")
    func names() throws {
        let line = try CommandLineHarness()
        #expect(line.run("tokens", "add", "--role", "viewer", "grandma").code == .done)
        let second = line.run("tokens", "add", "--role", "owner", "grandma")
        #expect(second.code == .usage && second.out == "" && second.err.contains("another token has this name"))
        #expect(line.run("tokens", "remove", "grandma", "grandpa").code == .incomplete)
    }

    @Test("The singular of a command group is accepted")
    func aliases() throws {
        let line = try CommandLineHarness()
        #expect(line.run("token", "add", "--role", "viewer", "grandma").code == .done)
        #expect(line.run("token", "list").out == line.run("tokens", "list").out)
        #expect(line.run("track", "list").err == line.run("tracks", "list").err)
        #expect(line.run("layer", "list").out == line.run("layers", "list").out)
    }
}
