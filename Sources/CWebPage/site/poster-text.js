import { daysText } from './days.js';
import { MAX_LATITUDE, wrapLongitude } from './mercator.js';
import { degreesText, number } from './text.js';

/// Paper in millimetres, in portrait format (ISO 216).
export const papers = { A4: [210, 297], A3: [297, 420], A2: [420, 594], A1: [594, 841], A0: [841, 1189] };
/// Resolutions of pictures, in pixels per inch.
export const resolutions = [100, 150, 300, 600];
/// Limits of the server: the pixels of a picture, and its least resolution.
const MAX_PIXELS = 200_000_000, LEAST_RESOLUTION = 36;
/// The letters of a title that the server takes.
export const MAX_TITLE = 200;
/// The preview has so many pixels on its longer side.
const PREVIEW_PIXELS = 900;
const MM_PER_INCH = 25.4;

/// A box [west, south, east, north] with longitudes in -180…180; its west is greater than its east if it crosses 180°.
export function wrapBox([west, south, east, north]) {
  const [low, high] = [south, north].map((latitude) => Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, latitude)));
  return east - west >= 360 ? [-180, low, 180, high] : [wrapLongitude(west), low, wrapLongitude(east), high];
}

/// The orientation of the paper: the selected one, else that of the visible part of the map, of which the size is given.
export const orientationOf = (selected, [width, height]) => selected || (width > height ? 'landscape' : 'portrait');

/// Width and height of the paper in millimetres.
export function paperSides(paper, orientation) {
  const [short, long] = papers[paper] ?? papers.A4;
  return orientation === 'landscape' ? [long, short] : [short, long];
}

/// The pixels of a picture of the paper, [width, height].
export const pixelsOf = (sides, dpi) => sides.map((side) => Math.round(side / MM_PER_INCH * dpi));

/// Whether the server draws a picture of the paper at a resolution.
export const isPossible = (sides, dpi) => sides[0] * sides[1] * (dpi / MM_PER_INCH) ** 2 <= MAX_PIXELS;

/// The resolution of a small picture of the paper.
export const previewResolution = (sides) =>
  Math.max(LEAST_RESOLUTION, Math.round(PREVIEW_PIXELS / (Math.max(...sides) / MM_PER_INCH)));

/// The text of a resolution, with the size that a picture has, in megapixels.
export const resolutionText = (sides, dpi) => {
  const [width, height] = pixelsOf(sides, dpi);
  return dpi + ' dpi, ' + number.format(Math.max(1, Math.round(width * height / 1e6))) + ' MP';
};

/// The parameters of `/v1/poster` that say what is on the paper. The sides are given in millimetres, because the server
/// chooses the orientation of paper that is given by its name.
export function posterParameters({ box, sides, title, style, theme, base, layer, from, to, track }) {
  return {
    bbox: box.map((degrees) => degrees.toFixed(5)).join(','), paper: sides.join('x') + 'mm',
    title: title || undefined, style, theme, base: base === 'none' ? 'none' : undefined,
    layer: layer === 'all' ? undefined : layer, from: from || undefined, to: to || undefined, track: track || undefined,
  };
}

/// The name of the file: the letters and digits of the title.
export function fileName(title, format) {
  const name = title.trim().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase();
  return (name || 'poster') + '.' + format;
}

/// Which tracks are on the poster: those of the map.
export function tracksText({ layer, from, to, track }) {
  if (track) return 'the selected tracks';
  return (layer === 'all' ? 'all tracks' : 'layer ' + layer) + ', ' + daysText(from, to);
}

/// A box as text.
export function boxText([west, south, east, north]) {
  const digits = Math.abs(north - south) < 1 ? 3 : 1;
  const [left, right] = [west, east].map((degrees) => degreesText(degrees, digits, 'E', 'W'));
  const [bottom, top] = [south, north].map((degrees) => degreesText(degrees, digits, 'N', 'S'));
  return `${left} – ${right}, ${bottom} – ${top}`;
}
