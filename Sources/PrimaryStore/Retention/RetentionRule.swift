package import Database
import Tracks

/// What is removed from tracks as they get old: all points, or all but some.
public struct RetentionRule: Sendable, Equatable {
    /// The tracks that a rule is for.
    public enum Selection: Sendable, Equatable {
        case device(String)
        /// An empty name is the owner of the library.
        case person(String)
        case layer(String)
    }

    public var selection: Selection
    /// How many whole days are kept besides the present one.
    public var days: Int
    /// Milliseconds. Of older points, one is kept of each interval; nil to keep none.
    public var thinning: Int64?

    public static let days = 1...36_500
    /// Two minutes are less than half of the shortest pause that ends a track, so thinning splits none.
    public static let thinning: ClosedRange<Int64> = 2_000...120_000

    public init(_ selection: Selection, days: Int, thinning: Int64? = nil) {
        self.selection = selection
        self.days = days
        self.thinning = thinning
    }
}

/// A rule of a library, with what it has done.
public struct StoredRetentionRule: Sendable, Equatable {
    /// The last run of a rule.
    public struct Run: Sendable, Equatable {
        /// Milliseconds since 1970.
        public var time: Int64
        /// Points before this were removed.
        public var cutoff: Int64
        /// The revision of the library before the run.
        public var revision: Int64

        public init(time: Int64, cutoff: Int64, revision: Int64) {
            self.time = time
            self.cutoff = cutoff
            self.revision = revision
        }
    }

    public let number: Int64
    public let rule: RetentionRule
    /// When it was added, in milliseconds since 1970.
    public let added: Int64
    /// nil before the first run.
    public let lastRun: Run?
    /// The points that all of its runs have removed.
    public let points: Int
}

extension StoredRetentionRule {
    /// A rule that has not been applied yet.
    package init(rule: RetentionRule, number: Int64, added: Int64) {
        self.init(number: number, rule: rule, added: added, lastRun: nil, points: 0)
    }
}

extension TrackSnapshot {
    /// The rules, the oldest first.
    public func retentionRules() throws -> [StoredRetentionRule] {
        try session.rows(
            """
            SELECT number, kind, name, days, thinning, added, run, cutoff, revision, points FROM retention_rule
            ORDER BY number
            """
        ) { row in
            guard let selection = RetentionRule.Selection(kind: row.text(1), name: row.text(2)),
                RetentionRule.days.contains(Int(clamping: row.integer(3)))
            else {
                throw LibraryError.damaged(
                    path: session.databaseName, what: "the retention rule \(row.integer(0)) cannot be read")
            }
            var run: StoredRetentionRule.Run?
            if let time = row.integerOrNil(6), let cutoff = row.integerOrNil(7), let revision = row.integerOrNil(8) {
                run = StoredRetentionRule.Run(time: time, cutoff: cutoff, revision: revision)
            }
            return StoredRetentionRule(
                number: row.integer(0),
                rule: RetentionRule(selection, days: Int(clamping: row.integer(3)), thinning: row.integerOrNil(4)),
                added: row.integer(5), lastRun: run, points: Int(clamping: row.integer(9)))
        }
    }
}

extension TrackDatabase {
    /// The rules, the oldest first.
    public func retentionRules() throws -> [StoredRetentionRule] { try read { try $0.retentionRules() } }

    /// Adds a rule; nothing is removed yet. Returns its number.
    public func add(_ rule: RetentionRule) throws -> Int64 {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction {
                try writer.session.inserted(
                    """
                    INSERT INTO retention_rule (kind, name, days, thinning, added, points) VALUES ($1, $2, $3, $4, $5, 0)
                    RETURNING number
                    """,
                    [
                        .text(rule.selection.kind), .text(rule.selection.name), .integer(rule.days),
                        .integer(orNull: rule.thinning), .integer(writer.now()),
                    ])
            }
        }
    }

    /// Removes a rule; returns it, or nil if there is none with the number. What it has removed stays removed.
    public func removeRetentionRule(_ number: Int64) throws -> StoredRetentionRule? {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> StoredRetentionRule? in
                let rules = try TrackSnapshot(session: writer.session).retentionRules()
                guard let rule = rules.first(where: { $0.number == number }) else { return nil }
                try writer.session.run("DELETE FROM retention_rule WHERE number = $1", [.integer(number)])
                return rule
            }
        }
    }

    /// Records a run of a rule, which has removed `points`.
    package func record(_ run: StoredRetentionRule.Run, ofRule number: Int64, points: Int) throws {
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                try writer.session.run(
                    """
                    UPDATE retention_rule SET run = $1, cutoff = $2, revision = $3, points = points + $4 WHERE number = $5
                    """,
                    [
                        .integer(run.time), .integer(run.cutoff), .integer(run.revision), .integer(points),
                        .integer(number),
                    ])
            }
        }
    }

    /// Takes the lock of those who apply rules; nil if another process has it.
    package func lockForRetention() throws -> (any HeldLock)? {
        try Self.mappingErrors(path) { try database.lockIfFree(.retention) }
    }
}

extension RetentionRule.Selection {
    private enum Kind: String { case device, person, layer }

    public var name: String {
        switch self {
        case .device(let name), .person(let name), .layer(let name): name
        }
    }

    /// The word for the kind of selection.
    public var kind: String {
        switch self {
        case .device: Kind.device.rawValue
        case .person: Kind.person.rawValue
        case .layer: Kind.layer.rawValue
        }
    }

    fileprivate init?(kind: String, name: String) {
        switch Kind(rawValue: kind) {
        case .device?: self = .device(name)
        case .person?: self = .person(name)
        case .layer?: self = .layer(name)
        case nil: return nil
        }
    }
}
