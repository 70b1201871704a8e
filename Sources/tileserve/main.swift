import Foundation
import TileServeCLI

// Nothing else is said at the top level: what is written here belongs to the main actor.
exit(Program.main())
