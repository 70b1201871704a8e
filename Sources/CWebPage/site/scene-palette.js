// How scenes are drawn, as the server's pictures are.

export const LINE_WIDTH = 2.5;
export const CURTAIN_ALPHA = 0.5;
export const SHADOW_ALPHA = 0.28;

const palettes = {
  light: { ink: '#2b2f36', halo: '#ffffff', tracks: ['#d1495b', '#00798c', '#b7791f', '#30638e', '#7a5195', '#3b8e4a'] },
  dark: { ink: '#e6e8ec', halo: '#14171c', tracks: ['#ff6b6b', '#4ecdc4', '#ffd166', '#74b9ff', '#c792ea', '#8bd450'] },
};

/// The colours of a theme, `dark` or another one.
export const scenePalette = (theme) => palettes[theme] ?? palettes.light;

/// The colour of a track of a scene, by its number.
export const trackColor = (number, theme) => {
  const { tracks } = scenePalette(theme);
  return tracks[number % tracks.length];
};
