internal import CPostgreSQL

/// The types of parameters and columns that are exchanged in binary form, with their numbers in `pg_type`, which never change.
enum ColumnType: UInt32, Sendable {
    case boolean = 16
    case bytes = 17
    case integer64 = 20
    case integer16 = 21
    case integer32 = 23
    case text = 25
    case real32 = 700
    case real64 = 701
    case name = 19
    /// A text constant to which nothing has given a type.
    case unknown = 705
    case varyingText = 1043
}
