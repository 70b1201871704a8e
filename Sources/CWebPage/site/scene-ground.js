import { element } from './document.js';
import { address } from './server.js';
import { known, state } from './state.js';
import { worldPoint } from './mercator.js';
import { groundTiles } from './scene-map.js';

/// The sides of the picture of the ground, in pixels: one picture that is turned as a whole is much faster than tiles.
const SIDE = 1280;
/// The heat is only the ground of the tracks.
const HEAT_ALPHA = 0.55;
/// The ground fades out from this part of its radius on.
const FADING = 0.72;

/// The picture of the map below a scene, a disc around a place. `changed` is called whenever more of it has been loaded.
export function makeGround(centre, changed) {
  let picture = null, region = null, runs = 0, waiting = 0;

  /// Loads the map around a place, { east, north } in metres, with some radius.
  function show(wanted, theme) {
    const run = runs += 1;
    const canvas = Object.assign(element('canvas'), { width: SIDE, height: SIDE }), context = canvas.getContext('2d');
    const middle = worldPoint(centre);
    const take = (image, [x, y, side], alpha) => {
      context.globalAlpha = alpha;
      context.drawImage(image, x, y, side, side);
    };
    // What is above waits for what is below it, so that it is not covered.
    const layers = groundTiles(middle, wanted, SIDE).filter(({ kind }) => kind === 'heat' || state.base !== 'none');
    const load = async ({ kind, tiles }, before) => {
      await Promise.all(tiles.map(async (tile) => {
        const image = await loaded(urlOf(kind, tile, theme));
        await before;
        if (!image || run !== runs) return;
        take(image, tile.box, kind === 'heat' ? HEAT_ALPHA : 1);
        waiting ||= setTimeout(() => {
          waiting = 0;
          if (run === runs) finish();
        }, 60);
      }));
    };
    const finish = () => {
      [picture, region] = [faded(canvas), wanted];
      changed();
    };
    let before = Promise.resolve();
    for (const layer of layers) before = load(layer, before);
    return before;
  }

  return {
    show,
    /// What the picture shows; null if there is none yet.
    region: () => region,
    picture: () => picture,
    /// Draws it as it lies on the ground.
    draw(context, { across, down, origin: [x, y] }) {
      if (!picture) return;
      const metres = 2 * region.radius / SIDE, west = region.east - region.radius, north = region.north + region.radius;
      context.save();
      context.transform(across[0] * metres, down[0] * metres, -across[1] * metres, -down[1] * metres,
        x + west * across[0] + north * across[1], y + west * down[0] + north * down[1]);
      context.drawImage(picture, 0, 0);
      context.restore();
    },
    end() {
      runs += 1;
      clearTimeout(waiting);
    },
  };
}

const urlOf = (kind, { z, x, y }, theme) => kind === 'land'
  ? address(`tiles/base/${z}/${x}/${y}.png`, { theme: theme || 'light', show: 'land' })
  : address(`tiles/heat/${z}/${x}/${y}.png`, {
    theme: theme || undefined, layer: state.layer === 'all' ? undefined : state.layer, v: known.revision,
  });

/// The image at a URL; null if there is none.
function loaded(url) {
  const image = new Image();
  return new Promise((done) => {
    image.onload = () => done(image.naturalWidth > 0 ? image : null);
    image.onerror = () => done(null);
    image.src = url;
  });
}

/// The same picture with soft edges.
function faded(canvas) {
  const copy = Object.assign(element('canvas'), { width: SIDE, height: SIDE }), context = copy.getContext('2d');
  const half = SIDE / 2, mask = context.createRadialGradient(half, half, FADING * half, half, half, half);
  mask.addColorStop(0, '#000');
  mask.addColorStop(1, '#0000');
  context.drawImage(canvas, 0, 0);
  context.globalCompositeOperation = 'destination-in';
  context.fillStyle = mask;
  context.fillRect(0, 0, SIDE, SIDE);
  return copy;
}
