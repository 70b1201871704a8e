package import Database
package import Tracks

/// The outlier rule in `meta`, and the progress of measuring tracks by it.
package enum OutlierRuleStore {
    /// The name is that of earlier versions, whose libraries have it.
    private static let rule = "cleaning"
    /// The number of the last track that was measured again; present only while some tracks are not measured yet.
    private static let measured = "measured"

    /// How tracks are measured: lengths on the ellipsoid without rests, and runs of jumps, bouncing positions and repeated
    /// points are outliers. Versions before 2 measured lengths on a sphere, or wrote a row `lengths`; version 2 knew
    /// neither rests, bounces, repetitions nor estimated times.
    private static let measurement = "measurement"
    private static let version: Int64 = 5

    /// Whether the library has a rule, and its tracks are measured, or are going to be, as this version does it.
    static func isPrepared(_ session: any Session) throws -> Bool {
        try Meta.text(rule, session) != nil && Meta.integer(measurement, session) == version
    }

    /// Sets the standard rule in a library without one, and has the tracks of an earlier version measured again.
    static func prepare(_ session: any Session) throws {
        if try Meta.text(rule, session) == nil { try set(.standard, session) }
        guard try Meta.integer(measurement, session) != version else { return }
        try set(measuredTo: 0, session)
        try Meta.set(measurement, to: .integer(version), session)
        try session.run("DELETE FROM meta WHERE name = 'lengths'")
    }

    package static func rule(_ session: any Session) throws -> OutlierRule {
        RowCoding.outlierRule(try Meta.text(rule, session))
    }

    static func set(_ new: OutlierRule, _ session: any Session) throws {
        try Meta.set(rule, to: .text(new.text), session)
        try set(measuredTo: 0, session)
    }

    static func measuredTo(_ session: any Session) throws -> Int64? {
        try Meta.integer(measured, session)
    }

    /// nil means that all tracks are measured.
    static func set(measuredTo number: Int64?, _ session: any Session) throws {
        if let number { return try Meta.set(measured, to: .integer(number), session) }
        try session.run("DELETE FROM meta WHERE name = $1", [.text(measured)])
    }
}
