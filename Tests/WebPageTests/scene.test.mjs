import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { directionText, fittedProjection, makeProjection, turned } from '../../Sources/CWebPage/site/scene-projection.js';
import { cornerAt, farToNear, freeLabels, headAt, sceneCorners, scenePosts, seenCorners } from '../../Sources/CWebPage/site/scene-order.js';
import { nextDetail, projectCorners, rasterScene } from '../../Sources/CWebPage/site/scene-solid.js';
import { makeRaster } from '../../Sources/CWebPage/site/scene-raster.js';
import { groundRegion, groundTiles, metresFrom, placeAt } from '../../Sources/CWebPage/site/scene-map.js';
import { makeCamera, USUAL_VIEW } from '../../Sources/CWebPage/site/scene-camera.js';
import { pinch } from '../../Sources/CWebPage/site/scene-gestures.js';
import { joinCursor } from '../../Sources/CWebPage/site/track-cursor.js';
import { pictureParameters, rangeText, sliderOf, stretchOf, stretchText, viewText } from '../../Sources/CWebPage/site/scene-text.js';
import { worldPoint } from '../../Sources/CWebPage/site/mercator.js';
import { setUnits } from '../../Sources/CWebPage/site/text.js';

beforeEach(() => setUnits('metric'));

const near = (found, wanted, least = 1e-9) => found.forEach((value, index) =>
  assert.ok(Math.abs(value - wanted[index]) <= least, `${found} is not ${wanted}`));

/// Numbers from 0 on and below 1, the same ones each time.
function seeded(seed) {
  let value = seed;
  return () => {
    value = (value * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return value / 2 ** 32;
  };
}

test('from above with north up, a scene is a map', () => {
  const { pixel, depth, up } = makeProjection({ azimuth: 0, tilt: 90 }, 2, [100, 50]);
  near(pixel(10, 20, 500), [120, 10]);
  assert.equal(up, 0);
  assert.equal(depth(3, 7), 7);
});

test('who looks to the east has the east up, and the north to the left', () => {
  const { pixel } = makeProjection({ azimuth: 90, tilt: 90 }, 1, [0, 0]);
  near(pixel(10, 0), [0, -10]);
  near(pixel(0, 10), [-10, 0]);
});

test('near the ground, heights are seen whole, and the ground is flat', () => {
  const { pixel } = makeProjection({ azimuth: 0, tilt: 10 }, 1, [0, 0]);
  near(pixel(0, 100, 0), [0, -100 * Math.sin(Math.PI / 18)]);
  near(pixel(0, 0, 100), [0, -100 * Math.cos(Math.PI / 18)]);
});

test('the place at a pixel has that pixel', () => {
  const random = seeded(7);
  for (let round = 0; round < 200; round++) {
    const projection = makeProjection({ azimuth: random() * 360, tilt: 10 + random() * 80 }, 0.1 + random(), [random() * 900, random() * 600]);
    const place = [random() * 4000 - 2000, random() * 4000 - 2000];
    near(projection.place(...projection.pixel(...place)), place, 1e-6);
  }
});

test('a fitted scene touches its margins, and stays within them', () => {
  const random = seeded(3), numbers = (count, span) => Float64Array.from({ length: count }, () => random() * span);
  for (let round = 0; round < 100; round++) {
    const shown = { east: numbers(40, 9000), north: numbers(40, 7000), height: numbers(40, 3000) };
    const { pixel } = fittedProjection({ azimuth: random() * 360, tilt: 10 + random() * 80 }, shown, 800, 600);
    const pixels = [...shown.east].flatMap((east, index) =>
      [pixel(east, shown.north[index]), pixel(east, shown.north[index], shown.height[index])]);
    const [xs, ys] = [0, 1].map((axis) => pixels.map((one) => one[axis]));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    assert.ok(left > 47.9 && right < 752.1 && top > 35.9 && bottom < 564.1, [left, right, top, bottom].join());
    assert.ok(Math.abs(right - left - 704) < 0.01 || Math.abs(bottom - top - 528) < 0.01);
    near([left + right, top + bottom], [800, 600], 0.01);
  }
});

test('a single point is shown with what is around it', () => {
  const { scale, pixel } = fittedProjection({ azimuth: 0, tilt: 90 }, { east: [7], north: [3], height: [0] }, 1000, 500);
  assert.equal(scale, 500 * 0.88 / 500);
  near(pixel(7, 3), [500, 250]);
});

test('a view turns round and round, and is tilted as far as the server draws it', () => {
  assert.deepEqual(turned({ azimuth: 350, tilt: 35 }, 20, 0), { azimuth: 10, tilt: 35 });
  assert.deepEqual(turned({ azimuth: 5, tilt: 35 }, -10, -60), { azimuth: 355, tilt: 10 });
  assert.deepEqual(turned({ azimuth: 5, tilt: 35 }, 0, 60), { azimuth: 5, tilt: 90 });
});

test('what is far is drawn first, and equal depths keep their order', () => {
  const random = seeded(11);
  for (const span of [1, 1000, 1e7]) {
    const depths = Float64Array.from({ length: 3000 }, () => Math.round(random() * 500) / 500 * span - span / 2);
    const wanted = [...depths.keys()].sort((one, other) => depths[other] - depths[one] || one - other);
    assert.deepEqual([...farToNear(depths)], wanted);
  }
  assert.deepEqual([...farToNear(new Float64Array(4))], [0, 1, 2, 3]);
  assert.deepEqual([...farToNear(new Float64Array(0))], []);
});

test('every order of four depths is sorted', () => {
  for (let code = 0; code < 256; code++) {
    const depths = [0, 2, 4, 6].map((shift) => code >> shift & 3);
    const wanted = [0, 1, 2, 3].sort((one, other) => depths[other] - depths[one] || one - other);
    assert.deepEqual([...farToNear(Float64Array.from(depths))], wanted, String(depths));
  }
});

test('corners that cannot be told apart are left out, but never the ends', () => {
  const x = [0, 0.5, 1, 1.4, 10, 10.1], flat = [0, 0, 0, 0, 0, 0];
  assert.deepEqual(seenCorners(x, flat, flat, 0, 6), [0, 4, 5]);
  assert.deepEqual(seenCorners(x, flat, flat, 1, 4), [1, 3]);
  // A peak is seen even if its foot is near.
  assert.deepEqual(seenCorners([0, 0, 0], [0, 0, 0], [0, -9, 0], 0, 3), [0, 1, 2]);
  assert.deepEqual(seenCorners(x, flat, flat, 2, 2), []);
});

test('a label that would cover a nearer one is left out', () => {
  assert.deepEqual(freeLabels([[0, 0, 10, 10], [5, 5, 10, 10], [20, 0, 10, 10], [16, 8, 3, 3]]), [true, false, true, true]);
});

const answer = {
  stretch: 2, centre: [13, 52],
  tracks: [
    { id: 'a', segments: [[[0, 0, 0, 30, 1000], [10, 0, 20, 40, 2000]], [[20, 5, null, null, null]]] },
    { id: 'b', segments: [[[-5, -5, 8, 34, 5000]]] },
  ],
  hours: [{ track: 1, hour: 7, at: [[1, 2, 6, null, 3000]] }],
  posts: [{ kind: 'photo', label: 'Lake', at: [[3, 4, 10, null, 2500]] }, { kind: 'mark', at: [[0, 0, 0, null, null]] }],
};

test('the corners of a scene are in arrays, its heights without their stretch', () => {
  const corners = sceneCorners(answer);
  assert.equal(corners.count, 4);
  assert.deepEqual([...corners.rise], [0, 10, 0, 4]);
  assert.deepEqual(corners.segments, [{ track: 0, from: 0, to: 2 }, { track: 0, from: 2, to: 3 }, { track: 1, from: 3, to: 4 }]);
  assert.ok(Number.isNaN(corners.value[2]) && Number.isNaN(corners.time[2]));
  assert.deepEqual(scenePosts(answer).map(({ place, rise, label, radius, track }) => [place, rise, label, radius, track]),
    [[[1, 2], 3, '07:00', 2.5, 1], [[3, 4], 5, 'Lake', 5, undefined], [[0, 0], 0, undefined, 3.5, undefined]]);
});

test('the corners of a scene have the pixels that the projection gives them', () => {
  const corners = sceneCorners(answer), projection = makeProjection({ azimuth: 200, tilt: 40 }, 3, [20, 30]);
  const { x, foot, head } = projectCorners(corners, 5, projection);
  for (let index = 0; index < corners.count; index++) {
    const place = [corners.east[index], corners.north[index]];
    near([x[index], foot[index]], projection.pixel(...place));
    near([x[index], head[index]], projection.pixel(...place, corners.rise[index] * 5));
  }
  assert.equal(headAt({ x, head }, [x[1] + 2, head[1] - 1], 5), 1);
  assert.equal(headAt({ x, head }, [x[1] + 400, head[1]], 5), -1);
});

test('the corner of an instant is found, and without one that of a place', () => {
  const corners = sceneCorners(answer);
  assert.equal(cornerAt(corners, 1900, [0, 0]), 1);
  assert.equal(cornerAt(corners, 9999, [0, 0]), 3);
  assert.equal(cornerAt(corners, NaN, [19, 4]), 2);
  assert.equal(cornerAt({ count: 0 }, 1, [0, 0]), -1);
});

test('places on the map become metres of a scene and back, over 180°, too', () => {
  for (const centre of [[13, 52], [179.99, -40], [-180, 10]]) {
    for (const metres of [[0, 0], [1234, -567], [-50_000, 80_000]]) near(metresFrom(centre, placeAt(centre, metres)), metres, 1e-3);
  }
});

test('the ground has all of a scene, and a part of it when one comes near', () => {
  const corners = { count: 2, east: [3000, 0], north: [4000, 0] };
  assert.deepEqual(groundRegion(corners, 1.9, [9, 9]), { east: 0, north: 0, radius: 7500 });
  assert.deepEqual(groundRegion(corners, 4.5, [9, 8]), { east: 9, north: 8, radius: 7500 / 4 * 1.6 });
  assert.equal(groundRegion({ count: 1, east: [0], north: [0] }, 1, [0, 0]).radius, 500);
});

test('tiles cover the ground without a gap', () => {
  for (const centre of [[13.4, 52.5], [179.999, 10], [0, 0]]) {
    const layers = groundTiles(worldPoint(centre), { east: 500, north: -300, radius: 4000 }, 1280);
    assert.deepEqual(layers.map(({ kind }) => kind), ['land', 'heat']);
    for (const { tiles } of layers) {
      assert.ok(tiles.length <= 81, String(tiles.length));
      for (const { x, y, z } of tiles) assert.ok(x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z);
      const covers = (left, top) => tiles.some(({ box: [x, y, side] }) => left >= x - 1e-6 && left <= x + side + 1e-6 && top >= y - 1e-6 && top <= y + side + 1e-6);
      for (let at = 0; at <= 1280; at += 40) assert.ok(covers(at, 640) && covers(640, at), `${centre} ${at}`);
    }
  }
});

test('the place of a tile in the picture of the ground is its place on the map', () => {
  const centre = [13.4, 52.5], region = { east: 0, north: 0, radius: 4000 };
  const [, { tiles: [{ x, y, z, box }] }] = groundTiles(worldPoint(centre), region, 1280);
  const corner = [x / 2 ** z * 360 - 180, Math.atan(Math.sinh(Math.PI * (1 - 2 * y / 2 ** z))) * 180 / Math.PI];
  const [east, north] = metresFrom(centre, corner);
  near(box.slice(0, 2), [(east + 4000) / 8000 * 1280, (4000 - north) / 8000 * 1280], 1e-3);
});

test('what is at the pointer stays there while one comes closer', () => {
  const corners = sceneCorners(answer), part = [50, 0, 700, 500], camera = makeCamera({ azimuth: 30, tilt: 50 });
  const place = camera.project(corners, [], 2, part).place(300, 120);
  camera.approach(2.5, [300, 120], part);
  near(camera.project(corners, [], 2, part).pixel(...place), [300, 120], 1e-6);
  assert.equal(camera.zoom(), 2.5);
  camera.move(10, -4);
  near(camera.project(corners, [], 2, part).pixel(...place), [310, 116], 1e-6);
  camera.home();
  assert.deepEqual([camera.zoom(), camera.view()], [1, USUAL_VIEW]);
});

test('two fingers zoom, turn and tilt', () => {
  const apart = pinch([[0, 0], [100, 0]], [[0, 0], [200, 0]]);
  assert.deepEqual([apart.zoom, apart.turn, apart.around], [2, 0, [100, 0]]);
  const turn = pinch([[0, 0], [100, 0]], [[0, 0], [0, 100]]);
  near([turn.turn, turn.zoom], [90, 1]);
  assert.deepEqual(pinch([[0, 0], [100, 0]], [[0, 30], [100, 30]]).moved, [0, 30]);
  // Over the angle at which the count begins anew.
  near([pinch([[0, 0], [-100, 1]], [[0, 0], [-100, -1]]).turn], [2 * Math.atan(0.01) * 180 / Math.PI], 1e-6);
});

test('a place that one of the views tells is shown by the others', () => {
  const seen = [], one = joinCursor((at) => seen.push(['one', at])), other = joinCursor((at) => seen.push(['other', at]));
  one.tell({ time: 5 });
  other.tell(null);
  one.leave();
  other.tell({ time: 6 });
  other.leave();
  assert.deepEqual(seen, [['other', { time: 5 }], ['one', null]]);
});

test('the slider of the stretch begins at the usual one, and has powers of two', () => {
  assert.equal(stretchOf(3, 0), 3);
  assert.equal(stretchOf(3, 0.5), 12);
  assert.equal(stretchOf(3, -1), 0.1875);
  assert.equal(stretchOf(9000, 1), 10_000);
  for (const place of [-1, -0.3, 0, 0.8]) assert.ok(Math.abs(sliderOf(5, stretchOf(5, place)) - place) < 1e-3);
});

test('a view is told in words', () => {
  assert.deepEqual([0, 44, 315, 359].map(directionText), ['north', 'north-east', 'north-west', 'north']);
  assert.equal(viewText({ azimuth: 315, tilt: 35 }), 'towards the north-west, 35° above the ground');
  assert.equal(viewText({ azimuth: 0, tilt: 90 }), 'from above, north is up');
  assert.equal(stretchText('ele', 4.26), '4.3 times as high as wide');
  assert.equal(stretchText('time', 0.5), '0.5 m for each s');
  assert.equal(rangeText('ele', [30, 1200]), '30 m – 1,200 m');
  assert.equal(rangeText('time', [0, 3600]), '0 s – 1 h 0 min');
  assert.equal(rangeText('speed', null), 'Speed is not known.');
});

test('a picture has what is seen, in the sizes that the server draws', () => {
  const view = { azimuth: 12.34, tilt: 50 };
  const common = { tracks: 'a,b', height: 'ele', view, stretch: 2.5, theme: '', isCommon: false };
  assert.deepEqual(pictureParameters({ ...common, size: [800.4, 20] }), {
    track: 'a,b', height: undefined, azimuth: '12.3', tilt: '50.0', stretch: 2.5, size: '800x64', theme: undefined, start: undefined,
  });
  const other = pictureParameters({ ...common, height: 'time', size: [9000, 600], theme: 'dark', isCommon: true });
  assert.deepEqual([other.height, other.size, other.theme, other.start], ['time', '4096x600', 'dark', 'common']);
});

/// What was drawn on a raster: [red, green, blue, alpha] of a pixel.
function drawn(raster) {
  const words = new Uint32Array(raster.width * raster.height);
  raster.write(words);
  return (x, y) => [0, 8, 16, 24].map((shift) => words[y * raster.width + x] >>> shift & 255);
}
const close = (found, wanted, least = 2) => near(found, wanted, least);

test('a curtain covers its area, with a soft edge at the track', () => {
  const raster = makeRaster(20, 20);
  raster.curtain(14.4, 12, 4, 4, 12, 4.5, [200, 100, 50], 0.5);
  const at = drawn(raster);
  close(at(8, 8), [200, 100, 50, 127]);
  assert.deepEqual([at(3, 8), at(14, 8), at(8, 12), at(8, 3)].map(([, , , alpha]) => alpha), [0, 0, 0, 0]);
  close([at(4, 4)[3]], [127 * 0.5], 4);
  raster.clear();
  assert.ok([...Array(400).keys()].every((index) => drawn(raster)(index % 20, Math.floor(index / 20))[3] === 0));
});

test('curtains beside each other have neither a gap nor a seam, wherever they touch', () => {
  for (let touch = 6; touch <= 8; touch += 0.05) {
    const raster = makeRaster(20, 10);
    raster.curtain(2, 8, 1, touch, 8, 1, [90, 90, 90], 0.5);
    raster.curtain(touch, 8, 1, 15, 8, 1, [90, 90, 90], 0.5);
    const at = drawn(raster);
    for (let x = 2; x < 15; x++) assert.equal(at(x, 5)[3], 127, `${touch}: ${at(x, 5)}`);
  }
});

test('what is drawn later is above what was drawn before', () => {
  const raster = makeRaster(10, 10);
  raster.curtain(0, 10, 0, 10, 10, 0, [255, 0, 0], 0.5);
  raster.curtain(0, 10, 0, 10, 10, 0, [0, 0, 255], 0.5);
  close(drawn(raster)(5, 5), [85, 0, 170, 191]);
  raster.line(0, 5, 10, 5, 2, [0, 255, 0], 1);
  close(drawn(raster)(5, 5), [0, 255, 0, 255]);
});

test('a line is as wide as it should be, in every direction', () => {
  for (let angle = 0; angle < Math.PI; angle += 0.1) {
    const raster = makeRaster(100, 100), [dx, dy] = [Math.cos(angle) * 40, Math.sin(angle) * 40];
    raster.line(50 - dx, 50 - dy, 50 + dx, 50 + dy, 3, [0, 0, 0], 1);
    const at = drawn(raster);
    let sum = 0;
    for (let index = 0; index < 10_000; index++) sum += at(index % 100, Math.floor(index / 100))[3] / 255;
    // Its area with two half discs at its ends.
    assert.ok(Math.abs(sum - (80 * 6 + Math.PI * 9)) < 8, `${angle}: ${sum}`);
  }
});

test('a shadow is not darker where it crosses itself', () => {
  const raster = makeRaster(20, 20);
  raster.line(0, 10, 20, 10, 2, [0, 0, 0], 0.3, true);
  raster.line(10, 0, 10, 20, 2, [0, 0, 0], 0.3, true);
  const at = drawn(raster);
  assert.equal(at(10, 10)[3], at(3, 10)[3]);
  close([at(3, 10)[3]], [255 * 0.3]);
});

test('what lies outside of the picture is left out', () => {
  const raster = makeRaster(10, 10);
  raster.curtain(-50, 500, -500, 60, 500, -500, [9, 9, 9], 0.5);
  raster.line(-100, -100, 100, 100, 1, [0, 0, 0], 1);
  raster.line(-5, 20, 30, 20, 1, [0, 0, 0], 1);
  raster.curtain(20, 5, 1, 30, 5, 1, [9, 9, 9], 0.5);
  const at = drawn(raster);
  assert.equal(at(0, 9)[3], 127);
  assert.equal(at(5, 5)[3], 255);
});

test('of two curtains, the nearer one is drawn above the farther one, from every side', () => {
  const wall = (north, track) => [[-500, north], [500, north]].map(([east, to]) => ({ east, north: to, track }));
  const points = [...wall(-200, 0), ...wall(200, 1)];
  const corners = {
    count: 4, segments: [{ track: 0, from: 0, to: 2 }, { track: 1, from: 2, to: 4 }], east: points.map(({ east }) => east),
    north: points.map(({ north }) => north), rise: [400, 400, 400, 400],
  };
  for (const [azimuth, front] of [[0, 0], [180, 1]]) {
    const raster = makeRaster(200, 200), projection = makeProjection({ azimuth, tilt: 20 }, 0.15, [100, 120]);
    rasterScene(raster, { corners, projection, stretch: 1, theme: 'light' }, 1);
    const [x, y] = projection.pixel(0, front === 0 ? -200 : 200, 200), [red, , blue] = drawn(raster)(Math.round(x), Math.round(y) - 10);
    // The first track is red, the second one blue-green.
    assert.ok(front === 0 ? red > blue : blue > red, `${azimuth}: ${red} ${blue}`);
  }
});

test('a scene that is slow to draw gets coarser while it moves, and fine again', () => {
  let detail = 1.5;
  for (let frame = 0; frame < 20; frame++) detail = nextDetail(detail, 40);
  assert.equal(detail, 12);
  assert.equal(nextDetail(detail, 12), 12);
  for (let frame = 0; frame < 20; frame++) detail = nextDetail(detail, 5);
  assert.equal(detail, 1.5);
});
