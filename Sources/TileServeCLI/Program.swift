import Files
import Foundation
import Malloc

/// The program `tileserve`, from its arguments to its exit code.
public enum Program {
    /// Runs with the arguments, environment, standard streams and signals of the process.
    public static func main() -> Int32 {
        do { try StandardDescriptors.open() } catch { return ExitCode.disk.rawValue }
        Malloc.bound()
        let environment = ProcessInfo.processInfo.environment
        let stop = StopRequest()
        let hangUp = Notifier()
        let signals = Signals(stop: stop, hangUp: hangUp)
        defer { withExtendedLifetime(signals) {} }
        guard let terminal = try? Terminal.standard(environment: environment) else { return ExitCode.disk.rawValue }
        let words = Array(CommandLine.arguments.dropFirst())
        return run(words, environment: environment, terminal: terminal, stop: stop, hangUp: hangUp).rawValue
    }

    /// Runs a command line, given without the program's name.
    public static func run(
        _ words: [String], environment: [String: String], terminal: Terminal, stop: StopRequest,
        hangUp: Notifier = Notifier()
    ) -> ExitCode {
        var commandName = "tileserve"
        do {
            if let text = try screen(for: words, columns: terminal.columns) {
                try terminal.out(text)
                return .done
            }
            let (type, rest) = try Commands.find(words)
            commandName = "tileserve \(type.name)"
            let given = try CommandLineArguments(rest, options: type.screen.options, operands: type.operands)
            let command = try type.init(given, environment: environment)
            return try command.run(
                CommandEnvironment(
                    terminal: terminal, stop: stop, hangUp: hangUp, environment: environment, command: commandName,
                    commands: Commands.list))
        } catch {
            let failure = Failure(error, command: commandName)
            terminal.report(failure.line)
            return failure.code
        }
    }

    /// The help or version text, if it was requested; else nil.
    private static func screen(for words: [String], columns: Int) throws(UsageError) -> String? {
        if words.first == "--version" { return "tileserve \(Version.current)\n" }
        if words.first == "help" {
            return try ProgramHelp.text(about: Array(words.dropFirst().prefix { !$0.hasPrefix("-") }), columns: columns)
        }
        // Arguments after `--` are operands, even if they look like options.
        let asked = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        guard asked else { return nil }
        return ProgramHelp.usage(of: Array(words.prefix { !$0.hasPrefix("-") }))
    }
}
