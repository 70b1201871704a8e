import { element } from './document.js';
import { drawScene } from './scene-drawing.js';
import { makeSolid } from './scene-solid.js';

/// More pixels than these for one of the page would not be seen.
const MAX_RATIO = 2;

/// The layers of a 3-D view: the ground, the curtains, and the labels, which are on the `canvas` that the reader turns.
export function makeLayers() {
  const [land, solid, canvas] = ['land', 'solid', 'labels'].map((name) => element('canvas', name));
  for (const one of [land, solid]) one.setAttribute('aria-hidden', 'true');
  for (const [name, value] of Object.entries({
    tabindex: '0', role: 'application', 'aria-roledescription': '3-D view', 'aria-describedby': 'scene-keys', 'aria-label': '3-D view',
  })) canvas.setAttribute(name, value);
  const [ground, labels] = [land, canvas].map((one) => one.getContext('2d')), drawing = makeSolid(solid);

  return {
    canvas, all: [land, solid, canvas],
    /// Draws a frame.
    draw(frame) {
      const ratio = Math.min(MAX_RATIO, devicePixelRatio || 1), [width, height] = [frame.width, frame.height].map((side) => Math.round(side * ratio));
      for (const context of [ground, labels]) {
        if (context.canvas.width !== width || context.canvas.height !== height) Object.assign(context.canvas, { width, height });
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
      }
      ground.clearRect(0, 0, frame.width, frame.height);
      frame.map?.draw(ground, frame.projection);
      // Finer pixels would take too long while it moves.
      drawing.draw(frame, frame.isMoving ? 1 : ratio);
      drawScene(labels, frame);
    },
  };
}
