import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location = { search: '?key=a%26b' };
const { address, credentials, get, refusal, tileAddress, tileTemplate } = await import('../../Sources/CWebPage/site/server.js');

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
