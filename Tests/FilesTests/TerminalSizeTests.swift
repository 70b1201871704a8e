import Glibc
import Testing

@testable import Files

@Suite struct TerminalSizeTests {
    private func columns(_ path: String, settingThemTo columns: UInt16? = nil) throws -> Int? {
        let file = try Descriptor(opening: path, O_RDWR | O_NOCTTY)
        if let columns {
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            let status = unsafe ioctl(file.number, UInt(TIOCSWINSZ), &size)
            try #require(status == 0)
        }
        return TerminalSize.columns(ofDescriptor: file.number)
    }

    @Test func `The width of a terminal is its present one, and other files have none`() throws {
        // Each time a new pseudoterminal.
        #expect(try columns("/dev/ptmx") == nil)
        #expect(try columns("/dev/ptmx", settingThemTo: 40) == 40)
        #expect(try columns("/dev/ptmx", settingThemTo: 132) == 132)
        #expect(try columns("/dev/null") == nil)
        #expect(TerminalSize.columns(ofDescriptor: -1) == nil)
    }
}
