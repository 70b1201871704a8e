import Foundation
import Testing

@Suite("Addresses by the built server") struct GeocodingServeTests {
    @Test func `Kills and a service that fails lose no address, and none is asked for twice`() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Scripts/kill-geocoding").standardizedFileURL
        let run = Process()
        run.executableURL = script
        run.arguments = ["--kills", "1", "--tracks", "2", "--program", try BuiltProgram.path()]
        let said = Pipe()
        run.standardOutput = said
        try run.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationStatus == 0, "\(text)")
        #expect(text.contains("4 of 4 addresses"), "\(text)")
    }
}
