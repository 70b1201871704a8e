#include "CRoutes.h"

// Made by `Scripts/make-routes`. `BuiltInRoutesTests` fails if a file of the folder is missing here.
static const unsigned char taiwan[] = {
#embed "routes/taiwan.json"
};
static const unsigned char south_korea[] = {
#embed "routes/south-korea.json"
};
static const unsigned char canada[] = {
#embed "routes/canada.json"
};

static const struct embedded_route routes[] = {
    {"taiwan", taiwan, sizeof taiwan},
    {"south-korea", south_korea, sizeof south_korea},
    {"canada", canada, sizeof canada},
};

size_t embedded_route_count(void) { return sizeof routes / sizeof routes[0]; }

struct embedded_route embedded_route_at(size_t index) { return routes[index]; }
