import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAxe, skip as axeSkip, violations } from './accessibility.mjs';
import { keepPicture } from './chromium.mjs';
import { curve, gpx, library, serve } from './server.mjs';
import { openPanel, pageTest, untilMap, untilView, view } from './steps.mjs';

/// The least share of the screen that is map while no panel is open.
const SHARES = [[390, 844, 0.7], [1440, 900, 0.8]];
const phone = { width: 390, height: 844, isTouch: true }, landscape = { width: 844, height: 390, isTouch: true };

/// The share of the screen on which the map is seen.
const mapShare = (page) => page.evaluate(() => {
  let seen = 0, all = 0;
  for (let x = 2; x < innerWidth; x += 12) {
    for (let y = 2; y < innerHeight; y += 12) {
      const top = document.elementFromPoint(x, y);
      all += 1;
      if (top?.closest('#map') && !top.closest('.leaflet-control')) seen += 1;
    }
  }
  return seen / all;
});

/// Names of buttons outside of the panel whose middle is covered by something else or lies outside of the screen.
const coveredButtons = (page) => page.evaluate(() => [...document.querySelectorAll('#tools button, .leaflet-control-zoom a, #side-end, #timeline .fold')]
  .filter((button) => {
    if (!button.checkVisibility()) return false;
    const { x, y, width, height } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }).map((button) => button.ariaLabel ?? button.title));

/// Pairs of elements, by their selectors, of which one lies over the other.
const overlaps = (page, ...selectors) => page.evaluate((wanted) => {
  const boxes = wanted.flatMap((selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => [selector, one.getBoundingClientRect()]));
  return boxes.flatMap(([name, box], index) => boxes.slice(index + 1)
    .filter(([other, { left, right, top, bottom }]) => other !== name
      && left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1)
    .map(([other]) => `${name} and ${other}`));
}, selectors);

const focused = (page) => page.evaluate(() => document.activeElement.dataset.panel ?? (document.activeElement.id || document.activeElement.localName));

/// Fails if axe-core, where it is installed, finds anything.
async function assertAccessible(page) {
  if (axeSkip) return;
  await loadAxe(page);
  assert.deepEqual(await violations(page), []);
}

/// The rail, the panels beside the map, and what the first view shows.
export function layoutTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);

  for (const [width, height, least] of SHARES) {
    on(`without a panel, most of the screen is map, ${width} pixels wide`, { width, height, isTouch: width < 500 }, async (page) => {
      await page.untilVisible('#timeline');
      const share = await mapShare(page);
      assert.ok(share >= least, `${share}`);
      assert.deepEqual(await coveredButtons(page), []);
      await keepPicture(page, `layout-${width}`);
    });
  }

  on('the timeline folds to a line, and stays so', {}, async (page) => {
    await page.untilVisible('#timeline');
    const height = () => page.evaluate(() => document.querySelector('#timeline').getBoundingClientRect().height);
    assert.ok(await height() > 80);
    await page.click('#timeline .fold');
    assert.ok(await height() < 44, `${await height()} pixels`);
    await page.open('about:blank');
    await page.open(shared.url);
    await page.untilVisible('#timeline');
    assert.ok(await height() < 44);
    await page.click('#timeline .fold');
    await page.untilVisible('#timeline .time-lapse');
  });

  on('the rail opens each panel, and marks the one to which the open panel belongs', {}, async (page) => {
    await page.untilVisible('#rail [data-panel="share"]');
    const words = await page.evaluate(() => [...document.querySelectorAll('#rail button')].filter((one) => one.checkVisibility()).map(({ innerText }) => innerText));
    // The library has no venues.
    assert.deepEqual(words, ['Map', 'Play', 'Tracks', 'Statistics', 'Pins', 'Journeys', 'Add', 'Share']);
    await openPanel(page, 'statistics');
    await page.click('#side-body nav [data-panel="year"]');
    await page.untilText('#side-title', /Year/);
    assert.equal(await page.evaluate(() => document.querySelector('#rail [aria-current]').dataset.panel), 'statistics');
  });

  on('the panel of the appearance shows the styles as they look here', {}, async (page) => {
    assert.deepEqual(page.requested.filter((url) => url.includes('/tiles/heat-glow/')), []);
    await openPanel(page, 'appearance');
    await page.until('the pictures are there', () => {
      const images = [...document.querySelectorAll('.look img')].slice(0, 8);
      return images.length === 8 && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    });
    await keepPicture(page, 'appearance');
    await page.click('.look:has([value="heat-glow"])');
    await page.until('the map has the style', () => location.hash.includes('style=heat-glow'));
    await untilMap(page);
    assert.ok(page.requested.every((url) => url.startsWith(shared.url)), 'a request of another site');
  });

  on('a panel pushes the map, which still shows all that it showed, and its place is the same afterwards', {}, async (page) => {
    const before = await untilView(page);
    const left = () => page.evaluate(() => document.querySelector('#map').getBoundingClientRect().left);
    const narrow = await left();
    await openPanel(page, 'tracks');
    assert.ok(await left() > narrow + 300);
    const { bounds: [west, , east] } = await (await fetch(shared.url + 'tiles.json')).json();
    const [zoom, , longitude] = await view(page), width = 1440 - await left();
    const x = (at) => width / 2 + (at - longitude) / 360 * 256 * 2 ** zoom;
    assert.ok(x(west) >= -1 && x(east) <= width + 1, `${x(west)} – ${x(east)} of ${width}`);
    await page.click('#side-end');
    await page.until('the map is where it was', (wanted) => {
      const [zoom, , longitude] = new URLSearchParams(location.hash.slice(1)).get('map').split('/').map(Number);
      return zoom === wanted[0] && Math.abs(longitude - wanted[2]) < 0.001;
    }, before);
  });

  on('a track of the list is shown as large as it fits', { path: '#panel=tracks' }, async (page) => {
    await page.untilText('#side-body .tracks', /First/);
    await page.click('#side-body .tracks li:nth-child(2) button');
    await page.untilText('#side-body', /Show on the map/);
    const track = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('track'));
    const { bbox: [west, south, east, north] } = await (await fetch(`${shared.url}v1/tracks/${track}`)).json();
    const [width, height] = await page.evaluate(() => {
      const { width, top } = document.querySelector('#map').getBoundingClientRect();
      return [width, document.querySelector('#timeline').getBoundingClientRect().top - top];
    });
    const down = (latitude) => Math.asinh(Math.tan(latitude * Math.PI / 180)) / Math.PI / 2;
    const size = (level) => [(east - west) / 360 * 256 * 2 ** level, (down(north) - down(south)) * 256 * 2 ** level];
    const fits = ([x, y]) => x <= width - 40 && y <= height - 40;
    const best = Array.from({ length: 17 }, (_, level) => level).filter((level) => fits(size(level))).at(-1);
    await page.until(`the map is at zoom level ${best}`, (wanted) => location.hash.includes(`map=${wanted}/`), best);
  });

  on('the header and the tabs of a panel stay in sight', { path: '#panel=statistics', ...landscape }, async (page) => {
    await page.untilText('#side-body .facts', /Tracks/);
    await page.evaluate(() => { document.querySelector('#side-body').scrollTop = 10_000; });
    const tops = await page.evaluate(() => [document.querySelector('#side-body').scrollTop, ...['#side-end', '#side-body nav'].map((one) =>
      document.querySelector(one).getBoundingClientRect().top)]);
    assert.ok(tops[0] > 100 && tops[1] >= 0 && tops[1] < 40 && tops[2] >= 0 && tops[2] < 90, tops.join());
    await page.click('#side-end');
    await page.untilHidden('#side');
  });

  on('Escape closes the panel wherever the focus is, and the focus returns to what opened it', {}, async (page) => {
    await page.untilVisible('#timeline');
    for (const [where, focus] of [['the panel', '#side-title'], ['the map', '#map'], ['the timeline', '#timeline .fold'], ['nowhere', '']]) {
      await openPanel(page, 'tracks');
      await page.evaluate((wanted) => wanted ? document.querySelector(wanted).focus() : document.activeElement.blur(), focus);
      await page.key('Escape');
      await page.untilHidden('#side');
      assert.equal(await focused(page), 'tracks', where);
    }
    // A field with a text clears it first.
    await openPanel(page, 'find');
    await page.type('Zür');
    await page.key('Escape');
    assert.equal(await page.evaluate(() => document.querySelector('#side-body input').value), '');
    await page.untilVisible('#side');
    await page.key('Escape');
    await page.untilHidden('#side');
    assert.equal(await focused(page), 'find');
    // The close button and the browser's Back.
    await openPanel(page, 'pins');
    await page.click('#side-end');
    assert.equal(await focused(page), 'pins');
    await openPanel(page, 'pins');
    await page.back();
    await page.untilHidden('#side');
    assert.equal(await focused(page), 'pins');
  });

  on('Escape closes a pop-up before the panel', { path: '#map=15/52.51/13.3803&panel=statistics' }, async (page) => {
    await page.untilText('#side-title', /Statistics/);
    await page.evaluate(() => document.querySelector('#map').focus());
    await page.key('Enter');
    await page.untilText('.leaflet-popup', /Visited on/);
    await page.evaluate(() => document.querySelector('#side-title').focus());
    await page.key('Escape');
    await page.untilHidden('.leaflet-popup');
    await page.untilVisible('#side');
    await page.key('Escape');
    await page.untilHidden('#side');
  });

  on('Back returns to where a list was scrolled', { path: '#panel=tracks', ...landscape }, async (page) => {
    await page.untilText('#side-body .tracks', /Ride 1\b/);
    await page.evaluate(() => { document.querySelector('#side-body').scrollTop = 420; });
    await page.evaluate(() => document.querySelector('#side-body .tracks li:nth-child(7) button').click());
    await page.untilText('#side-body', /Show on the map/);
    await page.back();
    await page.until('the list is scrolled as before', () => /^Tracks/.test(document.title)
      && Math.abs(document.querySelector('#side-body').scrollTop - 420) < 2);
  });

  on('Enter where nothing is says so', { path: '#map=15/50/10' }, async (page) => {
    await page.evaluate(() => document.querySelector('#map').focus());
    await page.key('Enter');
    await page.untilText('#notice', /No track passes the centre of the map\./);
    assert.equal(await page.evaluate(() => document.querySelector('#notice').getAttribute('role')), 'status');
  });

  on('on a phone in landscape, nothing lies over something else', { path: '#panel=statistics', ...landscape }, async (page) => {
    await page.untilText('#side-body .facts', /Tracks/);
    await page.untilVisible('#timeline');
    const parts = ['#rail', '#side', '#timeline', '#tools', '.leaflet-control-zoom', '.leaflet-control-scale', '.leaflet-control-attribution'];
    assert.deepEqual(await overlaps(page, ...parts), []);
    assert.deepEqual(await coveredButtons(page), []);
    await keepPicture(page, 'landscape-statistics');
    await page.click('#side-end');
    await page.untilHidden('#side');
    assert.deepEqual(await overlaps(page, ...parts, '#panel'), []);
    await keepPicture(page, 'landscape');
  });

  on('on a phone, nothing lies over the open timeline, and its button is at the end of its first line', phone, async (page) => {
    await page.click('#timeline .fold');
    await page.untilVisible('#timeline .time-lapse');
    assert.deepEqual(await coveredButtons(page), []);
    const [fold, when] = await page.evaluate(() => ['.fold', '.when'].map((one) => document.querySelector('#timeline ' + one).getBoundingClientRect().right));
    assert.ok(fold > when);
    await keepPicture(page, 'timeline-open-390');
  });

  on('on a phone, no panel covers a button', phone, async (page) => {
    await page.untilVisible('#timeline');
    const parts = ['#rail', '#side', '#timeline', '#tools', '.leaflet-control-zoom', '.leaflet-control-scale', '.leaflet-control-attribution', '#panel'];
    for (const panel of ['', 'map', 'play', 'appearance', 'tracks', 'statistics', 'pins', 'journeys', 'files', 'share']) {
      if (panel) await openPanel(page, panel);
      assert.deepEqual(await overlaps(page, ...parts), [], panel);
      assert.deepEqual(await coveredButtons(page), [], panel);
    }
  });

  test('tracks all over the world open at the busiest place, and the others are one click away', { timeout: 60_000 }, async () => {
    const files = {};
    for (const [index, [name, place, count]] of [['berlin', [13.4, 52.5], 5], ['tokyo', [139.7, 35.7], 2], ['lima', [-77, -12], 1]].entries()) {
      for (let number = 0; number < count; number++) {
        files[`${name}-${number}.gpx`] = gpx({ name: `${name} ${number}`, start: `2024-0${index + 1}-1${number}T10:00:00Z`, places: curve(place, 120) });
      }
    }
    const { url, stop } = await serve(await library(files)), page = await shared.browser.page();
    try {
      await page.open(url);
      await untilMap(page);
      const [zoom, latitude, longitude] = await untilView(page);
      assert.ok(zoom > 11 && Math.abs(latitude - 52.5) < 0.5 && Math.abs(longitude - 13.4) < 0.5, `${zoom} ${latitude} ${longitude}`);
      await page.untilText('#places', /5[^]*2[^]*1[^]*Everywhere/);
      await assertAccessible(page);
      await keepPicture(page, 'places');
      await page.click('#places button:nth-child(2)');
      await page.until('the map shows the second place', () => /\/35\.\d+\/139\./.test(location.hash));
      await page.click('#places button:nth-child(4)');
      await page.until('the map shows the world', () => /map=[0-3]\//.test(location.hash));
      await page.click('#places button:last-child');
      await page.untilHidden('#places');
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  test('an empty library begins with a place for files, which takes them', { timeout: 60_000 }, async () => {
    const { url, stop } = await serve(await library({}));
    const page = await shared.browser.page();
    try {
      await page.open(url);
      await page.untilText('#welcome', /Add files/);
      await assertAccessible(page);
      await page.evaluate(() => {
        const files = new DataTransfer();
        files.items.add(new File(['x'], 'x.gpx'));
        dispatchEvent(new DragEvent('dragover', { dataTransfer: files, bubbles: true, cancelable: true }));
      });
      await page.untilVisible('#drop-hint');
      await page.untilHidden('#drop-hint');
      await page.evaluate((text) => {
        const files = new DataTransfer(), field = document.querySelector('#welcome input');
        files.items.add(new File([text], 'first.gpx'));
        field.files = files.files;
        field.dispatchEvent(new Event('change'));
      }, gpx({ name: 'First', start: '2024-05-01T10:00:00Z', places: curve([13.4, 52.5], 100) }));
      await page.untilText('#side-body .files', /1 new track/);
      await untilMap(page);
      await page.click('#side-end');
      await page.untilHidden('#side');
      await page.untilHidden('#welcome');
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
    const other = await serve(await library({}), '--public-read', '--public-url', 'http://maps.example'), reader = await shared.browser.page();
    try {
      await reader.open(other.url);
      await reader.untilText('#notice', /No tracks yet/);
      assert.equal(await reader.text('#welcome'), '');
      assert.equal(await reader.text('#rail [data-panel="files"]'), '');
    } finally {
      await reader.close();
      await other.stop();
    }
  });
}
