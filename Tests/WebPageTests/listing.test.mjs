import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeListing, trackFilter } from '../../Sources/CWebPage/site/listing.js';

const track = (id, more = {}) => ({ id: String(id), source: id + '.gpx', tags: [], ...more });

/// A server with tracks that answers in pages, as the real one does.
function server(tracks) {
  const requests = [];
  return {
    requests,
    async request({ limit, after }) {
      const first = after ? Number(after) : 0, page = tracks.slice(first, first + limit);
      requests.push({ limit, after });
      return { tracks: page, next: first + limit < tracks.length ? String(first + limit) : undefined };
    },
  };
}

test('a filter finds all words anywhere, without regard to case and accents', () => {
  const ride = track(1, { name: 'Forêt de Soignes', activity: 'Cycling', tags: ['alps'], person: 'Bea', device: 'phone' });
  for (const text of ['', 'foret', 'SOIGNES alps', 'bea 1.gpx', 'phone cycl']) {
    assert.ok(trackFilter({ text, activity: '' })(ride), text);
  }
  for (const text of ['forest', 'soignes lake']) assert.ok(!trackFilter({ text, activity: '' })(ride), text);
  assert.ok(trackFilter({ text: 'foret', activity: 'cycling ' })(ride));
  assert.ok(!trackFilter({ text: 'foret', activity: 'cycl' })(ride));
  const run = track(3, { activity: 'run', activityRecorded: 'course à pied' });
  for (const activity of ['run', 'Course a pied']) assert.ok(trackFilter({ text: 'pied', activity })(run));
  assert.ok(!trackFilter({ text: '', activity: 'walking' })(track(2)));
  const walk = track(4, { places: { from: 'Zürich', to: 'Baden', loop: false, source: 'GeoNames' } });
  assert.ok(trackFilter({ text: 'baden zurich', activity: '' })(walk));
  assert.ok(!trackFilter({ text: 'geonames', activity: '' })(walk));
});

test('pages joined are the whole list in its order, each track once', async () => {
  const tracks = Array.from({ length: 217 }, (_, index) => track(index));
  for (const count of [1, 50, 60, 61, 500]) {
    const { request } = server(tracks), listing = makeListing(request), found = [];
    while (!listing.isOver()) found.push(...await listing.next(count));
    assert.deepEqual(found, tracks);
  }
});

test('a search reads on until enough tracks match, and can be stopped', async () => {
  const tracks = Array.from({ length: 2500 }, (_, index) => track(index, { name: index % 1000 === 999 ? 'lake' : 'hill' }));
  const { request, requests } = server(tracks);
  const listing = makeListing(request, { text: 'lake' });
  assert.deepEqual((await listing.next(1)).map(({ id }) => id), ['999']);
  assert.equal(requests.length, 2);
  assert.deepEqual((await listing.next(50)).map(({ id }) => id), ['1999']);
  assert.ok(listing.isOver());
  assert.equal(listing.read(), 2500);
  const other = server(tracks);
  assert.deepEqual(await makeListing(other.request, { text: 'sea' }).next(1, () => false), []);
  assert.equal(other.requests.length, 1);
});

test('an empty list is over at once', async () => {
  const listing = makeListing(server([]).request);
  assert.deepEqual(await listing.next(50), []);
  assert.ok(listing.isOver());
});
