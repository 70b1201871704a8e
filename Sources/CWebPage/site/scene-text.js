import { directionText } from './scene-projection.js';
import { durationText, heightText, number, speedText } from './text.js';

/// What can be shown as height: its name, and how a value is written.
export const heights = {
  ele: { name: 'Elevation', text: heightText },
  time: { name: 'Time', text: (seconds) => durationText(seconds * 1000) },
  speed: { name: 'Speed', text: speedText },
};

/// Heights can be drawn so many times lower and higher than usual, in powers of two.
const STRETCH_POWERS = 4;
/// What the server takes.
const LEAST_STRETCH = 0.01, GREATEST_STRETCH = 10_000;

/// The stretch for a place of the slider, -1…1; at its middle it is the usual one.
export const stretchOf = (usual, slider) =>
  Number(Math.min(GREATEST_STRETCH, Math.max(LEAST_STRETCH, usual * 2 ** (slider * STRETCH_POWERS))).toPrecision(4));

/// The place of the slider for a stretch.
export const sliderOf = (usual, stretch) => Math.max(-1, Math.min(1, Math.log2(stretch / usual) / STRETCH_POWERS));

/// How heights are drawn, in words.
export function stretchText(height, stretch) {
  const times = number.format(Number(stretch.toPrecision(2)));
  return height === 'ele' ? `${times} times as high as wide` : `${times} m for each ${height === 'time' ? 's' : 'm/s'}`;
}

/// From where a scene is seen, in words.
export const viewText = ({ azimuth, tilt }) =>
  tilt === 90 ? `from above, ${directionText(azimuth)} is up` : `towards the ${directionText(azimuth)}, ${Math.round(tilt)}° above the ground`;

/// The values that heights stand for, in words.
export const rangeText = (height, range) =>
  range ? range.map(heights[height].text).join(' – ') : `${heights[height].name} is not known.`;

/// The parameters of a picture of a scene as it is seen.
export function pictureParameters({ tracks, height, view, stretch, size, theme, isCommon }) {
  const sides = size.map((side) => Math.min(4096, Math.max(64, Math.round(side))));
  return {
    track: tracks, height: height === 'ele' ? undefined : height, azimuth: view.azimuth.toFixed(1), tilt: view.tilt.toFixed(1),
    stretch, size: sides.join('x'), theme: theme || undefined, start: isCommon ? 'common' : undefined,
  };
}
