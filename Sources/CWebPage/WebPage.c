#include "WebPage.h"

// Paths are relative to this file. A new file needs an `#embed` and a row of the table.

static const unsigned char add_pin_js[] = {
#embed "site/add-pin.js"
};
static const unsigned char appearance_js[] = {
#embed "site/appearance.js"
};
static const unsigned char base_layer_js[] = {
#embed "site/base-layer.js"
};
static const unsigned char basemap_js[] = {
#embed "site/basemap.js"
};
static const unsigned char boxes_js[] = {
#embed "site/boxes.js"
};
static const unsigned char calendar_js[] = {
#embed "site/calendar.js"
};
static const unsigned char chart_js[] = {
#embed "site/chart.js"
};
static const unsigned char colors_js[] = {
#embed "site/colors.js"
};
static const unsigned char controls_js[] = {
#embed "site/controls.js"
};
static const unsigned char daypicker_js[] = {
#embed "site/daypicker.js"
};
static const unsigned char days_js[] = {
#embed "site/days.js"
};
static const unsigned char directions_js[] = {
#embed "site/directions.js"
};
static const unsigned char document_js[] = {
#embed "site/document.js"
};
static const unsigned char drop_js[] = {
#embed "site/drop.js"
};
static const unsigned char edit_js[] = {
#embed "site/edit.js"
};
static const unsigned char facts_text_js[] = {
#embed "site/facts-text.js"
};
static const unsigned char facts_js[] = {
#embed "site/facts.js"
};
static const unsigned char favourites_js[] = {
#embed "site/favourites.js"
};
static const unsigned char files_js[] = {
#embed "site/files.js"
};
static const unsigned char find_text_js[] = {
#embed "site/find-text.js"
};
static const unsigned char find_js[] = {
#embed "site/find.js"
};
static const unsigned char first_view_js[] = {
#embed "site/first-view.js"
};
static const unsigned char floors_js[] = {
#embed "site/floors.js"
};
static const unsigned char focus_js[] = {
#embed "site/focus.js"
};
static const unsigned char heat_js[] = {
#embed "site/heat.js"
};
static const unsigned char history_js[] = {
#embed "site/history.js"
};
static const unsigned char icon_svg[] = {
#embed "site/icon.svg"
};
static const unsigned char index_html[] = {
#embed "site/index.html"
};
static const unsigned char journey_bar_js[] = {
#embed "site/journey-bar.js"
};
static const unsigned char journey_cards_js[] = {
#embed "site/journey-cards.js"
};
static const unsigned char journey_countdown_js[] = {
#embed "site/journey-countdown.js"
};
static const unsigned char journey_data_js[] = {
#embed "site/journey-data.js"
};
static const unsigned char journey_elements_js[] = {
#embed "site/journey-elements.js"
};
static const unsigned char journey_js[] = {
#embed "site/journey.js"
};
static const unsigned char journey_layer_js[] = {
#embed "site/journey-layer.js"
};
static const unsigned char journey_measure_js[] = {
#embed "site/journey-measure.js"
};
static const unsigned char journey_notice_js[] = {
#embed "site/journey-notice.js"
};
static const unsigned char journey_plan_js[] = {
#embed "site/journey-plan.js"
};
static const unsigned char journey_rewards_js[] = {
#embed "site/journey-rewards.js"
};
static const unsigned char journey_start_js[] = {
#embed "site/journey-start.js"
};
static const unsigned char journey_text_js[] = {
#embed "site/journey-text.js"
};
static const unsigned char journey_timer_js[] = {
#embed "site/journey-timer.js"
};
static const unsigned char journey_travel_js[] = {
#embed "site/journey-travel.js"
};
static const unsigned char journeys_css[] = {
#embed "site/journeys.css"
};
static const unsigned char journeys_js[] = {
#embed "site/journeys.js"
};
static const unsigned char legend_js[] = {
#embed "site/legend.js"
};
static const unsigned char lightbox_js[] = {
#embed "site/lightbox.js"
};
static const unsigned char listing_js[] = {
#embed "site/listing.js"
};
static const unsigned char live_js[] = {
#embed "site/live.js"
};
static const unsigned char loading_js[] = {
#embed "site/loading.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "site/manifest.webmanifest"
};
static const unsigned char map_canvas_js[] = {
#embed "site/map-canvas.js"
};
static const unsigned char map_js[] = {
#embed "site/map.js"
};
static const unsigned char markers_js[] = {
#embed "site/markers.js"
};
static const unsigned char members_js[] = {
#embed "site/members.js"
};
static const unsigned char mercator_js[] = {
#embed "site/mercator.js"
};
static const unsigned char moving_js[] = {
#embed "site/moving.js"
};
static const unsigned char overlays_js[] = {
#embed "site/overlays.js"
};
static const unsigned char page_css[] = {
#embed "site/page.css"
};
static const unsigned char page_js[] = {
#embed "site/page.js"
};
static const unsigned char panel_elements_js[] = {
#embed "site/panel-elements.js"
};
static const unsigned char panel_focus_js[] = {
#embed "site/panel-focus.js"
};
static const unsigned char panel_js[] = {
#embed "site/panel.js"
};
static const unsigned char parts_js[] = {
#embed "site/parts.js"
};
static const unsigned char passport_js[] = {
#embed "site/passport.js"
};
static const unsigned char person_js[] = {
#embed "site/person.js"
};
static const unsigned char pin_js[] = {
#embed "site/pin.js"
};
static const unsigned char pins_layer_js[] = {
#embed "site/pins-layer.js"
};
static const unsigned char pins_text_js[] = {
#embed "site/pins-text.js"
};
static const unsigned char pins_js[] = {
#embed "site/pins.js"
};
static const unsigned char place_marker_js[] = {
#embed "site/place-marker.js"
};
static const unsigned char places_js[] = {
#embed "site/places.js"
};
static const unsigned char places_text_js[] = {
#embed "site/places-text.js"
};
static const unsigned char plain_map_js[] = {
#embed "site/plain-map.js"
};
static const unsigned char play_colors_js[] = {
#embed "site/play-colors.js"
};
static const unsigned char player_chart_data_js[] = {
#embed "site/player-chart-data.js"
};
static const unsigned char player_chart_js[] = {
#embed "site/player-chart.js"
};
static const unsigned char player_css[] = {
#embed "site/player.css"
};
static const unsigned char player_js[] = {
#embed "site/player.js"
};
static const unsigned char playing_time_js[] = {
#embed "site/playing-time.js"
};
static const unsigned char position_js[] = {
#embed "site/position.js"
};
static const unsigned char poster_text_js[] = {
#embed "site/poster-text.js"
};
static const unsigned char poster_js[] = {
#embed "site/poster.js"
};
static const unsigned char profile_js[] = {
#embed "site/profile.js"
};
static const unsigned char query_js[] = {
#embed "site/query.js"
};
static const unsigned char rail_js[] = {
#embed "site/rail.js"
};
static const unsigned char replay_events_js[] = {
#embed "site/replay-events.js"
};
static const unsigned char replay_photo_js[] = {
#embed "site/replay-photo.js"
};
static const unsigned char replay_js[] = {
#embed "site/replay.js"
};
static const unsigned char route_edit_js[] = {
#embed "site/route-edit.js"
};
static const unsigned char route_js[] = {
#embed "site/route.js"
};
static const unsigned char same_start_js[] = {
#embed "site/same-start.js"
};
static const unsigned char scene_camera_js[] = {
#embed "site/scene-camera.js"
};
static const unsigned char scene_controls_js[] = {
#embed "site/scene-controls.js"
};
static const unsigned char scene_css[] = {
#embed "site/scene.css"
};
static const unsigned char scene_drawing_js[] = {
#embed "site/scene-drawing.js"
};
static const unsigned char scene_gestures_js[] = {
#embed "site/scene-gestures.js"
};
static const unsigned char scene_ground_js[] = {
#embed "site/scene-ground.js"
};
static const unsigned char scene_js[] = {
#embed "site/scene.js"
};
static const unsigned char scene_layers_js[] = {
#embed "site/scene-layers.js"
};
static const unsigned char scene_map_js[] = {
#embed "site/scene-map.js"
};
static const unsigned char scene_order_js[] = {
#embed "site/scene-order.js"
};
static const unsigned char scene_palette_js[] = {
#embed "site/scene-palette.js"
};
static const unsigned char scene_projection_js[] = {
#embed "site/scene-projection.js"
};
static const unsigned char scene_raster_js[] = {
#embed "site/scene-raster.js"
};
static const unsigned char scene_solid_js[] = {
#embed "site/scene-solid.js"
};
static const unsigned char scene_text_js[] = {
#embed "site/scene-text.js"
};
static const unsigned char scrub_js[] = {
#embed "site/scrub.js"
};
static const unsigned char selected_track_js[] = {
#embed "site/selected-track.js"
};
static const unsigned char server_js[] = {
#embed "site/server.js"
};
static const unsigned char share_js[] = {
#embed "site/share.js"
};
static const unsigned char shared_link_js[] = {
#embed "site/shared-link.js"
};
static const unsigned char side_css[] = {
#embed "site/side.css"
};
static const unsigned char side_js[] = {
#embed "site/side.js"
};
static const unsigned char sign_in_js[] = {
#embed "site/sign-in.js"
};
static const unsigned char state_js[] = {
#embed "site/state.js"
};
static const unsigned char statistics_countries_js[] = {
#embed "site/statistics-countries.js"
};
static const unsigned char statistics_explorer_js[] = {
#embed "site/statistics-explorer.js"
};
static const unsigned char statistics_stays_js[] = {
#embed "site/statistics-stays.js"
};
static const unsigned char statistics_text_js[] = {
#embed "site/statistics-text.js"
};
static const unsigned char statistics_view_js[] = {
#embed "site/statistics-view.js"
};
static const unsigned char statistics_year_js[] = {
#embed "site/statistics-year.js"
};
static const unsigned char statistics_js[] = {
#embed "site/statistics.js"
};
static const unsigned char stop_field_js[] = {
#embed "site/stop-field.js"
};
static const unsigned char stop_names_js[] = {
#embed "site/stop-names.js"
};
static const unsigned char stops_js[] = {
#embed "site/stops.js"
};
static const unsigned char stream_js[] = {
#embed "site/stream.js"
};
static const unsigned char text_js[] = {
#embed "site/text.js"
};
static const unsigned char tiles_js[] = {
#embed "site/tiles.js"
};
static const unsigned char time_lapse_schedule_js[] = {
#embed "site/time-lapse-schedule.js"
};
static const unsigned char time_lapse_js[] = {
#embed "site/time-lapse.js"
};
static const unsigned char timeline_fold_js[] = {
#embed "site/timeline-fold.js"
};
static const unsigned char timeline_scale_js[] = {
#embed "site/timeline-scale.js"
};
static const unsigned char timeline_css[] = {
#embed "site/timeline.css"
};
static const unsigned char timeline_js[] = {
#embed "site/timeline.js"
};
static const unsigned char tools_js[] = {
#embed "site/tools.js"
};
static const unsigned char track_cursor_js[] = {
#embed "site/track-cursor.js"
};
static const unsigned char track_popup_js[] = {
#embed "site/track-popup.js"
};
static const unsigned char tracks_js[] = {
#embed "site/tracks.js"
};
static const unsigned char trail_colors_js[] = {
#embed "site/trail-colors.js"
};
static const unsigned char upload_js[] = {
#embed "site/upload.js"
};
static const unsigned char venue_data_js[] = {
#embed "site/venue-data.js"
};
static const unsigned char venue_place_js[] = {
#embed "site/venue-place.js"
};
static const unsigned char venue_text_js[] = {
#embed "site/venue-text.js"
};
static const unsigned char venues_css[] = {
#embed "site/venues.css"
};
static const unsigned char venues_js[] = {
#embed "site/venues.js"
};
static const unsigned char walk_player_js[] = {
#embed "site/walk-player.js"
};
static const unsigned char walk_js[] = {
#embed "site/walk.js"
};
static const unsigned char way_history_js[] = {
#embed "site/way-history.js"
};
static const unsigned char way_layer_js[] = {
#embed "site/way-layer.js"
};
static const unsigned char way_request_js[] = {
#embed "site/way-request.js"
};
static const unsigned char way_view_js[] = {
#embed "site/way-view.js"
};
static const unsigned char welcome_js[] = {
#embed "site/welcome.js"
};

#define FILE_OF(name, type, bytes) {name, type, bytes, sizeof(bytes)}
#define CSS "text/css; charset=utf-8"
#define HTML "text/html; charset=utf-8"
#define JAVASCRIPT "text/javascript; charset=utf-8"
#define MANIFEST "application/manifest+json"
#define SVG "image/svg+xml"

static const struct web_page_file files[] = {
    FILE_OF("add-pin.js", JAVASCRIPT, add_pin_js),
    FILE_OF("appearance.js", JAVASCRIPT, appearance_js),
    FILE_OF("base-layer.js", JAVASCRIPT, base_layer_js),
    FILE_OF("basemap.js", JAVASCRIPT, basemap_js),
    FILE_OF("boxes.js", JAVASCRIPT, boxes_js),
    FILE_OF("calendar.js", JAVASCRIPT, calendar_js),
    FILE_OF("chart.js", JAVASCRIPT, chart_js),
    FILE_OF("colors.js", JAVASCRIPT, colors_js),
    FILE_OF("controls.js", JAVASCRIPT, controls_js),
    FILE_OF("daypicker.js", JAVASCRIPT, daypicker_js),
    FILE_OF("days.js", JAVASCRIPT, days_js),
    FILE_OF("directions.js", JAVASCRIPT, directions_js),
    FILE_OF("document.js", JAVASCRIPT, document_js),
    FILE_OF("drop.js", JAVASCRIPT, drop_js),
    FILE_OF("edit.js", JAVASCRIPT, edit_js),
    FILE_OF("facts-text.js", JAVASCRIPT, facts_text_js),
    FILE_OF("facts.js", JAVASCRIPT, facts_js),
    FILE_OF("favourites.js", JAVASCRIPT, favourites_js),
    FILE_OF("files.js", JAVASCRIPT, files_js),
    FILE_OF("find-text.js", JAVASCRIPT, find_text_js),
    FILE_OF("find.js", JAVASCRIPT, find_js),
    FILE_OF("first-view.js", JAVASCRIPT, first_view_js),
    FILE_OF("floors.js", JAVASCRIPT, floors_js),
    FILE_OF("focus.js", JAVASCRIPT, focus_js),
    FILE_OF("heat.js", JAVASCRIPT, heat_js),
    FILE_OF("history.js", JAVASCRIPT, history_js),
    FILE_OF("icon.svg", SVG, icon_svg),
    FILE_OF("index.html", HTML, index_html),
    FILE_OF("journey-bar.js", JAVASCRIPT, journey_bar_js),
    FILE_OF("journey-cards.js", JAVASCRIPT, journey_cards_js),
    FILE_OF("journey-countdown.js", JAVASCRIPT, journey_countdown_js),
    FILE_OF("journey-data.js", JAVASCRIPT, journey_data_js),
    FILE_OF("journey-elements.js", JAVASCRIPT, journey_elements_js),
    FILE_OF("journey.js", JAVASCRIPT, journey_js),
    FILE_OF("journey-layer.js", JAVASCRIPT, journey_layer_js),
    FILE_OF("journey-measure.js", JAVASCRIPT, journey_measure_js),
    FILE_OF("journey-notice.js", JAVASCRIPT, journey_notice_js),
    FILE_OF("journey-plan.js", JAVASCRIPT, journey_plan_js),
    FILE_OF("journey-rewards.js", JAVASCRIPT, journey_rewards_js),
    FILE_OF("journey-start.js", JAVASCRIPT, journey_start_js),
    FILE_OF("journey-text.js", JAVASCRIPT, journey_text_js),
    FILE_OF("journey-timer.js", JAVASCRIPT, journey_timer_js),
    FILE_OF("journey-travel.js", JAVASCRIPT, journey_travel_js),
    FILE_OF("journeys.css", CSS, journeys_css),
    FILE_OF("journeys.js", JAVASCRIPT, journeys_js),
    FILE_OF("legend.js", JAVASCRIPT, legend_js),
    FILE_OF("lightbox.js", JAVASCRIPT, lightbox_js),
    FILE_OF("listing.js", JAVASCRIPT, listing_js),
    FILE_OF("live.js", JAVASCRIPT, live_js),
    FILE_OF("loading.js", JAVASCRIPT, loading_js),
    FILE_OF("manifest.webmanifest", MANIFEST, manifest_webmanifest),
    FILE_OF("map-canvas.js", JAVASCRIPT, map_canvas_js),
    FILE_OF("map.js", JAVASCRIPT, map_js),
    FILE_OF("markers.js", JAVASCRIPT, markers_js),
    FILE_OF("members.js", JAVASCRIPT, members_js),
    FILE_OF("mercator.js", JAVASCRIPT, mercator_js),
    FILE_OF("moving.js", JAVASCRIPT, moving_js),
    FILE_OF("overlays.js", JAVASCRIPT, overlays_js),
    FILE_OF("page.css", CSS, page_css),
    FILE_OF("page.js", JAVASCRIPT, page_js),
    FILE_OF("panel-elements.js", JAVASCRIPT, panel_elements_js),
    FILE_OF("panel-focus.js", JAVASCRIPT, panel_focus_js),
    FILE_OF("panel.js", JAVASCRIPT, panel_js),
    FILE_OF("parts.js", JAVASCRIPT, parts_js),
    FILE_OF("passport.js", JAVASCRIPT, passport_js),
    FILE_OF("person.js", JAVASCRIPT, person_js),
    FILE_OF("pin.js", JAVASCRIPT, pin_js),
    FILE_OF("pins-layer.js", JAVASCRIPT, pins_layer_js),
    FILE_OF("pins-text.js", JAVASCRIPT, pins_text_js),
    FILE_OF("pins.js", JAVASCRIPT, pins_js),
    FILE_OF("place-marker.js", JAVASCRIPT, place_marker_js),
    FILE_OF("places.js", JAVASCRIPT, places_js),
    FILE_OF("places-text.js", JAVASCRIPT, places_text_js),
    FILE_OF("plain-map.js", JAVASCRIPT, plain_map_js),
    FILE_OF("play-colors.js", JAVASCRIPT, play_colors_js),
    FILE_OF("player-chart-data.js", JAVASCRIPT, player_chart_data_js),
    FILE_OF("player-chart.js", JAVASCRIPT, player_chart_js),
    FILE_OF("player.css", CSS, player_css),
    FILE_OF("player.js", JAVASCRIPT, player_js),
    FILE_OF("playing-time.js", JAVASCRIPT, playing_time_js),
    FILE_OF("position.js", JAVASCRIPT, position_js),
    FILE_OF("poster-text.js", JAVASCRIPT, poster_text_js),
    FILE_OF("poster.js", JAVASCRIPT, poster_js),
    FILE_OF("profile.js", JAVASCRIPT, profile_js),
    FILE_OF("query.js", JAVASCRIPT, query_js),
    FILE_OF("rail.js", JAVASCRIPT, rail_js),
    FILE_OF("replay-events.js", JAVASCRIPT, replay_events_js),
    FILE_OF("replay-photo.js", JAVASCRIPT, replay_photo_js),
    FILE_OF("replay.js", JAVASCRIPT, replay_js),
    FILE_OF("route-edit.js", JAVASCRIPT, route_edit_js),
    FILE_OF("route.js", JAVASCRIPT, route_js),
    FILE_OF("same-start.js", JAVASCRIPT, same_start_js),
    FILE_OF("scene-camera.js", JAVASCRIPT, scene_camera_js),
    FILE_OF("scene-controls.js", JAVASCRIPT, scene_controls_js),
    FILE_OF("scene.css", CSS, scene_css),
    FILE_OF("scene-drawing.js", JAVASCRIPT, scene_drawing_js),
    FILE_OF("scene-gestures.js", JAVASCRIPT, scene_gestures_js),
    FILE_OF("scene-ground.js", JAVASCRIPT, scene_ground_js),
    FILE_OF("scene.js", JAVASCRIPT, scene_js),
    FILE_OF("scene-layers.js", JAVASCRIPT, scene_layers_js),
    FILE_OF("scene-map.js", JAVASCRIPT, scene_map_js),
    FILE_OF("scene-order.js", JAVASCRIPT, scene_order_js),
    FILE_OF("scene-palette.js", JAVASCRIPT, scene_palette_js),
    FILE_OF("scene-projection.js", JAVASCRIPT, scene_projection_js),
    FILE_OF("scene-raster.js", JAVASCRIPT, scene_raster_js),
    FILE_OF("scene-solid.js", JAVASCRIPT, scene_solid_js),
    FILE_OF("scene-text.js", JAVASCRIPT, scene_text_js),
    FILE_OF("scrub.js", JAVASCRIPT, scrub_js),
    FILE_OF("selected-track.js", JAVASCRIPT, selected_track_js),
    FILE_OF("server.js", JAVASCRIPT, server_js),
    FILE_OF("share.js", JAVASCRIPT, share_js),
    FILE_OF("shared-link.js", JAVASCRIPT, shared_link_js),
    FILE_OF("side.css", CSS, side_css),
    FILE_OF("side.js", JAVASCRIPT, side_js),
    FILE_OF("sign-in.js", JAVASCRIPT, sign_in_js),
    FILE_OF("state.js", JAVASCRIPT, state_js),
    FILE_OF("statistics-countries.js", JAVASCRIPT, statistics_countries_js),
    FILE_OF("statistics-explorer.js", JAVASCRIPT, statistics_explorer_js),
    FILE_OF("statistics-stays.js", JAVASCRIPT, statistics_stays_js),
    FILE_OF("statistics-text.js", JAVASCRIPT, statistics_text_js),
    FILE_OF("statistics-view.js", JAVASCRIPT, statistics_view_js),
    FILE_OF("statistics-year.js", JAVASCRIPT, statistics_year_js),
    FILE_OF("statistics.js", JAVASCRIPT, statistics_js),
    FILE_OF("stop-field.js", JAVASCRIPT, stop_field_js),
    FILE_OF("stop-names.js", JAVASCRIPT, stop_names_js),
    FILE_OF("stops.js", JAVASCRIPT, stops_js),
    FILE_OF("stream.js", JAVASCRIPT, stream_js),
    FILE_OF("text.js", JAVASCRIPT, text_js),
    FILE_OF("tiles.js", JAVASCRIPT, tiles_js),
    FILE_OF("time-lapse-schedule.js", JAVASCRIPT, time_lapse_schedule_js),
    FILE_OF("time-lapse.js", JAVASCRIPT, time_lapse_js),
    FILE_OF("timeline-fold.js", JAVASCRIPT, timeline_fold_js),
    FILE_OF("timeline-scale.js", JAVASCRIPT, timeline_scale_js),
    FILE_OF("timeline.css", CSS, timeline_css),
    FILE_OF("timeline.js", JAVASCRIPT, timeline_js),
    FILE_OF("tools.js", JAVASCRIPT, tools_js),
    FILE_OF("track-cursor.js", JAVASCRIPT, track_cursor_js),
    FILE_OF("track-popup.js", JAVASCRIPT, track_popup_js),
    FILE_OF("tracks.js", JAVASCRIPT, tracks_js),
    FILE_OF("trail-colors.js", JAVASCRIPT, trail_colors_js),
    FILE_OF("upload.js", JAVASCRIPT, upload_js),
    FILE_OF("venue-data.js", JAVASCRIPT, venue_data_js),
    FILE_OF("venue-place.js", JAVASCRIPT, venue_place_js),
    FILE_OF("venue-text.js", JAVASCRIPT, venue_text_js),
    FILE_OF("venues.css", CSS, venues_css),
    FILE_OF("venues.js", JAVASCRIPT, venues_js),
    FILE_OF("walk-player.js", JAVASCRIPT, walk_player_js),
    FILE_OF("walk.js", JAVASCRIPT, walk_js),
    FILE_OF("way-history.js", JAVASCRIPT, way_history_js),
    FILE_OF("way-layer.js", JAVASCRIPT, way_layer_js),
    FILE_OF("way-request.js", JAVASCRIPT, way_request_js),
    FILE_OF("way-view.js", JAVASCRIPT, way_view_js),
    FILE_OF("welcome.js", JAVASCRIPT, welcome_js),
};

size_t web_page_file_count(void) { return sizeof(files) / sizeof(files[0]); }

struct web_page_file web_page_file_at(size_t index) { return files[index]; }
