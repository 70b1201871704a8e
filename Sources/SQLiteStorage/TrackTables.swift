internal import Database
internal import SQLite

/// The tables of `tracks.sqlite`, and the steps that upgrade older versions.
enum TrackTables {
    static let definition = TableDefinition(
        // "tsrv" in ASCII: identifies the database as one of tileserve.
        applicationID: 0x7473_7276, version: LibraryTables.tracksVersion, steps: steps, summed: summed)

    /// `steps[n]` upgrades from version n to n + 1.
    static let steps: [[String]] = [
        first, second, third, fourth, sums, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, thirteenth,
        fourteenth, fifteenth, sixteenth, seventeenth, eighteenth, nineteenth, twentieth,
    ]

    /// State: 0 live, 1 removed and waiting to be erased, 2 provisional (a recording that is still being read).
    private static let first = [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
        "CREATE TABLE person (number INTEGER PRIMARY KEY, name TEXT UNIQUE)",
        "INSERT INTO person VALUES (1, NULL)",
        """
        CREATE TABLE stream (
            number INTEGER PRIMARY KEY, person INTEGER NOT NULL, device TEXT NOT NULL, gap INTEGER NOT NULL,
            name TEXT, activity TEXT, source TEXT NOT NULL, notes TEXT, UNIQUE (person, device))
        """,
        """
        CREATE TABLE track (
            number INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL, id TEXT UNIQUE, person INTEGER,
            stream INTEGER, digest BLOB, name TEXT, activity TEXT, source TEXT, device TEXT, notes TEXT, gap INTEGER,
            start INTEGER, finish INTEGER, span INTEGER, points INTEGER, untimed INTEGER, marked TEXT, metres REAL,
            west INTEGER, south INTEGER, east INTEGER, north INTEGER, long_segments TEXT, anchor INTEGER,
            session TEXT)
        """,
        "CREATE TABLE activity (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        "CREATE UNIQUE INDEX track_digest ON track (person, digest) WHERE state = 0 AND stream IS NULL",
        "CREATE INDEX track_start ON track (start, number) WHERE state = 0",
        "CREATE INDEX track_span ON track (person, span, start) WHERE state = 0",
        "CREATE INDEX track_stream ON track (stream, start) WHERE state = 0 AND stream IS NOT NULL",
        "CREATE INDEX track_waiting ON track (state) WHERE state <> 0",
        "CREATE TABLE chunk (key INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
        """
        CREATE TABLE stream_chunk (
            number INTEGER PRIMARY KEY, stream INTEGER NOT NULL, first_time INTEGER NOT NULL,
            last_time INTEGER NOT NULL, first_east INTEGER NOT NULL, first_north INTEGER NOT NULL,
            points INTEGER NOT NULL, bytes BLOB NOT NULL)
        """,
        "CREATE INDEX stream_order ON stream_chunk (stream, last_time, first_time, first_east, first_north)",
        "CREATE TABLE alias (id TEXT PRIMARY KEY, track INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE INDEX alias_track ON alias (track)",
        "CREATE TABLE change (revision INTEGER PRIMARY KEY, time INTEGER NOT NULL, tracks BLOB NOT NULL, digest BLOB NOT NULL)",
    ]

    /// Layers of the operator, and the owner's edits of tracks, which are stored beside what was recorded.
    private static let second = [
        "CREATE TABLE layer (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, condition TEXT NOT NULL)",
        "CREATE TABLE edit (track INTEGER PRIMARY KEY, name TEXT, activity TEXT)",
        "CREATE TABLE tag (track INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (track, name)) WITHOUT ROWID",
    ]

    /// Imports, and which import added which recording. What was stored before has import number 0.
    private static let third = [
        "CREATE TABLE import (number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, given TEXT NOT NULL)",
        """
        CREATE TABLE import_file (
            import INTEGER NOT NULL, ordinal INTEGER NOT NULL, receipt TEXT NOT NULL, PRIMARY KEY (import, ordinal))
            WITHOUT ROWID
        """,
        "CREATE TABLE content (number INTEGER PRIMARY KEY AUTOINCREMENT)",
        """
        CREATE TABLE source (
            track INTEGER NOT NULL, import INTEGER NOT NULL, content INTEGER, name TEXT, activity TEXT,
            source TEXT NOT NULL, device TEXT, notes TEXT, gap INTEGER NOT NULL, PRIMARY KEY (track, import))
            WITHOUT ROWID
        """,
        "CREATE INDEX source_import ON source (import, track)",
        """
        CREATE TABLE stream_source (
            stream INTEGER NOT NULL, import INTEGER NOT NULL, content INTEGER, name TEXT, activity TEXT,
            source TEXT NOT NULL, notes TEXT, gap INTEGER NOT NULL, PRIMARY KEY (stream, import)) WITHOUT ROWID
        """,
        """
        INSERT INTO source SELECT number, 0, NULL, name, activity, source, device, notes, gap FROM track
        WHERE state = 0 AND stream IS NULL
        """,
        "INSERT INTO stream_source SELECT number, 0, NULL, name, activity, source, notes, gap FROM stream",
    ]

    /// Changes of heading that devices record. They have rows of their own because any number of them may lie between
    /// two points.
    private static let fourth = [
        """
        CREATE TABLE IF NOT EXISTS heading (
            stream INTEGER NOT NULL, time INTEGER NOT NULL, mantissa INTEGER NOT NULL, places INTEGER NOT NULL,
            id TEXT NOT NULL, PRIMARY KEY (stream, time, mantissa, places, id)) WITHOUT ROWID
        """
    ]

    /// Sums of rows, with which `verify` detects altered rows. The sums of rows that exist already are computed
    /// afterwards in short transactions, see `Session.checksumRows`.
    private static let sums = ["DROP TABLE IF EXISTS row_sum", ChecksummedTable.schema, ChecksummedTable.pendingRowSQL]

    /// Imports that added only the first points of a recording, which another import completed.
    private static let sixth = [
        """
        CREATE TABLE IF NOT EXISTS source_beginning (
            track INTEGER NOT NULL, import INTEGER NOT NULL, points INTEGER NOT NULL, PRIMARY KEY (track, import))
            WITHOUT ROWID
        """
    ]

    /// Pins, and the origins of each of them: an import, or 0 for a pin that was made in this library, or a track with
    /// a waypoint as its negative number. A pin without an origin does not exist. State: 0 live, 1 a waypoint that
    /// was removed from the pins while its track was kept. `category` is the one that was set; `shown` is the one that
    /// lists and tiles select by.
    private static let seventh = [
        """
        CREATE TABLE IF NOT EXISTS pin (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, state INTEGER NOT NULL,
            person INTEGER NOT NULL, longitude INTEGER NOT NULL, latitude INTEGER NOT NULL, time INTEGER,
            category TEXT, shown TEXT, caption TEXT, source TEXT NOT NULL, located TEXT NOT NULL, photo TEXT, expires INTEGER,
            visibility TEXT NOT NULL, created INTEGER NOT NULL, notes TEXT)
        """,
        "CREATE INDEX IF NOT EXISTS pin_time ON pin (time, number)",
        """
        CREATE TABLE IF NOT EXISTS pin_origin (
            pin INTEGER NOT NULL, origin INTEGER NOT NULL, notes TEXT, PRIMARY KEY (pin, origin)) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS pin_origin_origin ON pin_origin (origin, pin)",
    ]

    /// What persons do with pins, and the pins that reports have hidden.
    private static let eighth = [
        "CREATE TABLE IF NOT EXISTS pin_hidden (pin INTEGER PRIMARY KEY)",
        """
        CREATE TABLE IF NOT EXISTS pin_vote (
            pin INTEGER NOT NULL, person INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (pin, person))
            WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS pin_report (
            pin INTEGER NOT NULL, person INTEGER NOT NULL, time INTEGER NOT NULL, reason TEXT,
            handled INTEGER NOT NULL, PRIMARY KEY (pin, person)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS pin_comment (
            number INTEGER PRIMARY KEY AUTOINCREMENT, pin INTEGER NOT NULL, person INTEGER NOT NULL,
            time INTEGER NOT NULL, text TEXT NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS pin_comment_pin ON pin_comment (pin, number)",
    ]

    /// Photos by the digests of their originals, their pictures in parts (`size`: 0 original, 1 thumb, 2 screen), and the
    /// pins that show them.
    private static let ninth = [
        """
        CREATE TABLE IF NOT EXISTS photo (
            number INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, type TEXT NOT NULL,
            bytes INTEGER NOT NULL, width INTEGER, height INTEGER, orientation INTEGER NOT NULL, camera TEXT)
        """,
        """
        CREATE TABLE IF NOT EXISTS photo_part (
            number INTEGER PRIMARY KEY AUTOINCREMENT, photo INTEGER NOT NULL, size INTEGER NOT NULL,
            ordinal INTEGER NOT NULL, bytes BLOB NOT NULL)
        """,
        "CREATE UNIQUE INDEX IF NOT EXISTS photo_part_order ON photo_part (photo, size, ordinal)",
        """
        CREATE TABLE IF NOT EXISTS pin_photo (
            pin INTEGER PRIMARY KEY, photo INTEGER NOT NULL, method TEXT NOT NULL, radius REAL)
        """,
        "CREATE INDEX IF NOT EXISTS pin_photo_photo ON pin_photo (photo)",
        "CREATE INDEX IF NOT EXISTS pin_photo_time ON pin (time, number) WHERE photo IS NOT NULL",
    ]

    /// Addresses of places, by cell, from a service or from a track (`track`), and the cells that are still to be asked
    /// for. State: 0 waiting until `due`, 1 found, 2 none known, 3 failed.
    private static let tenth = [
        """
        CREATE TABLE IF NOT EXISTS address (
            cell INTEGER PRIMARY KEY, state INTEGER NOT NULL, tries INTEGER NOT NULL, due INTEGER NOT NULL,
            label TEXT, place TEXT, region TEXT, country TEXT, longitude INTEGER, latitude INTEGER, source TEXT,
            track INTEGER)
        """,
        "CREATE INDEX IF NOT EXISTS address_due ON address (due, cell) WHERE state = 0",
        "CREATE INDEX IF NOT EXISTS address_track ON address (track) WHERE track IS NOT NULL",
    ]

    /// Names that users gave to positions, in 1e-7°, where persons stayed.
    private static let eleventh = [
        """
        CREATE TABLE IF NOT EXISTS stay_name (
            person INTEGER NOT NULL, longitude INTEGER NOT NULL, latitude INTEGER NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (person, longitude, latitude)) WITHOUT ROWID
        """
    ]

    /// What each origin of a pin contributed to the pin's photo (`brought`: 0 nothing, 1 the photo, 2 also its
    /// original); without a row it is not known. Unused originals, which no origin contributed, are waiting to be
    /// erased.
    private static let twelfth = [
        """
        CREATE TABLE IF NOT EXISTS photo_origin (
            pin INTEGER NOT NULL, origin INTEGER NOT NULL, brought INTEGER NOT NULL, PRIMARY KEY (pin, origin))
            WITHOUT ROWID
        """,
        "CREATE TABLE IF NOT EXISTS unused_original (photo INTEGER PRIMARY KEY)",
    ]

    /// What measuring a track found out about its points (`PointAnnotations`); tracks without any have no row.
    private static let thirteenth = [
        "CREATE TABLE IF NOT EXISTS track_annotation (track INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"
    ]

    /// The origins of what was imported: a file of an import instead of an import as a whole, which is the file 0. The
    /// columns `import` and `origin` hold both numbers. The times of the points of a stream that an origin added; and
    /// the files that were read, so that what an earlier version misread can be read anew.
    private static let fourteenth =
        [
            ("source", "import"), ("source_beginning", "import"), ("stream_source", "import"), ("pin_origin", "origin"),
            ("photo_origin", "origin"),
        ].map { table, column in
            "UPDATE \(table) SET \(column) = \(column) << \(LibraryTables.originFileBits) WHERE \(column) BETWEEN 1 AND \(Int32.max)"
        } + [
            """
            CREATE TABLE IF NOT EXISTS stream_source_range (
                stream INTEGER NOT NULL, import INTEGER NOT NULL, first_time INTEGER NOT NULL, last_time INTEGER NOT NULL,
                PRIMARY KEY (stream, import)) WITHOUT ROWID
            """,
            "CREATE INDEX IF NOT EXISTS stream_source_range_last ON stream_source_range (stream, last_time)",
            """
            INSERT INTO stream_source_range SELECT s.stream, s.import, min(c.first_time), max(c.last_time)
            FROM stream_source s JOIN stream_chunk c ON c.stream = coalesce(-s.content, s.stream)
            WHERE true GROUP BY s.stream, s.import ON CONFLICT DO NOTHING
            """,
            """
            CREATE TABLE IF NOT EXISTS file (
                origin INTEGER PRIMARY KEY, digest BLOB, name TEXT NOT NULL, format TEXT NOT NULL,
                reader INTEGER NOT NULL, replacement INTEGER)
            """,
            "CREATE INDEX IF NOT EXISTS file_digest ON file (digest)",
            "CREATE INDEX IF NOT EXISTS file_replacement ON file (replacement) WHERE replacement IS NOT NULL",
        ]

    /// Votes of persons for comments, which keep their numbers when they are moved to another pin.
    private static let fifteenth = [
        """
        CREATE TABLE IF NOT EXISTS pin_comment_vote (
            comment INTEGER NOT NULL, person INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (comment, person))
            WITHOUT ROWID
        """
    ]

    /// Venues, each as one value with its features as recorded, and what of them is closed until an instant.
    private static let sixteenth = [
        """
        CREATE TABLE IF NOT EXISTS venue (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            source TEXT NOT NULL, time INTEGER NOT NULL, west INTEGER NOT NULL, south INTEGER NOT NULL,
            east INTEGER NOT NULL, north INTEGER NOT NULL, bytes BLOB NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS venue_closure (
            venue INTEGER NOT NULL, feature TEXT NOT NULL, opens INTEGER NOT NULL, PRIMARY KEY (venue, feature))
            WITHOUT ROWID
        """,
    ]

    /// What persons keep of venues: places in an order of their own, and the ways that they asked for.
    private static let seventeenth = [
        """
        CREATE TABLE IF NOT EXISTS favourite (
            person INTEGER NOT NULL, place TEXT NOT NULL, venue INTEGER NOT NULL, name TEXT,
            position INTEGER NOT NULL, PRIMARY KEY (person, place)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS direction (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, person INTEGER NOT NULL,
            venue INTEGER NOT NULL, time INTEGER NOT NULL, stops TEXT NOT NULL, profile TEXT NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS direction_person ON direction (person, number)",
    ]

    /// Routes with their places, the journeys of persons along them, times of focus, and what these bring. `metres` of a
    /// journey: 0 driven by focus, 1 by recorded metres. Things with pictures: 0 route, 1 place, 2 person, 3 reward. The
    /// owner can change and remove the rewards that are there from the beginning.
    private static let eighteenth = [
        """
        CREATE TABLE IF NOT EXISTS route (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
            name TEXT NOT NULL, level INTEGER NOT NULL, single INTEGER NOT NULL, line BLOB NOT NULL,
            source TEXT NOT NULL, digest BLOB NOT NULL, time INTEGER NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS route_digest ON route (digest)",
        """
        CREATE TABLE IF NOT EXISTS route_place (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, route INTEGER NOT NULL,
            position INTEGER NOT NULL, longitude INTEGER NOT NULL, latitude INTEGER NOT NULL, name TEXT NOT NULL,
            description TEXT, tags TEXT NOT NULL, credit TEXT, seconds INTEGER)
        """,
        "CREATE INDEX IF NOT EXISTS route_place_order ON route_place (route, position)",
        """
        CREATE TABLE IF NOT EXISTS journey (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, route INTEGER NOT NULL,
            metres INTEGER NOT NULL, condition TEXT, factors TEXT NOT NULL, since INTEGER, until INTEGER,
            time INTEGER NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS journey_route ON journey (route)",
        """
        CREATE TABLE IF NOT EXISTS journey_member (
            journey INTEGER NOT NULL, person INTEGER NOT NULL, PRIMARY KEY (journey, person)) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS journey_member_person ON journey_member (person, journey)",
        """
        CREATE TABLE IF NOT EXISTS focus_session (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, journey INTEGER NOT NULL,
            person INTEGER NOT NULL, start INTEGER NOT NULL, seconds INTEGER NOT NULL, place INTEGER,
            cancelled INTEGER NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS focus_session_journey ON focus_session (journey, start)",
        "CREATE INDEX IF NOT EXISTS focus_session_person ON focus_session (person, start)",
        "CREATE INDEX IF NOT EXISTS focus_session_place ON focus_session (place) WHERE place IS NOT NULL",
        "CREATE TABLE IF NOT EXISTS profile (person INTEGER PRIMARY KEY, name TEXT, journey INTEGER)",
        """
        CREATE TABLE IF NOT EXISTS reward (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, hours INTEGER NOT NULL,
            name TEXT NOT NULL, removed INTEGER NOT NULL)
        """,
        """
        INSERT INTO reward (id, hours, name, removed) VALUES ('1-hour', 1, 'First hour', 0),
        ('10-hours', 10, 'Ten hours', 0), ('20-hours', 20, 'Twenty hours', 0), ('50-hours', 50, 'Fifty hours', 0),
        ('200-hours', 200, 'Two hundred hours', 0) ON CONFLICT (id) DO NOTHING
        """,
        """
        CREATE TABLE IF NOT EXISTS reward_grant (
            person INTEGER NOT NULL, reward INTEGER NOT NULL, time INTEGER NOT NULL, seen INTEGER NOT NULL,
            PRIMARY KEY (person, reward)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS journey_picture (
            thing INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (thing, number))
            WITHOUT ROWID
        """,
    ]

    /// Editions with their rules and zones, and the positions of zones that were ever drawn. In the library of an edition: which
    /// of its tracks is the visible part of which track of the library that it was derived from.
    private static let nineteenth = [
        """
        CREATE TABLE IF NOT EXISTS edition (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
            rule TEXT NOT NULL, key BLOB NOT NULL, time INTEGER NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS privacy_zone (
            number INTEGER PRIMARY KEY AUTOINCREMENT, longitude INTEGER NOT NULL, latitude INTEGER NOT NULL,
            radius INTEGER NOT NULL, centre_longitude INTEGER NOT NULL, centre_latitude INTEGER NOT NULL)
        """,
        "CREATE TABLE IF NOT EXISTS edition_source (source INTEGER PRIMARY KEY, digest BLOB NOT NULL, track INTEGER)",
        "CREATE INDEX IF NOT EXISTS edition_source_track ON edition_source (track) WHERE track IS NOT NULL",
    ]

    /// What is removed as it gets old.
    private static let twentieth = [
        """
        CREATE TABLE IF NOT EXISTS retention_rule (
            number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL, days INTEGER NOT NULL,
            thinning INTEGER, added INTEGER NOT NULL, run INTEGER, cutoff INTEGER, revision INTEGER,
            points INTEGER NOT NULL)
        """
    ]
}
