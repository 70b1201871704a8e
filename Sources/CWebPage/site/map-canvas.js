import { element } from './document.js';

/// A canvas above the tiles of a Leaflet map, in a pane of its own.
export function makeMapCanvas(map, paneName, zIndex) {
  const pane = map.getPane(paneName) ?? map.createPane(paneName);
  Object.assign(pane.style, { zIndex, pointerEvents: 'none' });
  const canvas = element('canvas'), context = canvas.getContext('2d');
  canvas.setAttribute('aria-hidden', 'true');
  pane.append(canvas);
  return {
    canvas, context,
    /// Clears the canvas, and moves it to the part of the map that is seen; returns its size in pixels of the page.
    clear() {
      const size = map.getSize(), ratio = devicePixelRatio || 1;
      const [width, height] = [size.x * ratio, size.y * ratio].map(Math.round);
      if (canvas.width !== width || canvas.height !== height) {
        Object.assign(canvas, { width, height });
        Object.assign(canvas.style, { width: size.x + 'px', height: size.y + 'px' });
      }
      L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, size.x, size.y);
      return size;
    },
  };
}
