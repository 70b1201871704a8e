#include "Manual.h"

// Paths are relative to this file. A new page needs an `#embed` and a row of the table; rows are in the order of the topics.

static const unsigned char access_md[] = {
#embed "../Tokens/ACCESS.md"
};
static const unsigned char archives_md[] = {
#embed "../TileArchive/ARCHIVES.md"
};
static const unsigned char cluster_md[] = {
#embed "../TrackStore/CLUSTER.md"
};
static const unsigned char countries_md[] = {
#embed "../Countries/COUNTRIES.md"
};
static const unsigned char editions_md[] = {
#embed "../Editions/EDITIONS.md"
};
static const unsigned char formats_md[] = {
#embed "../TrackExport/FORMATS.md"
};
static const unsigned char geocoding_md[] = {
#embed "../Geocoding/GEOCODING.md"
};
static const unsigned char import_md[] = {
#embed "../TrackImport/IMPORT.md"
};
static const unsigned char keep_md[] = {
#embed "../PrimaryStore/Retention/KEEP.md"
};
static const unsigned char library_md[] = {
#embed "../TrackStore/LIBRARY.md"
};
static const unsigned char links_md[] = {
#embed "../Links/LINKS.md"
};
static const unsigned char photos_md[] = {
#embed "../PhotoFiles/PHOTOS.md"
};
static const unsigned char pins_md[] = {
#embed "../Pins/PINS.md"
};
static const unsigned char poster_md[] = {
#embed "../Poster/POSTER.md"
};
static const unsigned char proxies_md[] = {
#embed "../TileService/PROXIES.md"
};
static const unsigned char recording_md[] = {
#embed "../Recording/RECORDING.md"
};
static const unsigned char replay_md[] = {
#embed "../Playback/REPLAY.md"
};
static const unsigned char journeys_md[] = {
#embed "../JourneyService/JOURNEYS.md"
};
static const unsigned char routes_md[] = {
#embed "../RouteImport/ROUTE-FILES.md"
};
static const unsigned char statistics_md[] = {
#embed "../Statistics/STATISTICS.md"
};
static const unsigned char stays_md[] = {
#embed "../Stays/STAYS.md"
};
static const unsigned char styles_md[] = {
#embed "../../Styles/README.md"
};
static const unsigned char tiles_md[] = {
#embed "../TileService/TILES.md"
};
static const unsigned char tracks_md[] = {
#embed "../Tracks/TRACKS.md"
};
static const unsigned char scene_md[] = {
#embed "../JourneyService/SCENE.md"
};
static const unsigned char vector_tiles_md[] = {
#embed "../VectorTiles/VECTOR-TILES.md"
};
static const unsigned char venues_md[] = {
#embed "../VenueService/VENUES.md"
};
static const unsigned char web_page_md[] = {
#embed "../CWebPage/WEB-PAGE.md"
};

#define PAGE(topic, path, bytes) {topic, path, bytes, sizeof(bytes)}

static const struct manual_page pages[] = {
    PAGE("access", "Sources/Tokens/ACCESS.md", access_md),
    PAGE("archives", "Sources/TileArchive/ARCHIVES.md", archives_md),
    PAGE("cluster", "Sources/TrackStore/CLUSTER.md", cluster_md),
    PAGE("countries", "Sources/Countries/COUNTRIES.md", countries_md),
    PAGE("editions", "Sources/Editions/EDITIONS.md", editions_md),
    PAGE("formats", "Sources/TrackExport/FORMATS.md", formats_md),
    PAGE("geocoding", "Sources/Geocoding/GEOCODING.md", geocoding_md),
    PAGE("import", "Sources/TrackImport/IMPORT.md", import_md),
    PAGE("journeys", "Sources/JourneyService/JOURNEYS.md", journeys_md),
    PAGE("keep", "Sources/PrimaryStore/Retention/KEEP.md", keep_md),
    PAGE("library", "Sources/TrackStore/LIBRARY.md", library_md),
    PAGE("links", "Sources/Links/LINKS.md", links_md),
    PAGE("photos", "Sources/PhotoFiles/PHOTOS.md", photos_md),
    PAGE("pins", "Sources/Pins/PINS.md", pins_md),
    PAGE("poster", "Sources/Poster/POSTER.md", poster_md),
    PAGE("proxies", "Sources/TileService/PROXIES.md", proxies_md),
    PAGE("recording", "Sources/Recording/RECORDING.md", recording_md),
    PAGE("replay", "Sources/Playback/REPLAY.md", replay_md),
    PAGE("routes", "Sources/RouteImport/ROUTE-FILES.md", routes_md),
    PAGE("scene", "Sources/JourneyService/SCENE.md", scene_md),
    PAGE("statistics", "Sources/Statistics/STATISTICS.md", statistics_md),
    PAGE("stays", "Sources/Stays/STAYS.md", stays_md),
    PAGE("styles", "Styles/README.md", styles_md),
    PAGE("tiles", "Sources/TileService/TILES.md", tiles_md),
    PAGE("tracks", "Sources/Tracks/TRACKS.md", tracks_md),
    PAGE("vector-tiles", "Sources/VectorTiles/VECTOR-TILES.md", vector_tiles_md),
    PAGE("venues", "Sources/VenueService/VENUES.md", venues_md),
    PAGE("web-page", "Sources/CWebPage/WEB-PAGE.md", web_page_md),
};

size_t manual_page_count(void) { return sizeof(pages) / sizeof(pages[0]); }

struct manual_page manual_page_at(size_t index) { return pages[index]; }
