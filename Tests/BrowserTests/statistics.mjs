import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPicture } from './chromium.mjs';
import { gpx, library, serve } from './server.mjs';
import { pageTest, untilMap, untilView, view } from './steps.mjs';

/// The views of statistics.
export function statisticsTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);
  const read = async (path) => (await fetch(shared.url + path)).json();
  const parameter = (page, name) => page.evaluate((wanted) =>
    new URLSearchParams(location.hash.slice(1)).get(wanted), name);
  /// Chooses an option of the select with a name, or writes into the field with it.
  const choose = (page, name, value) => page.choose(`[data-control="${name}"]`, value);

  on('Statistics shows the totals of the server, and keeps what was chosen', {}, async (page) => {
    const { rows, total } = await read('v1/stats?by=year');
    await page.click('#rail [data-panel="statistics"]');
    await page.untilText('#side-body .facts', new RegExp(`Tracks\\s+${total.tracks}\\s+Days\\s+${total.days}`));
    await page.untilText('#side-body figcaption', /Distance by month/);
    await choose(page, 'by', 'year');
    await page.untilText('#side-body figcaption', /Distance by year/);
    await page.evaluate(() => document.querySelector('[data-control="measure"]').focus());
    await choose(page, 'measure', 'days');
    await page.untilText('#side-body figcaption', /Days by year/);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.control), 'measure');
    assert.deepEqual(await page.evaluate(() =>
      [...document.querySelectorAll('#side-body .totals-table tbody tr')].map((row) => row.lastChild.textContent)),
    rows.map(({ days }) => String(days)).reverse());
    assert.equal(await page.evaluate(() => document.querySelectorAll('#side-body .chart .bar').length), rows.length);
  });

  on('Statistics follow the period', { path: '#panel=statistics&from=2024-12-01&to=2024-12-01' }, async (page) => {
    const { total } = await read('v1/stats?from=2024-12-01&to=2024-12-01');
    assert.equal(total.tracks, 2);
    await page.untilText('#side-body .facts', /Tracks\s+2\s+Days\s+1/);
    // A click beside the period.
    await page.click('#timeline .plot');
    await page.untilText('#side-body [role="status"]', /all time/);
    await page.untilText('#side-body .facts', /Tracks\s+18/);
  });

  on('a year is reviewed, its longest track opens, and Back returns', { path: '#panel=year&year=2023' }, async (page) => {
    const review = await read('v1/stats/year/2023');
    await page.untilText('#side-body .facts', new RegExp(`Tracks\\s+${review.total.tracks}\\s`));
    assert.equal(await page.evaluate(() => document.querySelectorAll('#side-body .calendar rect').length), 365);
    assert.equal(await page.evaluate(() =>
      document.querySelectorAll('#side-body .calendar rect:not(.shade-0)').length), review.total.days);
    await page.click('#side-body .link');
    await page.until('the track is open', (id) => new URLSearchParams(location.hash.slice(1)).get('track') === id,
      review.longestTrack.id);
    await page.back();
    await page.untilText('#side-title', /Year in review/);
    await choose(page, 'year', '2024');
    await page.untilText('#side-body .facts', /Days\s+\d/);
    await page.until('the leap year is there', () => document.querySelectorAll('#side-body .calendar rect').length === 366);
    await page.click('#side-body .row button');
    await page.until('the period is the year', () => document.querySelector('#from').value === '2024-01-01'
      && document.querySelector('#to').value === '2024-12-31');
  });

  test('a place where somebody stayed gets a name, and loses it again', { timeout: 60_000 }, async () => {
    const places = Array.from({ length: 120 }, (_, minute) => [13.31 + Math.max(0, minute - 90) * 0.004, 52.53]);
    const text = gpx({ name: 'Long stay', start: '2022-03-01T10:00:00Z', seconds: 60, places });
    const { url, stop } = await serve(await library({ 'stay.gpx': text }));
    const page = await shared.browser.page();
    const stays = async (path) => (await fetch(url + path)).json();
    try {
      await page.open(url + '#panel=stays&map=10/52.5/13.4');
      await page.untilText('#side-body .bars', /1 stay/);
      await page.click('#side-body .bars .quiet .link');
      await page.until('the field has the focus', () => document.activeElement.dataset.control === 'name');
      await page.type('Allotment');
      await page.key('Enter');
      await page.untilText('#side-body .bars', /Allotment/);
      await keepPicture(page, 'stays');
      assert.equal((await stays('v1/stays/places')).places[0].name, 'Allotment');
      assert.equal((await stays('v1/stays'))[0].name, 'Allotment');
      await page.click('#side-body .bars li > .link');
      await page.until('the place is shown', () => location.hash.includes('map=16/'));
      await page.click('#side-body .bars .quiet .link');
      await page.until('the field is there', () => document.activeElement.dataset.control === 'name');
      await page.choose('[data-control="name"]', '');
      await page.click('#side-body .bars form button');
      await page.untilText('#side-body .bars .quiet', /Name$/);
      assert.equal((await stays('v1/stays'))[0].name, null);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  on('visited tiles are shown on the map, with their largest square', { path: '#panel=explorer&map=5/52.5/13.4' }, async (page) => {
    const { tiles, square } = await read('v1/explorer?zoom=14');
    await page.untilText('#side-body table', new RegExp(`Tiles visited\\s+${tiles}\\s`));
    await page.click('[data-control="tiles14"]');
    await page.until('the style is in the address', () => location.hash.includes('style=explorer'));
    await page.untilText('#side-body .key', /The largest square/);
    await untilMap(page);
    assert.ok(page.requested.some((url) => /\/tiles\/explorer\/\d/.test(url)));
    if (square.side > 1) {
      const before = await view(page);
      await page.click('[data-control="square14"]');
      const [zoom] = await untilView(page, before);
      assert.ok(zoom > 8, `zoom ${zoom}`);
    }
    await page.click('[data-control="tiles14"]');
    await page.until('the style is as before', () => !location.hash.includes('style='));
    assert.equal(await parameter(page, 'panel'), 'explorer');
  });

  on('countries are listed, with when somebody was there', { path: '#panel=countries' }, async (page) => {
    await page.untilText('#side-body h3', /Visited: 1/);
    await page.untilText('#side-body .bars', /DE\s+Germany/);
    await page.click('#side-body .bars summary');
    await page.untilText('#side-body .bars details', /2024/);
    await page.click('[data-control="map"]');
    await page.until('the style is in the address', () => location.hash.includes('style=countries'));
    await untilMap(page);
  });
}
