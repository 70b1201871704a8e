import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxText, fileName, isPossible, orientationOf, papers, paperSides, pixelsOf, posterParameters, previewResolution, resolutions, tracksText, wrapBox } from '../../Sources/CWebPage/site/poster-text.js';

test('boxes of any copy of the world have longitudes that the server takes', () => {
  assert.deepEqual(wrapBox([370, 10, 380, 20]), [10, 10, 20, 20]);
  assert.deepEqual(wrapBox([-190, 10, -170, 20]), [170, 10, -170, 20]);
  assert.deepEqual(wrapBox([-400, -89, 200, 89]), [-180, -85.0511, 180, 85.0511]);
  for (let west = -900; west < 900; west += 35) {
    const [from, , to] = wrapBox([west, 0, west + 50, 1]);
    assert.ok(from >= -180 && from <= 180 && to >= -180 && to <= 180);
    assert.equal(Math.round((to - from + 720) % 360), 50);
  }
});

test('the paper is turned as selected, else like the map', () => {
  assert.equal(orientationOf('', [800, 600]), 'landscape');
  assert.equal(orientationOf('', [390, 600]), 'portrait');
  assert.equal(orientationOf('portrait', [800, 600]), 'portrait');
  assert.deepEqual(paperSides('A3', 'portrait'), [297, 420]);
  assert.deepEqual(paperSides('A3', 'landscape'), [420, 297]);
});

test('resolutions stay within the limits of the server, and previews are small on any paper', () => {
  for (const sides of Object.values(papers)) {
    assert.ok(isPossible(sides, resolutions[0]));
    assert.ok(previewResolution(sides) >= 36);
    const [width, height] = pixelsOf(sides, previewResolution(sides));
    assert.ok(width * height < 3e6, `${width} × ${height}`);
  }
  assert.ok(isPossible(papers.A0, 300));
  assert.ok(!isPossible(papers.A0, 600));
  assert.deepEqual(pixelsOf(papers.A4, 300), [2480, 3508]);
});

test('a poster has the tracks of the map', () => {
  const box = [13.1, 52.4, 13.6, 52.6], sides = [297, 210];
  const common = { box, sides, title: '', style: 'heat', theme: 'light' };
  assert.deepEqual({ ...posterParameters({ ...common, base: '', layer: 'all', from: '', to: '', track: '' }) }, {
    bbox: '13.10000,52.40000,13.60000,52.60000', paper: '297x210mm', title: undefined, style: 'heat', theme: 'light',
    base: undefined, layer: undefined, from: undefined, to: undefined, track: undefined,
  });
  const limited = posterParameters({ ...common, base: 'none', layer: 'rides', from: '2024-01-01', to: '2024-12-31', track: 'a' });
  assert.deepEqual([limited.base, limited.layer, limited.from, limited.to, limited.track],
    ['none', 'rides', '2024-01-01', '2024-12-31', 'a']);
});

test('files are named after the title', () => {
  assert.equal(fileName('', 'pdf'), 'poster.pdf');
  assert.equal(fileName(' Alpen 2024: Über/unter ', 'svg'), 'alpen-2024-über-unter.svg');
  assert.equal(fileName('…', 'png'), 'poster.png');
});

test('what is on a poster is said in words', () => {
  assert.equal(tracksText({ layer: 'all', from: '', to: '', track: '' }), 'all tracks, all time');
  assert.match(tracksText({ layer: 'rides', from: '2024-01-01', to: '', track: '' }), /^layer rides, since .*2024$/);
  assert.equal(tracksText({ layer: 'all', from: '', to: '', track: 'a,b' }), 'the selected tracks');
  assert.equal(boxText([-13.1, 52.4, 13.6, 52.6]), '13.100° W – 13.600° E, 52.400° N – 52.600° N');
});
