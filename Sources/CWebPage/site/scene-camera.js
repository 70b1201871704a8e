import { fittedProjection, makeProjection, turned } from './scene-projection.js';

/// From where a scene is seen at first.
export const USUAL_VIEW = { azimuth: 315, tilt: 35 };
const MIN_ZOOM = 0.4, MAX_ZOOM = 40;

/// From where the reader sees a scene. At a zoom of 1 all of it is in the picture, in which it is moved by so many pixels.
export function makeCamera(view) {
  let zoom = 1, moved = [0, 0], fit = null;

  /// What has to be in the picture, at its stretched height.
  function shown(corners, posts, stretch) {
    if (fit?.corners !== corners || fit.posts !== posts) {
      const join = (list, take) => Float64Array.from([...list, ...posts.map(take)]);
      fit = {
        corners, posts, stretch: NaN, height: null, east: join(corners.east, ({ place }) => place[0]),
        north: join(corners.north, ({ place }) => place[1]), rise: join(corners.rise, ({ rise }) => rise),
      };
    }
    if (fit.stretch !== stretch) [fit.height, fit.stretch] = [fit.rise.map((rise) => rise * stretch), stretch];
    return fit;
  }

  return {
    view: () => view, zoom: () => zoom,
    turn(degrees, upwards) {
      view = turned(view, degrees, upwards);
    },
    set(changes) {
      view = { ...view, ...changes };
    },
    move(right, down) {
      moved = [moved[0] + right, moved[1] + down];
    },
    /// Comes closer by a factor; the point at a pixel stays where it is, by default that in the middle. `part` is what is
    /// seen, [left, top, width, height].
    approach(factor, at, [left, top, width, height]) {
      const next = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom * factor)), ratio = next / zoom;
      const middle = [left + width / 2, top + height / 2];
      moved = moved.map((pixels, axis) => {
        const from = (at ?? middle)[axis] - middle[axis];
        return from - (from - pixels) * ratio;
      });
      zoom = next;
    },
    home() {
      [view, zoom, moved] = [{ ...USUAL_VIEW }, 1, [0, 0]];
    },
    /// The projection of corners and posts into a part of the picture, [left, top, width, height].
    project(corners, posts, stretch, [left, top, width, height]) {
      const { scale, origin: [x, y] } = fittedProjection(view, shown(corners, posts, stretch), width, height);
      return makeProjection(view, scale * zoom, [
        left + width / 2 + (x - width / 2) * zoom + moved[0], top + height / 2 + (y - height / 2) * zoom + moved[1],
      ]);
    },
  };
}
