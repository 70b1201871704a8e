import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepPicture } from './chromium.mjs';
import { command, curve, folder, gpx, library, serve } from './server.mjs';
import { hasHeat, openPanel, pageTest, untilMap, untilTotals, untilView } from './steps.mjs';

/// Requests for scripts and style sheets in the first view; modules of a folder for development are not joined.
const MAX_ASSETS = process.env.TILESERVE_SITE ? 33 : 7;

/// The first view, the controls of the map, and the panels.
export function mapTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);

  on('the first view shows heat, a legend and totals', {}, async (page) => {
    assert.ok(await hasHeat(page));
    await page.untilText('#legend', /Days visited/);
    await keepPicture(page, 'first-view');
    await openPanel(page, 'map');
    assert.match(await page.untilText('#totals', /18 tracks/), /points/);
  });

  for (const [screen, form] of [['wide', {}], ['narrow', { width: 390, height: 844, isTouch: true }]]) {
    on(`with a panel in the address, the map shows the tracks beside it on a ${screen} screen`, { path: '#panel=tracks', ...form }, async (page) => {
      const [zoom] = await untilView(page);
      assert.ok(zoom >= 8, `zoom level ${zoom}`);
      assert.ok(await hasHeat(page));
    });
  }

  on('the first view loads no module of replays, panels or tools', { path: null }, async (page) => {
    await page.open(shared.url);
    await untilMap(page);
    await page.untilVisible('#legend');
    const assets = page.requested.filter((url) => /assets.*(js|css)$/.test(url)).map((url) => url.replace(/.*\//, ''));
    assert.deepEqual(assets.filter((name) => /player|moving|live|tracks|facts|statistics|files|find|tools|side\.css/.test(name)), []);
    assert.ok(assets.length <= MAX_ASSETS, `${assets.length} requests: ${assets.join(' ')}`);
    assert.equal(assets.length, new Set(assets).size);
  });

  test('an archive of pictures is a base map, and its maker is named', { timeout: 60_000 }, async () => {
    const path = await library({ 'one.gpx': gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: curve([13.4, 52.5], 100) }) });
    const file = join(folder, 'ground.mbtiles');
    await command('prerender', '--library', path, '--zoom', '0-12', '--output', file, '--set-meta', 'name=Ground',
      '--set-meta', 'attribution=<a href="https://example.org/">© The makers</a>');
    const { url, stop } = await serve(path, '--archive', file);
    const page = await shared.browser.page();
    try {
      await page.open(url + '#base=Ground&style=tracks');
      await page.untilText('.leaflet-control-attribution', /^© The makers/);
      await page.until('a tile of the archive is shown', () => document.querySelector('.leaflet-base-pane img.leaflet-tile-loaded'));
      assert.ok(page.requested.some((requested) => /\/tiles\/ground\/\d+/.test(requested)));
      await keepPicture(page, 'archive-as-base-map');
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  on('the zoom buttons change the zoom level in the address', {}, async (page) => {
    const before = await untilView(page);
    await page.click('.leaflet-control-zoom-in');
    const inside = await untilView(page, before);
    assert.equal(inside[0], before[0] + 1);
    await untilMap(page);
    await page.click('.leaflet-control-zoom-out');
    assert.equal((await untilView(page, inside))[0], before[0]);
  });

  on('another style draws other tiles, and its address opens it again', {}, async (page) => {
    await openPanel(page, 'appearance');
    await page.click('.look:has([value="tracks"])');
    await page.until('the tiles have the style', () =>
      [...document.querySelectorAll('.leaflet-tile-pane img')].every(({ src }) => src.includes('/tiles/tracks/')));
    const address = await page.evaluate(() => location.href);
    assert.match(address, /style=tracks/);
    await page.open('about:blank');
    await page.open(address);
    await untilMap(page);
    assert.ok(await page.evaluate(() => document.querySelector('.leaflet-tile-pane img').src.includes('/tracks/')));
  });

  on('a period is in the tiles and in the address, and Back returns to the one before', {}, async (page) => {
    await openPanel(page, 'map');
    await page.choose('#from', '2024-04-01');
    await page.until('the tiles have the period', () =>
      [...document.querySelectorAll('.leaflet-tile-pane img')].every(({ src }) => src.includes('from=2024-04-01')));
    assert.match(await page.evaluate(() => location.hash), /from=2024-04-01/);
    await page.back();
    await page.until('the period is over', () => document.querySelector('#from').value === '');
  });

  on('a period without tracks says so', { path: '#from=1990-01-01&to=1990-12-31' }, async (page) => {
    await page.untilText('#notice', /no tracks in this period/i);
    await openPanel(page, 'map');
    await page.click('[data-period="all"]');
    await page.untilHidden('#notice');
  });

  on('a click on a track lists the tracks that pass, and one of them can be selected', { path: '#map=15/52.51/13.38' }, async (page) => {
    await page.clickAt(...await placeOf(page, [13.3803, 52.51]));
    await page.untilText('.leaflet-popup', /Visited on \d+ days/);
    await page.click('.leaflet-popup .tracks button');
    await page.untilText('#only-name', /Walk|Ride/);
    await page.click('#only-end');
    await page.untilHidden('#only');
  });

  const comparison = '#map=15/52.51/13.38&from=2024-05-01&minus=2024-01-01/2024-04-30';
  on('a click on a comparison tells both sides', { path: comparison }, async (page) => {
    await page.untilText('#legend', /More days in/);
    await page.clickAt(...await placeOf(page, [13.3803, 52.51]));
    const text = await page.untilText('.leaflet-popup', /Visited on/);
    assert.match(text, /Visited on 3 days[^]*compared: on 1 day/);
    const halves = await page.evaluate(() => [...document.querySelectorAll('#legend-halves li')].map((half) =>
      [half.innerText, getComputedStyle(half.querySelector('i')).backgroundColor]));
    assert.match(halves[0][0], /More days in .*2024 – .*2024/);
    assert.match(halves[1][0], /More days since .*2024/);
    // The colours are those of the ends of the row.
    assert.deepEqual(halves.map(([, color]) => color), await page.evaluate(() =>
      [...document.querySelectorAll('#ramp i:first-child, #ramp i:last-child')].map((end) => getComputedStyle(end).backgroundColor)));
    await keepPicture(page, 'comparison');
  });

  on('a double click zooms and opens no pop-up', { path: '#map=15/52.51/13.38' }, async (page) => {
    const place = [13.3803, 52.51];
    await page.clickAt(...await placeOf(page, place), 2);
    await page.until('the map is at the next zoom level', () => location.hash.includes('map=16/'));
    // A single click shows that there is something to open.
    await page.clickAt(...await placeOf(page, place));
    await page.untilText('.leaflet-popup', /Visited on/);
    assert.equal(page.requested.filter((url) => url.includes('/v1/at')).length, 1);
  });

  on('a day in the address that does not exist is reported', { path: '#from=2024-13-45' }, async (page) => {
    await page.untilText('#notice', /from=2024-13-45/);
  });

  for (const panel of ['tracks', 'statistics', 'files']) {
    on(`the panel ${panel} opens from its button, and Back closes it`, {}, async (page) => {
      await page.click(`#rail [data-panel="${panel}"]`);
      await page.untilText('#side-title', /\w/);
      await page.back();
      await page.untilHidden('#side');
    });
  }

  on('a place is found by its name, and the map moves there', {}, async (page) => {
    await page.click('#tools [data-panel="find"]');
    await page.until('the field has the focus', () => document.activeElement.type === 'search');
    await page.type('zuri');
    await page.untilText('#side-body .tracks', /Zürich[^]*Switzerland/);
    await keepPicture(page, 'find');
    await page.key('ArrowDown');
    await page.key('Enter');
    await page.until('the map is there', () => {
      const [, latitude, longitude] = new URLSearchParams(location.hash.slice(1)).get('map').split('/').map(Number);
      return Math.abs(latitude - 47.37) < 0.2 && Math.abs(longitude - 8.5) < 0.5;
    });
    await page.untilText('.leaflet-tooltip', /^Zürich$/);
    await keepPicture(page, 'found');
  });

  on('on a narrow screen, finding a place closes the panel', { width: 390, height: 844, isTouch: true }, async (page) => {
    await page.click('#tools [data-panel="find"]');
    await page.until('the field has the focus', () => document.activeElement.type === 'search');
    await page.type('-33.9, 151.2');
    await page.key('Enter');
    await page.untilText('.leaflet-tooltip', /^-33.9, 151.2$/);
    await page.untilHidden('#side');
    await keepPicture(page, 'found-narrow');
  });

  test('a library of one track and one point has them in the singular', async () => {
    const one = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: [[13.4, 52.5]] });
    const { url, stop } = await serve(await library({ 'one.gpx': one }));
    const page = await shared.browser.page();
    await page.open(url);
    await untilTotals(page, /^1 track, 1 point$/);
    page.assertClean();
    await page.close();
    await stop();
  });

  test('an empty library says how to add tracks', async () => {
    const { url, stop } = await serve(await library({}));
    const page = await shared.browser.page();
    await page.open(url);
    await page.untilText('#welcome', /Add files[^]*To record with a phone/);
    assert.equal(await page.text('#legend'), '');
    await keepPicture(page, 'empty');
    page.assertClean();
    await page.close();
    await stop();
  });

  on('the page works on a narrow screen', { width: 390, height: 844, isTouch: true }, async (page) => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 390);
    await openPanel(page, 'appearance');
    await page.untilVisible('.look img');
    await keepPicture(page, 'narrow-appearance');
    await page.click('#side-end');
    await page.untilHidden('#side');
    assert.equal(await overlap(page), '');
    await keepPicture(page, 'narrow');
  });

  on('what the browser prefers decides between light and dark', { scheme: 'dark' }, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.dataset.background), 'dark');
    await keepPicture(page, 'dark');
  });

  on('the base map is below the heat, follows the background, can be switched off, and is remembered', { path: '#map=8/52.5/13.4&panel=appearance' }, async (page) => {
    const sources = (pane) => page.evaluate((name) =>
      [...document.querySelectorAll('.leaflet-' + name + '-pane img')].map(({ src }) => src), pane);
    const all = (pane, part) => page.until(`all tiles of ${pane} have ${part}`, ([name, text]) => {
      const images = [...document.querySelectorAll('.leaflet-' + name + '-pane img')];
      return images.length > 0 && images.every(({ src, complete }) => complete && src.includes(text));
    }, [pane, part]);
    await all('base', 'theme=light&show=land');
    await all('names', 'theme=light&show=names');
    await page.evaluate(() => document.querySelector('[name=background][value=dark]').click());
    await all('base', 'theme=dark');
    await page.choose('#base', 'none');
    await page.until('there is no base map', () => document.querySelectorAll('.leaflet-base-pane img').length === 0);
    await page.until('the address has the choice', () => location.hash.includes('base=none'));
    await page.open('about:blank');
    await page.open(shared.url + '#map=8/52.5/13.4');
    await untilMap(page);
    assert.deepEqual(await sources('base'), []);
    await openPanel(page, 'appearance');
    await page.choose('#base', '');
    await all('base', 'show=land');
  });

  on('base maps of other servers are offered, and only their images are permitted', { path: null }, async (page) => {
    const server = await serve(await library({}), '--basemap', 'Roads=http://tiles.invalid/{z}/{x}/{y}.png');
    const policy = (await fetch(server.url)).headers.get('content-security-policy');
    assert.match(policy, /img-src 'self' data: http:\/\/tiles.invalid;/);
    await page.open(server.url);
    await page.until('the map is offered', () => document.querySelector('#base option[value=Roads]'));
  });

  on('the keyboard alone is enough to reach the map, a panel and a place', { path: '#map=15/52.51/13.3803' }, async (page) => {
    await page.key('Tab');
    await page.until('the map has the focus', () => document.activeElement.id === 'map');
    await page.key('Enter');
    await page.untilText('.leaflet-popup', /Visited on/);
    await page.key('Escape');
    await page.untilHidden('.leaflet-popup');
    for (let step = 0; step < 40; step++) {
      await page.key('Tab');
      if (await page.evaluate(() => document.activeElement.dataset.panel === 'tracks')) break;
    }
    await page.key('Enter');
    await page.untilText('#side-title', /Tracks/);
    await page.until('the title has the focus', () => document.activeElement.id === 'side-title');
    await page.key('Escape');
    await page.untilHidden('#side');
  });
}

const mapBox = (page) => page.evaluate(() => {
  const { left, top, width, height } = document.querySelector('#map').getBoundingClientRect();
  return { left, top, width, height };
});

/// Where a place, [longitude, latitude], is on the screen, by the view in the address.
export async function placeOf(page, place) {
  const [x, y] = await placeOnMap(page, place), { left, top } = await mapBox(page);
  return [left + x, top + y];
}

/// The same, from the corner of the map.
export async function placeOnMap(page, [longitude, latitude]) {
  const [zoom, centreLatitude, centreLongitude] = await page.until('the address has the view', () =>
    new URLSearchParams(location.hash.slice(1)).get('map')?.split('/').map(Number));
  const { width, height } = await mapBox(page);
  const size = 256 * 2 ** zoom, radians = (degrees) => degrees * Math.PI / 180;
  const down = (degrees) => (1 - Math.asinh(Math.tan(radians(degrees))) / Math.PI) / 2 * size;
  return [width / 2 + (longitude - centreLongitude) / 360 * size, height / 2 + down(latitude) - down(centreLatitude)];
}

/// The scale and the label of a latitude or longitude that overlap; '' if none do.
const overlap = (page) => page.evaluate(() => {
  const scale = document.querySelector('.leaflet-control-scale').getBoundingClientRect();
  const label = [...document.querySelectorAll('.degrees')].find((other) => {
    const box = other.getBoundingClientRect();
    return box.left < scale.right && box.right > scale.left && box.top < scale.bottom && box.bottom > scale.top;
  });
  return label ? label.textContent : '';
});
