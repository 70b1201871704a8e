// swift-tools-version: 6.2
import PackageDescription

// The targets are in layers. A target imports lower layers, or its own without cycles. `Scripts/check-layers` reads this
// order and fails if a target violates it.

/// The settings of all Swift targets.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The same, with optimisation in debug builds, too, and assertions.
let optimization =
    strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// A target that is optimised in debug builds, too, with assertions: tests spend most of their time in it.
func optimized(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: optimization)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// Tests that compute much themselves, such as what a tile should look like; optimised like the targets that they test.
func optimizedTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: optimization)
}

/// A target that only tests import; optimised like the targets that they test.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: optimization)
}

func system(_ name: String, pkgConfig: String?, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "tileserve",
    products: [
        .executable(name: "tileserve", targets: ["tileserve"]),
        .executable(name: "tileserve-bench", targets: ["tileserve-bench"]),
    ],
    targets: [
        // Layer 0: C headers, one lock, pure geometry, digests, values as text.
        system("CArchive", pkgConfig: "libarchive", package: "libarchive-dev"),
        system("CCairo", pkgConfig: "cairo", package: "libcairo2-dev"),
        // Not linked: see its header.
        system("CCURL", pkgConfig: nil, package: "libcurl4-openssl-dev"),
        system("CExif", pkgConfig: "libexif", package: "libexif-dev"),
        system("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
        .target(name: "CGEOS", dependencies: ["CLoading"]),
        // Not linked: see its header.
        system("CHEIF", pkgConfig: nil, package: "libheif-dev"),
        system("CISAL", pkgConfig: "libisal", package: "libisal-dev"),
        system("CJPEG", pkgConfig: "libjpeg", package: "libjpeg62-turbo-dev"),
        // Loads what is not linked: CGEOS, CPango and CPostgreSQL.
        .target(name: "CLoading"),
        // Of the C library itself: functions of glibc that Swift's module of it leaves out.
        .systemLibrary(name: "CMalloc"),
        system("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        .target(name: "CPango", dependencies: ["CCairo", "CLoading"]),
        system("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        .target(name: "CPostgreSQL", dependencies: ["CLoading"]),
        system("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        system("CWebP", pkgConfig: "libwebpdemux", package: "libwebp-dev"),
        system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        // The files of the web page, embedded.
        .target(name: "CWebPage", exclude: ["WEB-PAGE.md", "package.json", "site"]),
        // The pages of the manual, embedded; they are in the folders of the targets that they describe.
        .target(name: "CManual"),
        // The table of places, embedded.
        .target(name: "CPlaces", exclude: ["places.bin"]),
        // The built-in styles, embedded; they are in the folder Styles, to copy and change.
        .target(name: "CStyles"),
        // The built-in routes, embedded.
        .target(name: "CRoutes", exclude: ["routes"]),
        // Map data, embedded.
        .target(name: "CGeography", exclude: ["geography.bin"]),
        optimized("Digest", ["CSodium", "Text"]),
        optimized("Locking"),
        optimized("Caching", ["Locking"]),
        optimized("Colors", ["Text"]),
        library("Parallelism", ["Locking"]),
        optimized("Text"),
        optimized("TileMath", ["Text"]),

        // Layer 1: Swift over C and the system; HTTP as values; the domain, pure.
        optimized("Archive", ["CArchive", "Files"]),
        library("Cairo", ["CCairo", "Colors", "CPango"]),
        optimized("Decompression", ["CZlib"]),
        library("Exif", ["CExif"]),
        library("Expat", ["CExpat", "Text"]),
        library("Files"),
        optimized("GEOS", ["CGEOS"]),
        library("HTTPClient", ["CCURL", "HTTPCore"]),
        library("HEIF", ["CHEIF"]),
        library("JPEG", ["CJPEG"]),
        library("Malloc", ["CMalloc"]),
        optimized("PNG", ["CISAL", "Colors", "CPNG", "CZlib", "Decompression"]),
        optimized("Database", ["Locking"]),
        optimized("PostgreSQL", ["CPostgreSQL", "Database", "Locking"]),
        optimized("SQLite", ["CSQLite", "Database", "Digest", "Locking", "Parallelism"]),
        library("WebP", ["CWebP"]),
        library("WebPage", ["CWebPage"]),
        library("Manual", ["CManual"]),
        library("Markdown", ["Text"]),
        optimized("Geography", ["CGeography", "Digest", "Text", "TileMath"], exclude: ["GEOGRAPHY.md"]),
        library("HTTPCore", ["Digest", "Locking", "Text"]),
        library("OpenAPI", ["HTTPCore", "Text"]),
        optimized("Tracks", ["Digest", "Locking", "Text", "TileMath"], exclude: ["TRACKS.md"]),
        optimized("TileLog", ["Digest", "Text", "TileMath", "Tracks"]),
        optimized("HeatGrid", ["Text", "TileLog", "TileMath", "Tracks"]),
        optimized("LineGrid", ["Text", "TileLog", "TileMath", "Tracks"]),
        library("Styling", ["Colors", "CStyles", "Digest", "HeatGrid", "Text", "TileMath", "Tracks"]),
        optimized("SampleTracks", ["Digest", "Text", "Tracks"]),
        library("TrackQuery", ["Text", "Tracks"]),
        optimized("Editions", ["Digest", "Text", "TileMath", "TrackQuery", "Tracks"], exclude: ["EDITIONS.md"]),
        optimized("ZoneAttacks", ["Digest", "TileMath"]),
        optimized("Statistics", ["Text", "TileLog", "TileMath", "Tracks"], exclude: ["STATISTICS.md"]),
        optimized("Scene", ["Text", "TileMath", "Tracks"]),
        optimized("Journeys", ["Statistics", "Text", "TileMath", "Tracks"]),
        library("BuiltInRoutes", ["CRoutes", "Journeys"]),
        optimized("Replay", ["Caching", "Digest", "Locking", "Statistics", "Text", "TileMath", "Tracks"]),
        optimized("TrackExport", ["Pins", "Replay", "Text", "Tracks"], exclude: ["FORMATS.md"]),
        optimized("PhotoLocating", ["Text", "TileMath", "Tracks"]),
        optimized("Pins", ["Digest", "Text", "TileMath", "Tracks"], exclude: ["PINS.md"]),
        optimized("Places", ["CPlaces", "Decompression", "Digest", "Text", "TileMath"], exclude: ["PLACES.md"]),
        optimized(
            "Countries",
            [
                "Digest", "Geography", "Locking", "Places", "Statistics", "Text", "TileMath", "Tracks",
            ], exclude: ["COUNTRIES.md"]),
        library("Geocoding", ["HTTPCore", "Text", "TileMath"], exclude: ["GEOCODING.md"]),
        optimized("Stays", ["Text", "TileMath", "Tracks"], exclude: ["STAYS.md"]),
        optimized("Venues", ["Digest", "Expat", "GEOS", "Text", "TileMath"]),
        optimized("VectorTiles", ["Text"], exclude: ["VECTOR-TILES.md"]),

        // Layer 2: the listener; files → recordings; primary store and grid ↔ disk; grid + style → PNG.
        library("MicroHTTPD", ["CMicroHTTPD", "Files", "HTTPCore", "Locking"]),
        library(
            "Tokens", ["Database", "Digest", "Files", "HTTPCore", "Locking", "Parallelism", "Text"],
            exclude: ["ACCESS.md"]),
        library("Links", ["Digest", "HTTPCore", "Locking", "Tokens"], exclude: ["LINKS.md"]),
        optimized(
            "TrackImport",
            [
                "Archive", "Database", "Decompression", "Digest", "Expat", "Files", "Locking", "Malloc", "Pins",
                "Recording", "SQLite", "Text", "Tracks",
            ], exclude: ["IMPORT.md"]),
        optimized(
            "FloorRendering",
            [
                "Cairo", "Colors", "Digest", "GEOS", "Locking", "PNG", "Styling", "Text", "TileMath", "VectorTiles",
                "Venues",
            ]),
        library("VenueImport", ["Archive", "Files", "Text", "Venues"]),
        optimized("RouteImport", ["Expat", "Journeys", "Text", "TileMath", "Tracks"], exclude: ["ROUTE-FILES.md"]),
        library("Recording", ["Text", "Tracks"], exclude: ["RECORDING.md"]),
        optimized(
            "PhotoFiles",
            [
                "Cairo", "Decompression", "Exif", "Expat", "Files", "HEIF", "JPEG", "PhotoLocating", "Places", "PNG",
                "Text", "TileMath", "WebP",
            ], exclude: ["PHOTOS.md"]),
        optimized(
            "PrimaryStore",
            [
                "Database", "Digest", "Editions", "Files", "Geocoding", "Journeys", "Locking", "Pins", "Statistics",
                "Stays",
                "Text", "TileLog", "TileMath", "TrackQuery", "Tracks",
            ], exclude: ["Retention/KEEP.md"]),
        optimized(
            "GridStorage",
            [
                "Countries", "Database", "Digest", "HeatGrid", "LineGrid", "Locking", "Malloc",
                "Parallelism", "PrimaryStore", "Statistics", "Stays", "Text", "TileLog", "TileMath",
                "TrackQuery", "Tracks",
            ]),
        optimized(
            "RecordingStore",
            ["Database", "Digest", "Files", "Locking", "Parallelism", "PrimaryStore", "Text", "Tracks"]),
        optimized(
            "TrackStore",
            [
                "Countries", "Database", "Digest", "Editions", "Files", "Geocoding", "GridStorage", "HeatGrid",
                "Journeys",
                "LineGrid", "Locking", "Parallelism", "Pins", "Places", "PostgreSQLStorage", "PrimaryStore",
                "RecordingStore", "Replay",
                "SQLiteStorage", "Statistics", "Stays", "Text", "TileLog", "TileMath", "TrackExport",
                "TrackQuery", "Tracks",
            ], exclude: ["CLUSTER.md", "LIBRARY.md"]),
        optimized(
            "TileRendering",
            [
                "Cairo", "Colors", "Digest", "HeatGrid", "LineGrid", "Locking", "Pins", "PNG",
                "Styling", "TileMath",
            ]),

        library("Charts", ["Cairo", "Colors", "PNG", "Statistics", "Styling", "Text", "TileMath"]),
        optimized("BaseMap", ["Caching", "Cairo", "Colors", "Geography", "Locking", "PNG", "Styling", "TileMath"]),
        optimized("PostgreSQLStorage", ["Database", "Locking", "Parallelism", "PostgreSQL", "SQLiteStorage"]),
        optimized("SQLiteStorage", ["Database", "Files", "Locking", "SQLite", "Text"]),
        optimized(
            "VectorMap",
            [
                "BaseMap", "Caching", "Cairo", "Colors", "Decompression", "Locking", "Styling", "Text",
                "TileArchive", "TileMath", "VectorTiles",
            ]),
        library("PictureStore", ["Database", "Digest", "Files", "Locking", "SQLite", "TileMath"]),
        optimized(
            "TileArchive",
            [
                "Caching", "Database", "Decompression", "Digest", "Files", "Locking", "Parallelism", "SQLite", "Text",
                "TileMath",
            ], exclude: ["ARCHIVES.md"]),

        // Layer 3: drawing, playback; routes and handlers; no sockets, no C.
        optimized(
            "Poster",
            [
                "BaseMap", "Cairo", "Digest", "Parallelism", "PNG", "PrimaryStore", "Styling", "Text",
                "TileDrawing", "TileMath", "TileRendering", "Tracks", "TrackStore",
            ], exclude: ["POSTER.md"]),
        library(
            "TileDrawing",
            [
                "BaseMap",
                "Caching", "Digest", "Files", "GridStorage", "HeatGrid", "LineGrid", "Locking",
                "Parallelism", "PictureStore", "PNG", "PrimaryStore", "Replay", "Styling", "Text", "TileArchive",
                "TileLog", "TileMath", "TileRendering", "Tracks", "TrackStore", "VectorTiles", "WebP",
            ]),
        library(
            "PhotoMatching",
            [
                "Digest", "PhotoFiles", "PhotoLocating", "Pins", "PrimaryStore", "Text", "TileMath",
                "Tracks", "TrackStore",
            ]),
        library("Playback", ["HTTPCore", "Locking", "Replay", "Text", "TileMath", "Tracks"], exclude: ["REPLAY.md"]),
        library(
            "RequestHandling",
            [
                "Caching", "Database", "Decompression", "Digest", "Files", "GridStorage", "HTTPCore", "Locking",
                "OpenAPI", "PrimaryStore", "Replay", "Styling", "Text", "TileDrawing", "TileLog", "TileMath",
                "Tracks", "TrackStore", "VectorTiles",
            ]),
        library(
            "PinService",
            [
                "Caching", "Digest", "Files", "HTTPCore", "Locking", "OpenAPI", "PhotoFiles",
                "PhotoLocating", "PhotoMatching", "Pins", "PrimaryStore", "RequestHandling", "Styling",
                "Text", "TileDrawing", "TileMath", "TileRendering", "Tracks", "TrackStore", "VectorTiles",
            ]),
        library(
            "PlaceService",
            [
                "Geocoding", "GridStorage", "HTTPCore", "Locking", "OpenAPI", "Parallelism", "Places", "Playback",
                "PrimaryStore", "RequestHandling", "Text", "TileDrawing", "TileMath", "Tracks",
                "TrackStore",
            ]),
        library(
            "VenueService",
            [
                "Caching", "Digest", "FloorRendering", "GridStorage", "HeatGrid", "HTTPCore", "Locking", "OpenAPI",
                "Playback", "PrimaryStore", "Replay", "RequestHandling", "Text", "TileDrawing", "TileMath",
                "TileRendering", "TrackStore", "VectorTiles", "Venues",
            ], exclude: ["VENUES.md"]),
        optimized(
            "JourneyRendering",
            [
                "BaseMap", "Cairo", "Colors", "Digest", "Journeys", "Locking", "PNG", "Styling", "TileMath",
                "TileRendering",
            ]),
        library(
            "JourneyFiles",
            ["Database", "Files", "Journeys", "JPEG", "PrimaryStore", "SQLite", "Text", "TileMath", "TrackQuery"]),
        library(
            "SceneRendering", ["BaseMap", "Cairo", "Colors", "PNG", "Scene", "Styling", "TileMath", "TileRendering"]),
        library(
            "JourneyService",
            [
                "BaseMap", "BuiltInRoutes", "Caching", "Charts", "Digest", "Files", "HTTPCore", "JourneyFiles",
                "JourneyRendering", "Journeys", "JPEG", "Locking", "OpenAPI", "PhotoFiles", "Pins", "Playback", "PNG",
                "PrimaryStore", "Replay", "RequestHandling",
                "RouteImport", "Scene", "SceneRendering",
                "Statistics", "Styling", "Text", "TileDrawing", "TileMath", "TileRendering", "TrackQuery", "Tracks",
                "TrackStore",
            ], exclude: ["JOURNEYS.md", "SCENE.md"]),
        library(
            "RecordingService",
            [
                "HTTPCore", "Locking", "OpenAPI", "Parallelism", "Playback", "PrimaryStore", "Recording",
                "RecordingStore", "Replay", "RequestHandling", "Text", "TrackImport", "Tracks",
                "TrackStore",
            ]),
        library(
            "StatisticsService",
            [
                "BaseMap", "Charts", "Colors", "Countries", "Digest", "Geocoding", "HTTPCore",
                "OpenAPI", "PrimaryStore", "RequestHandling", "Statistics", "Stays", "Styling", "Text",
                "TileDrawing", "TileMath", "TileRendering", "Tracks", "TrackStore",
            ]),
        library(
            "LibraryImport",
            [
                "Countries", "GridStorage", "Journeys", "Locking", "PrimaryStore", "RouteImport", "Text",
                "TrackImport", "TrackStore",
                "VenueImport", "Venues",
            ]),
        library(
            "LibraryBackup", ["Archive", "Digest", "Files", "PrimaryStore", "Text", "TrackStore"]),
        library(
            "TrackService",
            [
                "Decompression", "Files", "Geocoding", "HTTPCore", "LibraryImport", "Locking", "OpenAPI", "PhotoFiles",
                "PhotoLocating", "PhotoMatching", "Pins", "Places", "Playback", "PrimaryStore",
                "Replay", "RequestHandling", "Statistics", "Text", "TileDrawing", "TileMath",
                "TrackExport", "TrackImport", "TrackQuery", "Tracks", "TrackStore",
            ]),
        library(
            "EditionService",
            [
                "Editions", "HTTPCore", "Links", "OpenAPI", "PrimaryStore", "RequestHandling", "Text", "TileMath",
                "Tokens",
                "TrackQuery", "Tracks", "TrackStore",
            ]),
        library(
            "MapProtocols",
            [
                "HTTPCore", "Locking", "OpenAPI", "RequestHandling", "Styling", "Text", "TileArchive", "TileDrawing",
                "TileMath",
            ]),
        library(
            "TileService",
            [
                "BaseMap", "Caching", "Colors", "Decompression", "Digest", "EditionService", "Editions", "Files",
                "GridStorage",
                "HTTPCore", "JourneyService", "Links", "Locking", "MapProtocols", "OpenAPI", "Parallelism",
                "PictureStore",
                "PinService", "PlaceService", "Playback", "PNG", "Poster", "PrimaryStore", "RecordingService",
                "RequestHandling",
                "StatisticsService", "Styling", "Text", "TileArchive", "TileDrawing", "TileMath", "TileRendering",
                "Tracks", "TrackService", "TrackStore", "VectorTiles", "VenueService", "WebPage",
            ], exclude: ["PROXIES.md", "ROUTES.md", "TILES.md"]),

        // Layer 4: commands, configuration, log lines.
        library(
            "TileServeCLI",
            [
                "VectorMap",
                "BaseMap",
                "Countries", "Database", "Digest", "EditionService", "Editions", "Files", "Geocoding", "GridStorage",
                "HTTPClient",
                "HTTPCore", "JourneyFiles", "Journeys", "JourneyService", "LibraryBackup", "LibraryImport", "Links",
                "Locking",
                "Malloc",
                "Manual", "Markdown", "MicroHTTPD",
                "Parallelism",
                "PhotoFiles", "PhotoLocating", "PhotoMatching", "PictureStore", "Pins", "PinService",
                "Places", "PlaceService", "Poster", "PrimaryStore", "RecordingService",
                "RecordingStore", "Replay", "RequestHandling", "RouteImport", "Statistics", "Stays", "Styling", "Text",
                "TileArchive", "TileDrawing", "TileLog", "TileMath", "TileService", "Tokens", "TrackExport",
                "TrackImport", "TrackQuery", "Tracks", "TrackService", "TrackStore", "VenueImport", "Venues",
                "VenueService", "ZoneAttacks",
            ]),

        // Layer 5: executables.
        .executableTarget(name: "tileserve", dependencies: ["TileServeCLI"], swiftSettings: strict),
        .executableTarget(
            name: "tileserve-bench",
            dependencies: [
                "Cairo", "Colors", "HTTPCore", "Locking", "PNG", "PrimaryStore", "RequestHandling", "SampleTracks",
                "Styling",
                "Text", "TileDrawing", "TileMath", "TileRendering", "Tracks", "TrackStore",
            ],
            swiftSettings: strict),

        // What several test targets share: random numbers, points, libraries, a private PostgreSQL server.
        support("TestSupport", ["Colors", "Digest", "PNG", "TileLog", "Tracks"]),
        support("TestPostgreSQL", ["Files"]),
        // A generated campus, as files of its formats.
        support("TestVenues", []),
        support(
            "TestLibrary",
            [
                "Database", "Files", "Locking", "PostgreSQL", "PostgreSQLStorage", "PrimaryStore", "RequestHandling",
                "SampleTracks", "SQLiteStorage", "TestPostgreSQL", "Tracks", "TrackStore",
            ]),

        tests("DigestTests", ["Digest", "TestSupport"]),
        tests("TextTests", ["TestSupport", "Text"]),
        tests("TileMathTests", ["TestSupport", "TileMath"]),
        tests("GeographyTests", ["Geography", "TestSupport", "Text", "TileMath"]),
        tests("BaseMapTests", ["BaseMap", "Colors", "Geography", "PNG", "Styling", "TileMath"]),
        tests("CachingTests", ["Caching", "Locking"]),
        tests("ParallelismTests", ["Locking", "Parallelism"]),
        tests("CairoTests", ["Cairo", "PNG"]),
        tests("PNGTests", ["Colors", "PNG", "TestSupport"]),
        tests("ExpatTests", ["Expat", "TestSupport"]),
        tests("ArchiveTests", ["Archive"]),
        tests("DecompressionTests", ["Decompression"]),
        tests("SQLiteTests", ["Database", "Digest", "Files", "SQLite"]),
        tests(
            "PostgreSQLTests",
            [
                "Database", "Files", "Locking", "PostgreSQL", "PostgreSQLStorage", "SQLiteStorage", "TestPostgreSQL",
            ]),
        tests("FilesTests", ["Files"]),
        tests("MallocTests", ["Malloc"]),
        tests("MarkdownTests", ["Markdown"]),
        tests("HTTPCoreTests", ["Digest", "HTTPCore", "Locking"]),
        tests("TracksTests", ["Digest", "TestSupport", "Text", "Tracks"]),
        optimizedTests(
            "StatisticsTests", ["Countries", "Statistics", "TestSupport", "Text", "TileLog", "TileMath", "Tracks"]),
        optimizedTests(
            "CountriesTests",
            [
                "Countries", "Geography", "Places", "Statistics", "TestSupport", "TileMath", "Tracks",
            ]),
        tests("HTTPClientTests", ["HTTPClient", "HTTPCore", "Locking"]),
        tests("GeocodingTests", ["Geocoding", "HTTPCore", "TestSupport", "TileMath"]),
        tests("GEOSTests", ["GEOS"]),
        tests("SceneTests", ["Scene", "TestSupport", "Text", "TileMath", "Tracks"]),
        tests(
            "SceneRenderingTests", ["PNG", "Scene", "SceneRendering", "Styling", "TestSupport", "TileMath", "Tracks"]),
        tests("JourneysTests", ["Journeys", "Statistics", "TestSupport", "Text", "TileMath", "Tracks"]),
        tests("BuiltInRoutesTests", ["BuiltInRoutes", "Geography", "Journeys", "Places", "TileMath"]),
        optimizedTests(
            "JourneyRenderingTests",
            [
                "BaseMap", "Cairo", "Colors", "Digest", "JourneyRendering", "Journeys", "PNG", "Styling", "TestSupport",
                "TileMath",
            ]),
        tests("VenuesTests", ["Digest", "GEOS", "TestSupport", "TestVenues", "Text", "TileMath", "Venues"]),
        optimizedTests(
            "FloorRenderingTests",
            [
                "Cairo", "Colors", "Digest", "FloorRendering", "GEOS", "PNG", "Styling", "TestVenues", "TileMath",
                "Venues",
            ]),
        tests(
            "JourneyFilesTests",
            [
                "Database", "Files", "JourneyFiles", "Journeys", "JPEG", "PrimaryStore", "SQLite", "TestLibrary",
                "TestSupport",
                "TileMath", "TrackQuery", "TrackStore",
            ]),
        tests("RouteImportTests", ["Journeys", "RouteImport", "TestSupport", "Text", "TileMath", "Tracks"]),
        tests("VenueImportTests", ["Files", "TestVenues", "VenueImport", "Venues"]),
        optimizedTests("ZoneAttacksTests", ["Digest", "Editions", "TileMath", "Tracks", "ZoneAttacks"]),
        optimizedTests("StaysTests", ["Stays", "TestSupport", "Text", "Tracks"]),
        tests("ChartsTests", ["Charts", "PNG", "Statistics", "Styling", "TileMath"]),
        tests("TileLogTests", ["TestSupport", "Text", "TileLog", "Tracks"]),
        optimizedTests("HeatGridTests", ["HeatGrid", "TestSupport", "Text", "TileLog", "TileMath", "Tracks"]),
        optimizedTests("LineGridTests", ["LineGrid", "TestSupport", "TileLog", "TileMath", "Tracks"]),
        tests("StylingTests", ["Colors", "HeatGrid", "Styling", "Text", "TileMath", "Tracks"]),
        tests("PinsTests", ["Pins", "TestSupport", "TileMath", "Tracks"]),
        tests("PhotoLocatingTests", ["PhotoLocating", "Places", "TestSupport", "TileMath", "Tracks"]),
        optimizedTests("PlacesTests", ["Decompression", "Places", "TestSupport", "Text", "TileMath"]),
        tests("PhotoFilesTests", ["Decompression", "Files", "JPEG", "PhotoFiles", "PhotoLocating", "TileMath"]),
        tests(
            "PhotoMatchingTests",
            [
                "Files", "PhotoLocating", "PhotoMatching", "PrimaryStore", "TestLibrary", "TestSupport",
                "TileMath", "Tracks", "TrackStore",
            ]),
        tests("SampleTracksTests", ["SampleTracks", "Tracks"]),
        tests(
            "TileArchiveTests",
            [
                "Database", "Decompression", "Digest", "Files", "SQLite", "TestSupport", "Text", "TileArchive",
                "TileMath",
            ]),
        optimizedTests(
            "VectorMapTests",
            [
                "BaseMap", "Cairo", "Colors", "Locking", "PNG", "Styling", "TestSupport", "Text", "TileArchive",
                "TileMath",
                "VectorMap", "VectorTiles",
            ]),
        optimizedTests("VectorTilesTests", ["TestSupport", "VectorTiles"]),
        tests("TrackQueryTests", ["TrackQuery", "Tracks"]),
        tests("TrackExportTests", ["Replay", "TestSupport", "Text", "TrackExport", "TrackImport", "Tracks"]),
        tests("ReplayTests", ["Digest", "Replay", "Statistics", "TestSupport", "Text", "TileMath", "Tracks"]),
        tests("MicroHTTPDTests", ["Files", "HTTPCore", "Locking", "MicroHTTPD"]),
        tests(
            "TokensTests",
            ["Database", "Files", "HTTPCore", "Locking", "PostgreSQLStorage", "TestPostgreSQL", "Tokens"]),
        tests(
            "TrackImportTests",
            [
                "Archive", "Database", "Decompression", "Files", "Locking", "Pins", "SQLite", "Text",
                "TrackImport", "Tracks",
            ]),
        tests("RecordingTests", ["Recording", "Text", "Tracks"]),
        tests(
            "TrackStoreTests",
            [
                "Countries", "Database", "Digest", "Editions", "Files", "Geocoding", "GridStorage", "HeatGrid",
                "Journeys",
                "LineGrid", "Locking", "Pins", "PostgreSQL", "PostgreSQLStorage", "PrimaryStore", "RecordingStore",
                "Replay", "SampleTracks", "SQLite", "SQLiteStorage", "Statistics", "Stays", "TestLibrary",
                "TestPostgreSQL", "TestSupport", "Text", "TileLog", "TileMath", "TrackExport", "TrackQuery", "Tracks",
                "TrackStore",
            ]),
        optimizedTests(
            "TileRenderingTests",
            [
                "Cairo", "Colors", "Digest", "HeatGrid", "LineGrid", "PNG", "Styling", "TestSupport",
                "TileMath", "TileRendering", "Tracks",
            ]),
        tests(
            "RequestHandlingTests",
            [
                "Database", "HeatGrid", "HTTPCore", "Locking", "PrimaryStore", "RequestHandling", "TestLibrary",
                "TileDrawing", "TileLog", "TileMath",
            ]),
        tests(
            "TileServiceTests",
            [
                "Caching", "Colors", "Database", "Decompression", "Digest", "Editions", "Files", "Geocoding",
                "GridStorage", "HeatGrid", "HTTPCore", "Journeys", "JPEG", "Links", "Locking", "OpenAPI",
                "PictureStore",
                "Pins", "PinService", "PlaceService", "Playback", "PNG", "PrimaryStore", "Recording",
                "RecordingService", "Replay", "RequestHandling", "SampleTracks", "SQLite", "Statistics",
                "Styling", "TestLibrary", "TestSupport", "TestVenues", "Text", "TileArchive", "TileDrawing", "TileLog",
                "TileMath", "TileService", "Tokens", "TrackExport", "TrackImport", "TrackQuery", "Tracks",
                "TrackService",
                "TrackStore", "VectorTiles", "Venues", "WebP", "WebPage",
            ], exclude: ["Reference"]),
        tests(
            "TileServeCLITests",
            [
                "Archive", "Database", "Digest", "Files", "JPEG", "Locking", "Manual", "Markdown", "PhotoLocating",
                "Pins", "PlaceService", "PrimaryStore", "SQLite", "Styling", "TestPostgreSQL", "TestVenues", "Text",
                "TileArchive",
                "TileMath", "TileServeCLI", "TileService", "TrackExport", "TrackImport", "Tracks", "TrackStore",
            ]),
        tests(
            "PosterTests",
            [
                "Cairo", "Colors", "Files", "GridStorage", "PNG", "Poster", "SampleTracks", "Styling",
                "TestLibrary", "TestSupport", "TileDrawing", "TileLog", "TileMath", "Tracks",
                "TrackStore",
            ]),
        tests("EndToEndTests", ["Colors", "Files", "Locking", "PNG", "SampleTracks"]),
    ],
    swiftLanguageModes: [.v6],
    // `#embed` is part of C23.
    cLanguageStandard: .gnu2x
)

// libFuzzer brings a `main` of its own, which only its flag links: the target is there when `Scripts/fuzz` asks for it.
if Context.environment["TILESERVE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "tileserve-fuzz",
            dependencies: [
                "Text", "Files", "HTTPCore", "HeatGrid", "LineGrid", "Locking", "PhotoFiles", "PhotoLocating",
                "TileLog",
                "Recording", "Replay",
                "Styling",
                "TileArchive",
                "TileDrawing", "TileMath", "RequestHandling", "TileService", "TrackExport", "TrackImport", "TrackQuery",
                "PrimaryStore", "TrackStore",
                "Journeys", "RouteImport", "Tracks", "VectorTiles", "VenueImport", "Venues",
            ],
            swiftSettings: strict + [
                .unsafeFlags(["-parse-as-library"])
            ]))
}
