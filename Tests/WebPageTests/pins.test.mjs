import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bubbleAt, cellBox, pinLine, pinTitle } from '../../Sources/CWebPage/site/pins-text.js';

test('a click selects the nearest bubble or dot within its reach', () => {
  const bubbles = [{ px: [32, 32], count: 5 }, { px: [70, 32], count: 1 }];
  assert.equal(bubbleAt(bubbles, [40, 32]), bubbles[0]);
  assert.equal(bubbleAt(bubbles, [66, 32]), bubbles[1]);
  assert.equal(bubbleAt(bubbles, [70, 60]), null);
  assert.equal(bubbleAt([], [0, 0]), null);
});

test('the cells of a tile divide it, and belong to one cell of the tile above', () => {
  const [west, south, east, north] = cellBox({ z: 0, x: 0, y: 0 }, [1, 1]);
  assert.ok(west === -180 && Math.abs(east + 90) < 1e-6 && Math.abs(north - 85.0511288) < 1e-6 && south > 66 && south < 67);
  for (const pixel of [[10, 10], [100, 200], [255.9, 0]]) {
    const box = cellBox({ z: 14, x: 8802, y: 5373 }, pixel);
    assert.ok(box[0] < box[2] && box[1] < box[3]);
    const parent = cellBox({ z: 13, x: 4401, y: 2686 }, [pixel[0] / 2, 128 + pixel[1] / 2]);
    assert.ok(box[0] >= parent[0] && box[2] <= parent[2] + 1e-7 && box[1] >= parent[1] - 1e-7 && box[3] <= parent[3]);
  }
  // The next cell begins where this one ends.
  const [one, next] = [[10, 10], [70, 10]].map((pixel) => cellBox({ z: 9, x: 270, y: 160 }, pixel));
  assert.ok(Math.abs(one[2] + 1e-7 - next[0]) < 1e-9);
});

test('a pin is called by its caption, its category or its kind', () => {
  assert.equal(pinTitle({ caption: 'Hut', category: 'shelter', source: 'hand' }), 'Hut');
  assert.equal(pinTitle({ caption: null, category: 'shelter', source: 'hand' }), 'Shelter');
  assert.equal(pinTitle({ caption: null, category: null, source: 'photo' }), 'Photo');
  assert.equal(pinTitle({}), 'Pin');
});

test('a line about a pin says for whom its content is', () => {
  const pin = { caption: null, category: 'hut', time: null, person: 'bea', score: 2, comments: null, visibility: 'been' };
  assert.equal(pinLine(pin), 'bea · 2 votes · for who has been there');
  assert.equal(pinLine({ ...pin, caption: 'A', comments: 1, visibility: 'open' }), 'hut · bea · 2 votes · 1 comment');
});
