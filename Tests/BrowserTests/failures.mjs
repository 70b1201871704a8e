import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command, gpx, library, serve } from './server.mjs';
import { hasHeat, pageTest, untilMap } from './steps.mjs';

/// What fails is said, and is over when it is over.
export function failureTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);

  on('a tile that failed once is shown when it comes', { path: null }, async (page) => {
    const failed = new Set();
    await page.intercept(/\/tiles\/heat\/\d+\/\d+\/\d+/, (url) => {
      if (failed.has(url)) return null;
      failed.add(url);
      return 503;
    });
    await page.open(shared.url);
    await page.untilText('#notice', /Some tiles could not be loaded; trying again/);
    await untilMap(page);
    await page.untilHidden('#notice');
    assert.ok(await hasHeat(page));
    assert.ok(await page.evaluate(() => [...document.querySelectorAll('.leaflet-tile-pane .tile')]
      .every((tile) => Number(getComputedStyle(tile).opacity) > 0.9 && getComputedStyle(tile).visibility !== 'hidden')));
    assert.ok(page.faults().every((fault) => /503/.test(fault)));
  });

  on('that the server does not answer is shown until it answers again', {}, async (page) => {
    let isLost = true;
    await page.intercept(/\/health/, () => isLost && 'lost');
    await page.untilText('#notice', /does not answer/);
    isLost = false;
    await page.untilHidden('#notice');
    assert.ok(page.faults().every((fault) => /health|ERR_CONNECTION_REFUSED/.test(fault)));
  });

  on('a server that reports a failure still shows the map', { path: null }, async (page) => {
    const health = await (await fetch(shared.url + 'health')).json();
    await page.beforeLoad(`() => {
      const plain = fetch;
      window.fetch = async (url, options) => {
        const response = await plain(url, options);
        if (!String(url).startsWith('health')) return response;
        return new Response(${JSON.stringify(JSON.stringify({ ...health, status: 'degraded', reason: 'the disk is full' }))});
      };
    }`);
    await page.open(shared.url);
    await untilMap(page);
    assert.ok(await hasHeat(page));
    await page.untilText('#notice', /the disk is full/i);
  });

  on('a panel that cannot be loaded says so', {}, async (page) => {
    await page.intercept(/\/tracks\.[^/]*js/, () => 'lost');
    await page.click('#rail [data-panel="tracks"]');
    await page.untilText('#notice', /could not be loaded/);
    assert.ok(page.faults().every((fault) => /ERR_CONNECTION_REFUSED/.test(fault)));
  });

  test('a viewer sees no controls that change anything', async () => {
    const one = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: [[13.4, 52.5], [13.41, 52.5]] });
    const path = await library({ 'one.gpx': one });
    const token = /[A-Za-z0-9_-]{30,}/.exec(await command('tokens', 'add', '--library', path, '--role', 'viewer', 'reader'))[0];
    const { url, stop } = await serve(path, '--public-url', 'http://maps.example');
    const page = await shared.browser.page();
    await page.open(url + '?key=' + token + '#panel=files');
    await untilMap(page);
    await page.untilText('#side-body', /Only the owner/);
    assert.equal(await page.text('#side-body .drop'), '');
    page.assertClean();
    await page.close();
    await stop();
  });

  test('a page opened under another name than the public URL shows its map', async () => {
    const places = [[13.4, 52.5], [13.41, 52.5], [13.42, 52.51]];
    const one = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places });
    const { url, stop } = await serve(await library({ 'one.gpx': one }), '--public-url', 'http://maps.example',
      '--public-read');
    const page = await shared.browser.page();
    await page.open(url);
    await untilMap(page);
    assert.ok(await hasHeat(page));
    assert.deepEqual(page.requested.filter((address) => !address.startsWith(url) && address.startsWith('http')), []);
    page.assertClean();
    await page.close();
    await stop();
  });
}
