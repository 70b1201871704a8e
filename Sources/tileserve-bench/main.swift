import Foundation

// Nothing else is said at the top level: what is written here belongs to the main actor.
exit(BenchCommand.run(Array(CommandLine.arguments.dropFirst())))
