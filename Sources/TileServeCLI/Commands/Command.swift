/// A command of the command line.
protocol Command: Sendable {
    /// What is typed after `tileserve`: words separated by spaces (`tracks list`).
    static var name: String { get }
    /// The help text and the options.
    static var screen: HelpScreen { get }
    /// The operands: arguments that are not options.
    static var operands: Operands { get }

    /// Checks the options; accesses no files, and nothing else outside the arguments.
    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError)

    func run(_ context: CommandEnvironment) throws -> ExitCode
}

/// The environment of a running command.
struct CommandEnvironment: Sendable {
    /// Standard output and standard error.
    var terminal: Terminal
    /// Set by a signal: the command should end soon.
    var stop: StopRequest
    /// Called when log files must be reopened (SIGHUP).
    var hangUp: Notifier
    var environment: [String: String]
    /// The command as typed (`tileserve import`).
    var command: String
    /// All commands.
    var commands: CommandList

    /// Reports that the command was stopped before its end, and returns the exit code for it. `advice` says what is
    /// missing, or how to continue.
    func stopped(_ advice: String? = nil) -> ExitCode {
        let failure = stopFailure(advice)
        terminal.report(failure.line)
        return failure.code
    }

    /// As `stopped`, to be thrown.
    func stopFailure(_ advice: String? = nil) -> Failure {
        Failure(.incomplete, "\(command): stopped" + (advice.map { "; " + $0 } ?? ""))
    }
}
