// The examples in Scripts/examples, as somebody would use them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepPicture } from './chromium.mjs';
import { folder, library, serve } from './server.mjs';
import { vectorArchive } from './vector-archive.mjs';

const root = new URL('../../', import.meta.url);
const examples = new URL('Scripts/examples/', root);
/// The server that the examples name.
const NAMED = 'http://127.0.0.1:8080';
/// The least difference between the channels of strong colours, and of colours of areas, which let the base map through.
const STRONG = 70, PALE = 30;
/// Where each page loads its library from, and where Scripts/setup puts the same files.
const maps = {
  leaflet: null,
  maplibre: { site: /^https:\/\/unpkg\.com\/maplibre-gl@/, folder: new URL('.build/maplibre/', root) },
  openlayers: { site: /^https:\/\/cdn\.jsdelivr\.net\/npm\/ol@/, folder: new URL('.build/openlayers/', root) },
};

export function exampleTests(shared) {
  for (const [name, source] of Object.entries(maps)) {
    const skip = !source || existsSync(source.folder) ? false : `${name} is not installed; run Scripts/setup test`;
    test(`the example ${name}.html shows the heat map`, { skip, timeout: 60_000 }, async () => {
      const { colored, requested } = await opened(shared, name, source, shared.url);
      assert.ok(colored > 200, `${colored} coloured pixels`);
      assert.ok(requested.some((url) => /\/tiles\/(heat\/)?\d+\/\d+\/\d+(@2x)?\.png/.test(url)), requested.join(' '));
      assert.ok(requested.some((url) => url.includes('/tiles/base/')));
    });
  }

  const mapLibreSkip = existsSync(maps.maplibre.folder) ? false : 'maplibre is not installed; run Scripts/setup test';
  test('the example maplibre-vector.html draws the lines of vector tiles', { skip: mapLibreSkip, timeout: 60_000 }, async () => {
    const { colored, requested } = await opened(shared, 'maplibre-vector', maps.maplibre, shared.url);
    assert.ok(colored > 200, `${colored} coloured pixels`);
    assert.ok(requested.some((url) => url.endsWith('/tiles.json?format=mvt')), requested.join(' '));
    // Workers of MapLibre request the tiles, which are not in the list of the page; pictures would be.
    assert.ok(!requested.some((url) => /\/tiles\/(heat\/)?\d+\/\d+\/\d+(@2x)?\.png/.test(url)), requested.join(' '));
  });

  test('MapLibre shows a style by one URL', { skip: mapLibreSkip, timeout: 60_000 }, async () => {
    const { colored, requested } = await styled(shared, 'heat', shared.url);
    assert.ok(colored > 200, `${colored} coloured pixels`);
    for (const path of [/\/tiles\/heat\/\d+\/\d+\/\d+@2x\.png/, /\/tiles\/base\/\d+/]) {
      assert.ok(requested.some((url) => path.test(url)), requested.join(' '));
    }
  });

  test('MapLibre shows areas and lines of a vector archive by one URL', { skip: mapLibreSkip, timeout: 60_000 }, async () => {
    const file = join(folder, 'shapes.pmtiles');
    writeFileSync(file, vectorArchive());
    const { url, stop } = await serve(await library({}), '--archive', file);
    // A worker requests the tile, so it is not in the list of requests.
    const { colored } = await styled(shared, 'shapes', url, PALE);
    // The area of the layer `water` is a quarter of the tile.
    assert.ok(colored > 60_000, `${colored} coloured pixels`);
    await stop();
  });

  const openLayersSkip = existsSync(maps.openlayers.folder) ? false : 'OpenLayers is not installed; run Scripts/setup test';
  for (const [what, path, layer] of [
    ['pictures', 'ogc/collections/heat/map/tiles', 'new ol.layer.Tile({ source: new ol.source.OGCMapTile({ url, crossOrigin: "anonymous" }) })'],
    ['vector tiles', 'ogc/collections/tracks/tiles', `new ol.layer.VectorTile({
      source: new ol.source.OGCVectorTile({ url, format: new ol.format.MVT() }), style: { 'stroke-color': '#1552d8', 'stroke-width': 3 },
    })`],
  ]) {
    test(`OpenLayers shows ${what} of OGC API – Tiles`, { skip: openLayersSkip, timeout: 60_000 }, async () => {
      const site = 'https://cdn.jsdelivr.net/npm/ol@10.7.0/';
      const name = `openlayers-ogc-${what.replace(' ', '-')}`;
      const { colored, requested } = await shown(shared, name, maps.openlayers, shared.url, `<!doctype html><meta charset="utf-8">
        <link rel="stylesheet" href="${site}ol.css"><script src="${site}dist/ol.js"></script>
        <style>html, body, #map { height: 100%; margin: 0; }</style><div id="map"></div>
        <script type="module">
          const { bounds } = await (await fetch('${shared.url}tiles.json')).json();
          const url = '${shared.url}${path}/WebMercatorQuad';
          const map = new ol.Map({ target: 'map', layers: [${layer}], view: new ol.View() });
          map.getView().fit(ol.proj.transformExtent(bounds, 'EPSG:4326', 'EPSG:3857'));
        </script>`);
      assert.ok(colored > 200, `${colored} coloured pixels`);
      assert.ok(requested.some((url) => new RegExp(`/${path}/WebMercatorQuad/\\d+/\\d+/\\d+`).test(url)), requested.join(' '));
    });
  }

  test('the example leaflet.html shows no heat for an empty library', { timeout: 60_000 }, async () => {
    const { url, stop } = await serve(await library({}));
    assert.equal((await opened(shared, 'leaflet', null, url)).colored, 0);
    await stop();
  });

  test('the example replay.mjs loses and repeats no event, however often it is interrupted', { timeout: 60_000 }, async () => {
    const path = 'v1/replay?from=2024-12-01&to=2024-12-01&speed=max';
    const whole = await events(shared.url + path);
    assert.equal(whole[0].event, 'start');
    assert.equal(whole.at(-1).event, 'end');
    // Each connection is cut after some more bytes: within an id, a line, or between two events.
    const cuts = [700, 15_000, 40_001];
    const proxy = createServer((incoming, outgoing) => {
      const headers = { ...incoming.headers, host: new URL(shared.url).host };
      request(new URL(incoming.url, shared.url), { headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        let left = cuts.shift() ?? Infinity;
        answer.on('data', (data) => {
          outgoing.write(data.subarray(0, Math.max(0, left)));
          left -= data.length;
          if (left <= 0) outgoing.socket.destroySoon();
        });
        answer.on('end', () => outgoing.end());
      }).end();
    });
    const interrupted = await events(await listening(proxy) + path);
    close(proxy);
    assert.equal(cuts.length, 0);
    assert.deepEqual(interrupted, whole);
  });

  test('the example replay.mjs ends if its request is refused', async () => {
    await assert.rejects(events(shared.url + 'v1/replay?speed=fast'), ({ code, stderr }) => code === 1 && /speed/.test(stderr));
  });
}

/// The events that the example prints for a replay.
async function events(url) {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('replay.mjs', examples)), url], {
    maxBuffer: 1 << 28,
  });
  return stdout.trim().split('\n').map((line) => JSON.parse(line));
}

async function listening(server) {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}/`;
}

/// Opens an example that shows a server.
async function opened(shared, name, source, url) {
  const text = readFileSync(new URL(`${name}.html`, examples), 'utf8');
  assert.ok(text.includes(NAMED));
  return shown(shared, `example-${name}`, source, url, text.replaceAll(NAMED, url.replace(/\/$/, '')));
}

/// Opens a page with a map of MapLibre whose style is the URL of a style, and nothing else.
async function styled(shared, name, url, least) {
  const library = 'https://unpkg.com/maplibre-gl@5.3.0/dist/maplibre-gl';
  return shown(shared, `style-${name}`, maps.maplibre, url, `<!doctype html><meta charset="utf-8">
    <link rel="stylesheet" href="${library}.css"><script src="${library}.js"></script>
    <style>html, body, #map { height: 100%; margin: 0; }</style><div id="map"></div>
    <script>new maplibregl.Map({ container: 'map', style: '${url}styles/${name}/style.json' });</script>`, least);
}

/// Opens a page from a site of its own. Counts the pixels of its picture that have a strong colour, as only the heat has, and
/// lists the requests.
async function shown(shared, name, source, url, text, least = STRONG) {
  const site = createServer((incoming, outgoing) => {
    if (incoming.url !== `/${name}.html`) return outgoing.writeHead(incoming.url === '/favicon.ico' ? 204 : 404).end();
    outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end(text);
  });
  const page = await shared.browser.page({ width: 800, height: 600 });
  try {
    // The browser checks the digests in the page: so the files have to be those of the other site.
    if (source) await page.intercept(source.site, (wanted) => file(source.folder, wanted));
    await page.open(`${await listening(site)}${name}.html`);
    const colored = await settled(() => strongPixels(page, least));
    await keepPicture(page, name);
    // Taking the picture of a WebGL map is slow, and Chromium says so.
    assert.deepEqual(page.faults().filter((fault) => !/GPU stall due to ReadPixels/.test(fault)), []);
    return { colored, requested: page.requested.filter((wanted) => wanted.startsWith(url)) };
  } finally {
    await page.close();
    close(site);
  }
}

/// The value of `measure` when it no longer changes; the map has some seconds to appear.
async function settled(measure) {
  let value = 0, before = -1;
  for (let round = 0; round < 100 && (value !== before || (value === 0 && round < 20)); round++) {
    before = value;
    await new Promise((done) => setTimeout(done, 300));
    value = await measure();
  }
  return value;
}

function close(server) {
  server.close();
  server.closeAllConnections();
}

const file = (folder, url) => ({
  type: url.endsWith('.css') ? 'text/css' : 'text/javascript', body: readFileSync(new URL(url.replace(/.*\//, ''), folder)),
});

/// The controls of the map are at its edges and do not count.
async function strongPixels(page, least) {
  return page.evaluate(async (picture, least) => {
    const image = await createImageBitmap(await (await fetch(picture)).blob());
    const canvas = new OffscreenCanvas(image.width - 200, image.height - 200), context = canvas.getContext('2d');
    context.drawImage(image, -100, -100);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > least) count += 1;
    }
    return count;
  }, `data:image/png;base64,${(await page.screenshot()).toString('base64')}`, least);
}
