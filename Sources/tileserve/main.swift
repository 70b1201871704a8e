import Foundation
import TileServeCLI

// Only this statement: variables at the top level would belong to the main actor.
exit(Program.main())
