import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

/// As much of a document as tiles and messages need.
class FakeElement {
  children = [];
  listeners = {};
  hidden = true;
  textContent = '';
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener(kind, take) { this.listeners[kind] = take; }
}
const notice = new FakeElement();
let images = [];

globalThis.document = { getElementById: () => notice, createElement: () => new FakeElement() };
globalThis.Image = class extends FakeElement {
  constructor() {
    super();
    images.push(this);
  }
};
globalThis.L = {
  GridLayer: class {
    on(kind, take) { this[kind] = take; }
  },
};
const { makeTiles } = await import('../../Sources/CWebPage/site/tiles.js');
const { setNotice, showError } = await import('../../Sources/CWebPage/site/document.js');

let timers = [];
globalThis.setTimeout = (call, milliseconds) => timers.push({ call, milliseconds });

/// Runs the only timer, which must have been set to so many milliseconds.
function elapse(milliseconds) {
  assert.deepEqual(timers.map((timer) => timer.milliseconds), [milliseconds]);
  timers.pop().call();
}

beforeEach(() => {
  images = [];
  timers = [];
});

function tileOf(tiles) {
  const done = mock.fn();
  const place = tiles.layer.createTile({ x: 1, y: 2, z: 3 }, done);
  return { place, done };
}

test('a tile that failed is shown when a later request succeeds', async () => {
  const tiles = makeTiles({});
  tiles.setTemplate('tiles/{z}/{x}/{y}.png');
  const { place, done } = tileOf(tiles);
  assert.equal(images[0].src, 'tiles/3/1/2.png');
  images[0].listeners.error();
  await Promise.resolve();
  // Leaflet hides tiles for good that were reported with an error.
  assert.deepEqual(done.mock.calls[0].arguments, [null, place]);
  assert.equal(notice.textContent, 'Some tiles could not be loaded; trying again.');
  elapse(2000);
  images[1].listeners.load();
  assert.deepEqual(place.children, [images[1]]);
  assert.equal(notice.hidden, true);
});

test('a tile is given up after six more requests, and no longer reported when it leaves the map', () => {
  const tiles = makeTiles({});
  tiles.setTemplate('tiles/{z}/{x}/{y}.png');
  const { place } = tileOf(tiles);
  for (let request = 0; request < 7; request++) {
    assert.equal(images.length, request + 1);
    images[request].listeners.error();
    if (request < 6) elapse(2000 * 2 ** request);
  }
  assert.deepEqual(timers, []);
  assert.equal(images.length, 7);
  assert.equal(notice.textContent, 'Some tiles could not be loaded.');
  tiles.layer.tileunload({ tile: place });
  assert.equal(notice.hidden, true);
});

test('a late picture of a template that was replaced is not shown', () => {
  const tiles = makeTiles({});
  tiles.setTemplate('old/{z}/{x}/{y}.png');
  const { place } = tileOf(tiles);
  tiles.setTemplate('new/{z}/{x}/{y}.png');
  tiles.renew();
  images[1].listeners.load();
  images[0].listeners.load();
  assert.deepEqual(place.children, [images[1]]);
});

test('that the server does not answer is no longer shown when it answers again', () => {
  const lost = Object.assign(new Error('The server does not answer; trying again.'), { status: 0 });
  for (const source of ['load', 'place', 'replay']) showError(source, lost);
  assert.equal(notice.textContent, lost.message);
  // As the poll does when the server answers.
  setNotice('server', '');
  assert.equal(notice.hidden, true);
  showError('load', Object.assign(new Error('Unknown layer.'), { status: 404 }));
  setNotice('server', '');
  assert.equal(notice.textContent, 'Unknown layer.');
  setNotice('load', '');
});
