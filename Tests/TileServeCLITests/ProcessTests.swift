import Locking
import PlaceService
import Testing
import Text
import TrackStore

@testable import TileServeCLI

/// A terminal that records its output, with a clock that only moves when set.
final class Recorder: Sendable {
    private let outText = Locked("")
    private let errText = Locked("")
    private let now = Locked(0.0)
    private let isInteractive: Bool

    init(isInteractive: Bool = false) {
        self.isInteractive = isInteractive
    }

    var out: String { outText.withLock { $0 } }
    var err: String { errText.withLock { $0 } }
    var errLines: [String] { err.split(separator: "\n").map(String.init) }

    func wait(_ seconds: Double) {
        now.withLock { $0 += seconds }
    }

    var terminal: Terminal {
        Terminal(
            out: { text in self.outText.withLock { $0 += text } },
            err: { text in self.errText.withLock { $0 += text } },
            isInteractive: isInteractive, seconds: { self.now.withLock { $0 } })
    }
}

@Suite("Progress, stop requests and failures")
struct ProcessTests {
    @Test("In a log, progress is a line every five seconds with the remaining time")
    func loggedProgress() {
        let recorder = Recorder()
        let progress = Progress(recorder.terminal)
        for step in 1...80 {
            recorder.wait(0.125)
            progress.update(fraction: Double(step) / 160) { "step \(step) after \(Int($0)) s" }
        }
        progress.end()
        #expect(
            recorder.errLines == ["step 40 after 5 s · 25 % · 15 s left", "step 80 after 10 s · 50 % · 10 s left"])
    }

    @Test("On a terminal, progress overwrites its line, hides for other output, and is removed at the end")
    func watchedProgress() {
        let recorder = Recorder(isInteractive: true)
        let progress = Progress(recorder.terminal)
        recorder.wait(0.3)
        progress.update(fraction: nil) { _ in "one" }
        progress.update(fraction: nil) { _ in "too soon" }
        progress.withLineHidden { recorder.terminal.report("said") }
        progress.end()
        #expect(recorder.err == "\r\u{1b}[Kone\r\u{1b}[Ksaid\none\r\u{1b}[K")
    }

    @Test("A stop is requested once, and actions run even if they are added later")
    func stopping() {
        let stop = StopRequest()
        let calls = Locked(0)
        stop.onRequest { calls.withLock { $0 += 1 } }
        #expect(!stop.isRequested)
        #expect(stop.request())
        #expect(!stop.request())
        stop.onRequest { calls.withLock { $0 += 10 } }
        #expect(stop.isRequested)
        #expect(calls.withLock { $0 } == 11)
    }

    @Test("Numbers are formatted for people")
    func words() {
        #expect(
            [0, 999, 1000, 1_234_567, -1000].map { DisplayText.count($0) } == [
                "0", "999", "1,000", "1,234,567", "-1,000",
            ])
        #expect(DisplayText.count(1, "track") == "1 track")
        #expect(DisplayText.count(2000, "track") == "2,000 tracks")
        #expect(
            [3.4, 99, 150, 3700, 90_000, .infinity].map { NumberText.duration($0) } == [
                "3 s", "99 s", "3 min", "62 min", "1 d 1 h", "very long",
            ])
        #expect(
            [0, 999, 1500, 42_000_000, 5_000_000_000_000].map { NumberText.bytes($0) } == [
                "0 B", "999 B", "1.5 kB", "42 MB", "5.0 TB",
            ])
        #expect([0, 830, 12_340, 1_234_000].map { NumberText.metres($0) } == ["0 m", "830 m", "12.3 km", "1,234 km"])
    }

    @Test("An incomplete removal says whether a server or a reader prevented it")
    func removals() {
        #expect(Library.Removal.complete.message("points", in: "lib") == nil)
        #expect(
            Library.Removal.serverUnconfirmed.message("points", in: "lib")
                == "lib: a running server has not confirmed the deletion; restart it to be sure")
        #expect(
            Library.Removal.blockedByReader.message("pins", in: "lib")?.hasPrefix("lib: a reader prevented the pins")
                == true)
    }

    @Test("Texts of files and users cannot break the lines of tables, or control the terminal")
    func tables() {
        let text = "a\u{1b}[2J\nb"
        #expect(TextTable.text([["NAME", "N"], [text, "1"]], numbers: 1..<2) == "NAME     N\na [2J b  1\n")
        #expect(TextTable.details([("name", text), ("time", nil)]) == ["name  a [2J b"])
        let columns = ListColumns(columns: [
            .init(title: "A", width: 3, isNumber: true), .init(title: "B", width: 4, isClipped: true),
            .init(title: "C"),
        ])
        #expect(columns.heading == "  A  B     C")
        #expect(columns.line(["1", "longer", text]) == "  1  lon…  a [2J b")
    }

    @Test("The width is that of the terminal, and of other outputs that of COLUMNS")
    func widths() {
        #expect(Terminal.columns(100, ["COLUMNS": "60"]) == 100)
        #expect(Terminal.columns(nil, ["COLUMNS": "60"]) == 60)
        #expect(Terminal.columns(nil, ["COLUMNS": "wide"]) == 80 && Terminal.columns(nil, [:]) == 80)
        #expect(Terminal.columns(3, [:]) == 20 && Terminal.columns(nil, ["COLUMNS": "-1"]) == 20)
    }

    @Test("A progress line fits into the terminal, also after its window has become narrower")
    func narrowing() {
        let recorder = Recorder(isInteractive: true)
        let terminal = recorder.terminal
        let columns = Locked(60)
        let progress = Progress(
            Terminal(
                out: terminal.out, err: terminal.err, isInteractive: true, messageColumns: { columns.withLock { $0 } },
                seconds: terminal.seconds))
        for width in [60, 30] {
            columns.withLock { $0 = width }
            recorder.wait(1)
            progress.update(fraction: nil) { _ in String(repeating: "x", count: 100) }
            #expect(recorder.err.hasSuffix("\u{1b}[K" + String(repeating: "x", count: width - 1)))
        }
    }

    @Test("Errors are one line with a code")
    func failures() {
        let failure = Failure(UsageError.missingOperand("PATH"), command: "tileserve import")
        #expect(failure.code == .usage)
        #expect(failure.line == "tileserve import: no PATH given; see 'tileserve import --help'")
        #expect(!Failure(Failure(.badData, "a\nb"), command: "x").line.contains("\n"))
        let service = Failure(AddressServiceError("host has answered with status 429"), command: "tileserve serve")
        #expect(service.line == "tileserve serve: addresses: host has answered with status 429")
    }
}
