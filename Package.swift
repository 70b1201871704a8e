// swift-tools-version: 6.2
import PackageDescription

// The targets stand in layers; a target imports lower layers, or its own without circles.
// `Scripts/check-layers` reads this order and fails the build of whoever breaks it.

/// What every Swift target is compiled with: nothing unsafe unnoticed, no warning left standing.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
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
        // Layer 0: C headers, one lock, pure geometry, digests.
        // Debian's libbz2-dev brings no .pc file.
        system("CBZip2", pkgConfig: nil, package: "libbz2-dev"),
        system("CCairo", pkgConfig: "cairo", package: "libcairo2-dev"),
        system("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
        system("CISAL", pkgConfig: "libisal", package: "libisal-dev"),
        system("CLZMA", pkgConfig: "liblzma", package: "liblzma-dev"),
        // Of the C library itself: functions of glibc that Swift's module of it leaves out.
        .systemLibrary(name: "CMalloc"),
        system("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        system("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        system("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        // The files of the web page, embedded.
        .target(name: "CWebPage", exclude: ["package.json", "site"]),
        library("Digest", ["CSodium"]),
        library("Locking"),
        library("TileMath"),

        // Layer 1: Swift over C and the system; HTTP as values; the domain, pure.
        library("Cairo", ["CCairo"]),
        library("Decompression", ["CBZip2", "CLZMA"]),
        library("Expat", ["CExpat"]),
        library("Files", ["Digest"]),
        library("Malloc", ["CMalloc"]),
        library("PNG", ["CISAL", "CPNG", "CZlib"]),
        library("Database"),
        library("SQLite", ["CSQLite", "Database", "Digest", "Locking"]),
        library("WebPage", ["CWebPage"]),
        library("Zlib", ["CZlib"]),
        library("HTTPCore", ["Digest", "Locking"]),
        library("Tracks", ["Digest", "TileMath"]),
        library("TileLog", ["Digest", "TileMath", "Tracks"]),
        library("HeatGrid", ["Digest", "TileLog", "TileMath", "Tracks"]),
        library("LineGrid", ["TileLog", "TileMath", "Tracks"]),
        library("Styling", ["Digest", "HeatGrid", "TileMath", "Tracks"]),
        library("SampleTracks", ["TileMath", "Tracks"]),
        library("TrackQuery", ["Tracks"]),
        library("Replay", ["Digest", "Locking", "TileMath", "Tracks"]),
        library("TrackExport", ["Replay", "Tracks"], exclude: ["FORMATS.md"]),

        // Layer 2: the listener; files → recordings; truth and grid ↔ disk; grid + style → PNG.
        library("MicroHTTPD", ["CMicroHTTPD", "Files", "HTTPCore", "Locking"]),
        library("Tokens", ["Digest", "Files", "HTTPCore", "Locking"]),
        library(
            "TrackImport",
            ["Database", "Decompression", "Expat", "Files", "Locking", "Malloc", "SQLite", "Tracks", "Zlib"]),
        library("Recording", ["TrackImport", "Tracks"]),
        library(
            "TrackStore",
            [
                "Database", "Digest", "Files", "HeatGrid", "LineGrid", "Locking", "Malloc", "TileLog", "Replay",
                "SQLite", "TileMath", "TrackExport", "TrackQuery", "Tracks", "Zlib",
            ]),
        library(
            "TileRendering",
            ["Cairo", "Digest", "HeatGrid", "LineGrid", "Locking", "PNG", "Styling", "TileMath"]),

        library("PictureStore", ["Database", "Digest", "Files", "Locking", "SQLite", "TileMath"]),

        // Layer 3: drawing, playback; routes and handlers; no sockets, no C.
        library(
            "TileDrawing",
            [
                "Digest", "Files", "HeatGrid", "LineGrid", "Locking", "PictureStore", "Replay", "Styling", "TileLog",
                "TileMath",
                "TileRendering", "TrackStore", "Tracks",
            ]),
        library("Playback", ["Digest", "HTTPCore", "Locking", "Replay", "TileMath", "TrackStore", "Tracks"]),
        library(
            "TileService",
            [
                "Digest", "Files", "HTTPCore", "HeatGrid", "Locking", "PictureStore", "Playback", "Recording", "Replay",
                "Styling", "TileDrawing", "TileLog", "TileMath", "TileRendering", "TrackExport",
                "TrackImport", "TrackQuery", "TrackStore", "Tracks", "WebPage", "Zlib",
            ]),

        // Layer 4: commands, configuration, log lines.
        library(
            "TileServeCLI",
            [
                "Database", "Files", "HTTPCore", "Locking", "Malloc", "MicroHTTPD", "PictureStore", "Replay",
                "Styling", "TileDrawing",
                "TileMath", "TileService",
                "Tokens", "TrackExport", "TrackImport", "TrackQuery", "TrackStore", "Tracks",
            ]),

        // Layer 5: executables.
        .executableTarget(name: "tileserve", dependencies: ["TileServeCLI"], swiftSettings: strict),
        .executableTarget(
            name: "tileserve-bench",
            dependencies: [
                "Cairo", "HTTPCore", "Locking", "PNG", "SampleTracks", "Styling", "TileDrawing", "TileMath",
                "TileService",
                "TrackStore",
                "Tracks",
            ],
            swiftSettings: strict),

        tests("DigestTests", ["Digest"]),
        tests("TileMathTests", ["TileMath"]),
        tests("CairoTests", ["Cairo"]),
        tests("PNGTests", ["PNG"]),
        tests("SQLiteTests", ["Database", "Digest", "Files", "SQLite"]),
        tests("FilesTests", ["Files"]),
        tests("MallocTests", ["Malloc"]),
        tests("HTTPCoreTests", ["Digest", "HTTPCore"]),
        tests("TracksTests", ["Digest", "TileMath", "Tracks"]),
        tests("HeatGridTests", ["HeatGrid", "TileLog", "SampleTracks", "TileMath", "Tracks"]),
        tests("LineGridTests", ["LineGrid", "TileLog", "TileMath", "Tracks"]),
        tests("StylingTests", ["HeatGrid", "Styling", "TileMath", "Tracks"]),
        tests("SampleTracksTests", ["SampleTracks", "Tracks"]),
        tests("TrackQueryTests", ["TrackQuery", "Tracks"]),
        tests("TrackExportTests", ["Files", "Replay", "TrackExport", "TrackImport", "Tracks"]),
        tests("ReplayTests", ["Digest", "Replay", "TileMath", "Tracks"]),
        tests("MicroHTTPDTests", ["Files", "HTTPCore", "Locking", "MicroHTTPD"]),
        tests("TokensTests", ["Files", "HTTPCore", "Tokens"]),
        tests(
            "TrackImportTests", ["Database", "Files", "Locking", "SQLite", "TileMath", "TrackImport", "Tracks", "Zlib"]),
        tests("RecordingTests", ["Recording", "Tracks"]),
        tests(
            "TrackStoreTests",
            [
                "Database", "Digest", "Files", "HeatGrid", "LineGrid", "Locking", "TileLog", "Replay", "SQLite",
                "SampleTracks", "TileMath", "TrackExport", "TrackQuery", "TrackStore", "Tracks",
            ]),
        tests(
            "TileRenderingTests",
            ["Cairo", "Digest", "HeatGrid", "LineGrid", "PNG", "Styling", "TileMath", "TileRendering", "Tracks"]),
        tests(
            "TileServiceTests",
            [
                "Files", "HTTPCore", "HeatGrid", "Locking", "PNG", "PictureStore", "Playback", "TileLog", "Replay",
                "SQLite", "SampleTracks", "Styling", "TileDrawing", "TileMath", "TileService", "TrackExport",
                "TrackImport", "TrackQuery", "TrackStore", "Tracks", "WebPage", "Zlib",
            ]),
        tests(
            "TileServeCLITests",
            [
                "Files", "Locking", "PictureStore", "SampleTracks", "TileDrawing", "TileMath", "TileServeCLI",
                "TrackStore", "Tracks",
            ]),
        tests("EndToEndTests", ["Files", "Locking", "PNG", "SampleTracks", "TileMath", "Tracks"]),
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
                "Files", "HTTPCore", "HeatGrid", "LineGrid", "Locking", "TileLog", "Recording", "Replay", "Styling",
                "TileDrawing", "TileMath", "TileService", "TrackExport", "TrackImport", "TrackQuery", "TrackStore",
                "Tracks",
            ],
            swiftSettings: strict + [
                .unsafeFlags(["-parse-as-library"])
            ]))
}
