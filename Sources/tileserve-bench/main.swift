import Foundation

// One expression only: variables at the top level would belong to the main actor.
exit(BenchCommand.run(Array(CommandLine.arguments.dropFirst())))
