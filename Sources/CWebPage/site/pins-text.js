import { dateText } from './days.js';
import { latitudeOf } from './mercator.js';
import { capitalized, counted } from './text.js';

/// The sizes of tiles of pins and of the cells in them, in pixels; a bubble counts the pins of a cell.
const TILE = 256, CELL = 64;
/// A click selects the bubble or the dot of a single pin that is at most so many pixels away.
const BUBBLE_REACH = 26, DOT_REACH = 14;

/// The letters of captions and comments that the server takes.
export const MAX_TEXT = 2000;
/// The letters of a category that the server takes.
export const MAX_CATEGORY = 64;

/// Texts for what the server says about pins: what they come from, how their place was found, and who sees their content.
export const sources = { photo: 'Photo', waypoint: 'Waypoint', mark: 'Marked point', hand: 'Added by hand' };
export const locations = {
  recorded: 'Recorded', exif: 'From the photo', track: 'From a track, by time', hand: 'Set by hand',
};
export const visibilities = { open: 'Everybody', here: 'Who is there now', been: 'Who has been there' };

/// What a pin is called.
export const pinTitle = ({ caption, category, source }) =>
  caption || category && capitalized(category) || sources[source] || 'Pin';

/// One line about a pin.
export const pinLine = ({ caption, category, time, score, comments, person, visibility }) => [
  caption ? category : '', time ? dateText(time) : '', person ?? '',
  score > 0 ? counted(score, 'vote') : '', comments > 0 ? counted(comments, 'comment') : '',
  caption === null && visibility !== 'open' ? 'for ' + visibilities[visibility].toLowerCase() : '',
].filter(Boolean).join(' · ');

/// The bubble or dot of a tile that a click at a pixel of the tile selects; null if there is none.
export function bubbleAt(bubbles, [x, y]) {
  let best = null, least = Infinity;
  for (const bubble of bubbles) {
    const distance = Math.hypot(bubble.px[0] - x, bubble.px[1] - y);
    if (distance > (bubble.count > 1 ? BUBBLE_REACH : DOT_REACH) || distance >= least) continue;
    [best, least] = [bubble, distance];
  }
  return best;
}

/// The box [west, south, east, north] of the cell that contains a pixel of a tile.
export function cellBox({ x, y, z }, [column, row]) {
  const cells = 2 ** z * TILE / CELL;
  const index = (tile, pixel) => tile * TILE / CELL + Math.min(TILE / CELL - 1, Math.max(0, Math.floor(pixel / CELL)));
  const [across, down] = [index(x, column), index(y, row)];
  const longitude = (cell) => cell / cells * 360 - 180;
  const latitude = (cell) => latitudeOf(cell / cells);
  // A pin on a border belongs to the cell east or south of it; longitudes and latitudes have seven decimals.
  const shrunk = (value) => Number((value - 1e-7).toFixed(7));
  return [longitude(across), latitude(down + 1) + 1e-7, shrunk(longitude(across + 1)), latitude(down)]
    .map((value) => Number(value.toFixed(7)));
}

/// A place, as latitude and longitude in degrees.
export const placeText = ({ lon, lat }) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
