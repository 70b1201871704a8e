import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location = { search: '?key=a%26b' };
const { address, credentials, get, getEarly, refusal, tileAddress, tileTemplate } = await import('../../Sources/CWebPage/site/server.js');

test('every URL is relative and has the key of the page', () => {
  assert.equal(address('v1/tracks', { limit: 3, after: undefined }), 'v1/tracks?limit=3&key=a%26b');
  assert.equal(address('v1/tracks', [['id', 'a'], ['id', 'ä']]), 'v1/tracks?id=a&id=%C3%A4&key=a%26b');
  assert.deepEqual(credentials, { Authorization: 'Bearer a&b' });
});

test('tiles are loaded from where the page is, whatever host name the server gives', () => {
  const template = tileTemplate('long rides', 'https://maps.example/base/tiles/long%20rides/{z}/{x}/{y}.png?v=7&key=k');
  assert.equal(template, 'tiles/long%20rides/{z}/{x}/{y}.png?v=7&key=k');
  assert.equal(tileAddress(template, { x: 1, y: 2, z: 3 }), 'tiles/long%20rides/3/1/2.png?v=7&key=k');
  assert.equal(tileTemplate('tiles', 'http://h/tiles/tiles/tiles/{z}/{x}/{y}.png'), 'tiles/tiles/{z}/{x}/{y}.png');
});

test('an error has the words of the server and its status', async () => {
  globalThis.fetch = async () => new Response('{"detail":"unknown layer \'x\'"}', { status: 404 });
  await assert.rejects(get('tiles/heat.json'), { message: "Unknown layer 'x'.", status: 404 });
  globalThis.fetch = async () => new Response('<html>', { status: 502 });
  await assert.rejects(get('tiles/heat.json'), { message: 'The server answers 502.', status: 502 });
  assert.equal(refusal(400, { detail: 'no!' }), 'No!');
});

test('a server that does not answer has status 0', async () => {
  globalThis.fetch = async () => { throw new TypeError('failed'); };
  await assert.rejects(get('health'), { status: 0, value: {} });
});

test('what was requested early is used once, and only if it was just requested', async () => {
  let requests = 0;
  const answering = globalThis.fetch, { now } = performance;
  globalThis.fetch = async (url) => new Response(JSON.stringify({ url, number: requests += 1 }));
  getEarly('health');
  getEarly('tiles/heat.json', { from: '2024-01-01' });
  assert.equal(requests, 2);
  assert.equal((await get('tiles/heat.json', { from: '2024-01-01' })).number, 2);
  assert.equal((await get('tiles/heat.json', { from: '2024-01-01' })).number, 3);
  assert.equal((await get('tiles/heat.json', { from: '2024-01-02' })).number, 4);
  // Node 18 does not let `performance.now` be assigned.
  Object.defineProperty(performance, 'now', { value: () => now.call(performance) + 60_000, configurable: true });
  assert.equal((await get('health')).number, 5);
  delete performance.now;
  globalThis.fetch = async () => new Response('{}', { status: 500 });
  getEarly('health');
  await assert.rejects(get('health'), { status: 500 });
  globalThis.fetch = answering;
});
