import Files
import Foundation
import Testing

/// The built binaries, found beside the test bundle.
enum BuiltProgram {
    /// The folder of the package's products.
    static func path(of name: String = "tileserve") throws -> String {
        let places: [String?] = [
            CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path },
            Bundle.main.bundlePath, Bundle.main.executableURL.map { $0.deletingLastPathComponent().path },
        ]
        let found = places.compactMap { $0 }.map { $0 + "/" + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        return try #require(found, "\(name) is built beside the tests: \(places)")
    }
}

/// A finished run of the binary: its output and exit status.
struct Ended {
    var code: Int32
    var wasKilled: Bool
    var out: String
    var err: String

    /// Its messages on the error output. Progress, which commands report there when they take some seconds, is none.
    var messages: String { Self.messages(in: err) }

    /// The lines of an error output that are not progress.
    static func messages(in text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasSuffix(" %") && !$0.hasSuffix(" left") }.joined(separator: "\n")
    }
}

/// A running process of the binary.
final class Running {
    private let process = Process()
    private let outPath: String
    private let errPath: String
    private let input: FileHandle

    /// Starts the binary; `folder` is where its output is stored, and its `HOME`; `limitBytes` limits the size of the files that it
    /// writes; `redirections` are those of a shell.
    init(
        _ words: [String], program: String = "tileserve", library: String, folder: String, input: String? = nil,
        out: String? = nil, limitBytes: Int? = nil, redirections: String? = nil
    ) throws {
        let name = folder + "/run-\(UInt32.random(in: 0...UInt32.max))"
        outPath = out ?? name + ".out"
        errPath = name + ".err"
        for path in [outPath, errPath] where !FileManager.default.fileExists(atPath: path) {
            try AtomicFile.write([], to: path, durability: .cached)
        }
        let path = try BuiltProgram.path(of: program)
        process.executableURL = URL(fileURLWithPath: limitBytes == nil ? path : "/usr/bin/prlimit")
        process.arguments = (limitBytes.map { ["--fsize=\($0)", path] } ?? []) + words
        if let redirections {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "exec \"$0\" \"$@\" \(redirections)", path] + words
        }
        process.environment = ["TILESERVE_LIBRARY": library, "HOME": folder, "TZ": "Europe/Zurich"]
        self.input = try #require(FileHandle(forReadingAtPath: input ?? "/dev/null"))
        process.standardInput = self.input
        process.standardOutput = FileHandle(forWritingAtPath: outPath)
        process.standardError = FileHandle(forWritingAtPath: errPath)
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var out: String { text(outPath) }
    var err: String { text(errPath) }
    var isRunning: Bool { process.isRunning }

    /// The process id.
    var processID: Int32 { process.processIdentifier }

    /// Sends it a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits until it has exited.
    func ended() -> Ended {
        process.waitUntilExit()
        return Ended(
            code: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal, out: out, err: err
        )
    }

    /// Waits until it has exited; for outputs that cannot be read afterwards.
    func exitCode() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func text(_ path: String) -> String {
        (try? AtomicFile.read(path)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Waits until the condition holds; false if it does not within far more time than it should take.
func eventually(_ seconds: Double = 20, _ holds: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if try holds() { return true }
        Thread.sleep(forTimeInterval: 0.01)
    }
    return try holds()
}
