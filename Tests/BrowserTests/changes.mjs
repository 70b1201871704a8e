import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curve, gpx, library, record, serve, write } from './server.mjs';
import { openPanel, untilMap, untilTotals } from './steps.mjs';

/// Adding files, and what is being recorded; each with a library of its own.
export function changeTests(shared) {
  async function withLibrary(files, body) {
    const { url, stop } = await serve(await library(files));
    const page = await shared.browser.page();
    try {
      await page.open(url);
      await untilTotals(page, /track/);
      await body(page, url);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  }

  const start = '2024-05-01T10:00:00Z';

  test('files dropped on the page are imported, shown and undone; one that fails is named', async () => {
    await withLibrary({}, async (page) => {
      const good = gpx({ name: 'Dropped', start, places: curve([13.4, 52.5], 100) });
      await page.drop(write({ 'good.gpx': good, 'broken.gpx': '<gpx><trk>' }), 400, 400);
      await page.untilText('#side-body [role="status"]', /broken\.gpx/);
      await page.untilText('#side-body .files', /good\.gpx\s+1 new track, 100 new points/);
      await untilTotals(page, /^1 track, 100 points/);
      await untilMap(page);
      await page.click('#side-body .row button:last-child');
      await page.click('#side-body .danger');
      await untilTotals(page, /^0 tracks, 0 points/);
    });
  });

  test('Live shows the last position of a device that recorded before it was opened', async () => {
    await withLibrary({ 'one.gpx': gpx({ name: 'One', start, places: curve([13.4, 52.5], 50) }) }, async (page, url) => {
      const now = Math.floor(Date.now() / 1000);
      await record(url, 'phone', [{ t: now - 60, lon: 13.41, lat: 52.51 }, { t: now - 30, lon: 13.412, lat: 52.511 }]);
      await openPanel(page, 'play');
      await page.click('#live');
      await page.untilText('#live-status', /phone/);
      await record(url, 'phone', [{ t: now, lon: 13.413, lat: 52.512, speed: 5 }]);
      await page.untilText('#live-status', /km\/h|mph/);
      await page.click('#live');
      await page.untilHidden('#live-row');
    });
  });

  test('a point recorded across 180° is followed', async () => {
    await withLibrary({ 'one.gpx': gpx({ name: 'One', start, places: [[179.95, 0], [179.99, 0]] }) }, async (page, url) => {
      const now = Math.floor(Date.now() / 1000);
      await openPanel(page, 'play');
      await page.click('#live');
      await page.untilVisible('#live-follow');
      if (!await page.evaluate(() => document.querySelector('#live-follow').checked)) await page.click('#live-follow');
      await record(url, 'ship', [{ t: now - 20, lon: 179.99, lat: 0 }]);
      await page.untilText('#live-status', /ship/);
      await record(url, 'ship', [{ t: now, lon: -179.9, lat: 0 }]);
      await page.until('the map shows the ship', () => {
        const longitude = Number(new URLSearchParams(location.hash.slice(1)).get('map')?.split('/')[2]);
        return Math.abs(((longitude + 179.9) % 360 + 540) % 360 - 180) < 0.06;
      });
    });
  });

  test('a year ago today is one click away, and a replay leaves out the rest before the first movement', async () => {
    // Today in the time zone of the server and of the browser.
    const [year, month, date] = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' }).split('-').map(Number);
    const day = new Date(Date.UTC(year - 1, month - 1, date, 10));
    const rest = Array.from({ length: 90 }, () => [13.4, 52.5]);
    const old = gpx({ name: 'Old', start: day.toISOString(), places: [...rest, ...curve([13.4, 52.5], 60)] });
    await withLibrary({ 'old.gpx': old, 'one.gpx': gpx({ name: 'One', start, places: curve([2, 48], 50) }) }, async (page) => {
      await page.untilText('#timeline', /A year ago today/);
      await page.click('#timeline .head button');
      await page.until('the period is that day', (wanted) => document.querySelector('#from').value === wanted
        && document.querySelector('#to').value === wanted, day.toISOString().slice(0, 10));
      await page.until('the map is there', () => location.hash.includes('/13.4'));
      await openPanel(page, 'play');
      await page.click('#replay');
      await page.untilText('#now-name', /Old/);
      // 90 places of 10 s each.
      const at = await page.until('the instant is in the address', () => new URLSearchParams(location.hash.slice(1)).get('at'));
      assert.ok(Date.parse(at) - day >= 880_000, at);
    });
  });

  test('All shows both sides of 180°', async () => {
    const files = {
      'east.gpx': gpx({ name: 'East', start, places: [[178.2, -17], [178.4, -17.2]] }),
      'west.gpx': gpx({ name: 'West', start: '2024-05-02T10:00:00Z', places: [[-178.4, -17.4], [-178.2, -17.3]] }),
    };
    await withLibrary(files, async (page) => {
      await untilMap(page);
      const zoom = await page.until('the address has a view', () =>
        Number(new URLSearchParams(location.hash.slice(1)).get('map')?.split('/')[0]));
      assert.ok(zoom >= 5, `zoom level ${zoom}: the whole world instead of the islands`);
    });
  });
}
