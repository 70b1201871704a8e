/// A row of a result; columns are numbered from 0.
///
/// Valid only within the closure that gets it: keep the values of its columns, never the row.
public protocol Row: AnyObject {
    /// The number of columns.
    var columnCount: Int { get }

    func isNull(_ column: Int) -> Bool

    /// The column as INTEGER; 0 for NULL.
    func integer(_ column: Int) -> Int64

    /// The column as REAL; 0 for NULL.
    func real(_ column: Int) -> Double

    /// The column as TEXT; empty for NULL.
    func text(_ column: Int) -> String

    /// The column as BLOB, copied; empty for NULL.
    func blob(_ column: Int) -> [UInt8]

    /// The column as it is stored; in a database whose columns have a type each, with that type.
    func value(_ column: Int) -> Value

    /// Passes the bytes of a BLOB to `body` without copying them; an empty span for NULL.
    func withBlob<Result, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension Row {
    /// The column as INTEGER; nil for NULL.
    @inlinable
    public func integerOrNil(_ column: Int) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// The column as TEXT; nil for NULL.
    @inlinable
    public func textOrNil(_ column: Int) -> String? {
        isNull(column) ? nil : text(column)
    }
}
