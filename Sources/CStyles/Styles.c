#include "CStyles.h"

// Paths are relative to this file. `StylingTests` fails if a file of the folder is missing here.
static const unsigned char bytes[] = {
#embed "../../Styles/heat-cells.json" suffix(, 0,)
#embed "../../Styles/heat-dark.json" suffix(, 0,)
#embed "../../Styles/heat-glow.json" suffix(, 0,)
#embed "../../Styles/heat-light.json" suffix(, 0,)
#embed "../../Styles/heat-local.json" suffix(, 0,)
#embed "../../Styles/heat-tracks.json" suffix(, 0,)
#embed "../../Styles/heat.json" suffix(, 0,)
#embed "../../Styles/inbox.json" suffix(, 0,)
#embed "../../Styles/points.json" suffix(, 0,)
#embed "../../Styles/tracks-activity.json" suffix(, 0,)
#embed "../../Styles/tracks-age.json" suffix(, 0,)
#embed "../../Styles/tracks-dark.json" suffix(, 0,)
#embed "../../Styles/tracks-direction.json" suffix(, 0,)
#embed "../../Styles/tracks-elevation.json" suffix(, 0,)
#embed "../../Styles/tracks-speed.json" suffix(, 0,)
#embed "../../Styles/tracks.json" suffix(, 0,)
};

// Not a style of tracks: the colours of floors, in a folder of their own.
static const unsigned char floors[] = {
#embed "../../Styles/floors/floors.json"
};

const unsigned char *styles_bytes(void) { return bytes; }

size_t styles_length(void) { return sizeof bytes; }

const unsigned char *floor_style_bytes(void) { return floors; }

size_t floor_style_length(void) { return sizeof floors; }
