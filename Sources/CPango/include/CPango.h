#pragma once
#include <cairo.h>

// The functions of Pango 1 that tileserve calls, declared here as its reference manual has them. Pango's own headers
// need flags of GLib (`-pthread`) that Swift's package manager refuses with a warning at each build.
typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoLayout PangoLayout;

// PangoWeight.
enum { tileserve_weight_normal = 400, tileserve_weight_medium = 500, tileserve_weight_bold = 700 };
// PANGO_SCALE: lengths are in units of 1/1024.
enum { tileserve_pango_scale = 1024 };

PangoLayout *pango_cairo_create_layout(cairo_t *context);
void pango_cairo_show_layout(cairo_t *context, PangoLayout *layout);
void pango_cairo_layout_path(cairo_t *context, PangoLayout *layout);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);

PangoContext *pango_layout_get_context(PangoLayout *layout);
void pango_context_set_round_glyph_positions(PangoContext *context, int round);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *font);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_get_size(PangoLayout *layout, int *width, int *height);
int pango_layout_get_baseline(PangoLayout *layout);

PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *font);
void pango_font_description_set_family(PangoFontDescription *font, const char *family);
void pango_font_description_set_absolute_size(PangoFontDescription *font, double size);
void pango_font_description_set_weight(PangoFontDescription *font, int weight);

// Of GObject.
void g_object_unref(void *object);
