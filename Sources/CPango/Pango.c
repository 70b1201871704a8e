#include "CPango.h"
#include <CLoading.h>

#define LOADED_LIBRARY "libpangocairo-1.0.so.0"
#define LOADED_PACKAGE "libpangocairo-1.0-0"

LOADED_PROCEDURE(g_object_unref, (void *object), (object))
LOADED_PROCEDURE(pango_cairo_context_set_font_options,
    (PangoContext *context, const cairo_font_options_t *options),
    (context, options))
LOADED_FUNCTION(PangoLayout *, pango_cairo_create_layout, (cairo_t *context), (context))
LOADED_PROCEDURE(pango_cairo_layout_path, (cairo_t *context, PangoLayout *layout), (context, layout))
LOADED_PROCEDURE(pango_cairo_show_layout, (cairo_t *context, PangoLayout *layout), (context, layout))
LOADED_PROCEDURE(pango_context_set_round_glyph_positions, (PangoContext *context, int round), (context, round))
LOADED_PROCEDURE(pango_font_description_free, (PangoFontDescription *font), (font))
LOADED_FUNCTION(PangoFontDescription *, pango_font_description_new, (void), ())
LOADED_PROCEDURE(pango_font_description_set_absolute_size,
    (PangoFontDescription *font, double size),
    (font, size))
LOADED_PROCEDURE(pango_font_description_set_family,
    (PangoFontDescription *font, const char *family),
    (font, family))
LOADED_PROCEDURE(pango_font_description_set_weight, (PangoFontDescription *font, int weight), (font, weight))
LOADED_FUNCTION(int, pango_layout_get_baseline, (PangoLayout *layout), (layout))
LOADED_FUNCTION(PangoContext *, pango_layout_get_context, (PangoLayout *layout), (layout))
LOADED_PROCEDURE(pango_layout_get_size, (PangoLayout *layout, int *width, int *height), (layout, width, height))
LOADED_PROCEDURE(pango_layout_set_font_description,
    (PangoLayout *layout, const PangoFontDescription *font),
    (layout, font))
LOADED_PROCEDURE(pango_layout_set_text,
    (PangoLayout *layout, const char *text, int length),
    (layout, text, length))
