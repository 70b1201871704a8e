import Foundation
import Testing

@Suite("A socket from the service manager")
struct ActivationTests {
    @Test(arguments: [[], ["--keep-alive"]])
    func `no request is lost while the server restarts`(_ more: [String]) throws {
        let run = Process()
        run.executableURL =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Scripts/check-activation").standardizedFileURL
        run.arguments = ["--program", try BuiltProgram.path(), "--restarts", "5"] + more
        let said = Pipe()
        run.standardOutput = said
        run.standardError = said
        try run.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationStatus == 0, "\(text)")
        #expect(text.contains(", 0 lost"), "\(text)")
    }
}
