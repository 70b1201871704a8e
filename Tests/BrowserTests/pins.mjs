import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command, curve, gpx, library, serve } from './server.mjs';
import { keepPicture } from './chromium.mjs';
import { untilMap } from './steps.mjs';

/// A PNG of one blue pixel, which has no place.
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==', 'base64');
const waypoints = [[13.40, 52.52, 'Hut'], [13.41, 52.52, 'Spring'], [13.40, 52.53, 'Bench'], [8.5, 47.4, 'Station']];

/// Lets a member join, so that there is somebody to vote and to talk with. Persons are known from the first thing that they do.
async function join(url, path) {
  const text = await command('tokens', 'add', '--library', path, '--role', 'member', '--person', 'bea');
  const headers = { Authorization: 'Bearer ' + /[A-Za-z0-9_-]{30,}/.exec(text)[0] };
  const act = () => fetch(url + 'v1/persons/bea', { method: 'PATCH', headers, body: JSON.stringify({ displayName: 'Bea' }) });
  // The server learns of tokens within a second.
  for (let tries = 0; tries < 50 && !(await act()).ok; tries++) await new Promise((done) => setTimeout(done, 100));
}

/// Pins on the map, and their panels.
export function pinsTests(shared) {
  test('pins are listed and on the map, opened, commented on, added and deleted', { timeout: 60_000 }, async () => {
    const text = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: curve([13.4, 52.5], 100) });
    const points = waypoints.map(([lon, lat, name]) =>
      `<wpt lat="${lat}" lon="${lon}"><time>2024-05-01T10:05:00Z</time><name>${name}</name><type>${name === 'Hut' ? 'shelter' : 'other'}</type></wpt>`);
    const path = await library({ 'one.gpx': text.replace('<trk>', points.join('') + '<trk>') });
    const { url, stop } = await serve(path);
    await join(url, path);
    const page = await shared.browser.page();
    try {
      await page.open(url + '#map=15/52.521/13.401');
      await untilMap(page);
      await page.click('#rail [data-panel="pins"]');
      await page.untilText('#side-body', /4 pins/);
      for (const [, , name] of waypoints) await page.untilText('#side-body .tracks', new RegExp(name));
      await page.until('the layer is there', () => [...document.querySelectorAll('.leaflet-pins-pane img')]
        .some((image) => image.complete && image.naturalWidth > 0));

      await page.choose('#side-body input[placeholder="Any"]', 'shelter');
      await page.untilText('#side-body', /1 pin\./);
      await page.choose('#side-body input[placeholder="Any"]', '');
      await page.choose('#side-body input[placeholder="such as 6-9"]', '25');
      await page.until('the hour is marked', () => document.querySelector('[aria-invalid="true"]'));
      await page.choose('#side-body input[placeholder="such as 6-9"]', '');
      await page.untilText('#side-body', /4 pins/);

      await page.click('#side-body .tracks li:nth-child(1) button');
      await page.untilText('#side-title', /Hut|Spring|Bench|Station/);
      const name = await page.evaluate(() => document.querySelector('#side-title').textContent);
      await page.click('#side-body textarea');
      await page.type('A quiet place');
      await page.click('#side-body form button[type="submit"]:not(details *)');
      await page.untilText('#side-body .comments', /A quiet place/);
      await page.click('#side-body textarea');
      await page.type('A better place');
      await page.click('#side-body form button[type="submit"]:not(details *)');
      await page.untilText('#side-body .comments', /A quiet place[^]*A better place/);
      await page.click('#side-body .comments li:nth-child(2) [aria-label="Vote for this comment"]');
      await page.untilText('#side-body .comments li:nth-child(2)', /1 vote/);
      await page.evaluate(() => {
        const order = document.querySelector('#side-body label select');
        order.value = 'score';
        order.dispatchEvent(new Event('change'));
      });
      await page.untilText('#side-body .comments', /A better place[^]*A quiet place/);
      await page.click('#side-body .comments li:nth-child(1) [aria-label="Take my vote for this comment back"]');
      await page.untilText('#side-body .comments', /A quiet place[^]*A better place/);
      await page.back();
      await page.untilText('#side-body .tracks', new RegExp(name + '[^]*2 comments'));

      await page.click('#side-body [data-panel="add-pin"]');
      await page.untilText('#side-title', /Add a pin/);
      await page.click('#side-body form > button');
      await page.untilText('#side-body [role="status"]', /Choose a place/);
      await page.click('#side-body .row button');
      await page.untilText('#side-body .readout', /52\.5\d+, 13\.4/);
      await page.evaluate(() => { document.querySelector('#side-body input[type="text"]').value = 'New one'; });
      await page.evaluate((data) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const files = new DataTransfer();
        files.items.add(new File([bytes], 'blue.png', { type: 'image/png' }));
        document.querySelector('#side-body input[type="file"]').files = files.files;
      }, PIXEL.toString('base64'));
      await page.click('#side-body form > button');
      await page.untilText('#side-title', /New one/);
      await page.until('the photo is shown', () => document.querySelector('#side-body .photo')?.naturalWidth > 0);
      await page.click('#side-body .frame');
      await page.until('the photo is large', () => document.querySelector('dialog.lightbox[open] img')?.naturalWidth > 0);
      await page.key('Escape');
      await page.until('the dialog is closed', () => !document.querySelector('dialog'));
      assert.match(await page.evaluate(() => document.querySelector('#side-title').textContent), /New one/);

      await page.click('#side-body details summary');
      await page.click('#side-body details .row button:last-child');
      await page.click('#side-body .danger');
      await page.untilText('#side-body', /4 pins/);
      assert.doesNotMatch(await command('pins', 'list', '--library', path), /New one/);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  test('without members, a pin has no votes, no comments and no reports', { timeout: 60_000 }, async () => {
    const text = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: curve([13.4, 52.5], 100) });
    const path = await library({ 'one.gpx': text.replace('<trk>', '<wpt lat="52.52" lon="13.4"><name>Hut</name></wpt><trk>') });
    const { url, stop } = await serve(path);
    const page = await shared.browser.page();
    try {
      await page.open(url + '#panel=pins');
      await page.click('#side-body .tracks button');
      await page.untilText('#side-title', /Hut/);
      await page.untilText('#side-body .facts', /52\.5/);
      assert.doesNotMatch(await page.text('#side-body'), /vote|report|comment/i);
      await join(url, path);
      await page.open('about:blank');
      await page.open(url + '#panel=pins');
      await page.click('#side-body .tracks button');
      await page.untilText('#side-body', /Vote for it[^]*Report/);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  test('a replay shows a photo when its moment comes', { timeout: 60_000 }, async () => {
    const text = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: curve([13.4, 52.5], 200) });
    const { url, stop } = await serve(await library({ 'one.gpx': text }));
    const form = new FormData();
    for (const [name, value] of Object.entries({ time: '2024-05-01T10:05:00Z', caption: 'On the way' })) form.append(name, value);
    form.append('photo', new Blob([PIXEL], { type: 'image/png' }), 'blue.png');
    const answer = await fetch(url + 'v1/pins', { method: 'POST', body: form });
    assert.equal(answer.status, 201, await answer.text());
    const page = await shared.browser.page();
    try {
      await page.open(url + '#play=2024-05-01&speed=120');
      await page.untilText('#now-name', /One/);
      await page.click('#play');
      await page.untilText('.replay-photo', /On the way/);
      await keepPicture(page, 'replay-photo');
      await page.click('.replay-photo');
      await page.until('the photo is large', () => document.querySelector('dialog.lightbox[open] img')?.naturalWidth > 0);
      await page.key('Escape');
      await page.until('the dialog is closed', () => !document.querySelector('dialog'));
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  test('a click on a bubble lists the pins that it counts', { timeout: 60_000 }, async () => {
    const points = waypoints.map(([lon, lat, name]) => `<wpt lat="${lat}" lon="${lon}"><name>${name}</name></wpt>`);
    const text = gpx({ name: 'One', start: '2024-05-01T10:00:00Z', places: curve([13.4, 52.5], 100) });
    const path = await library({ 'one.gpx': text.replace('<trk>', points.join('') + '<trk>') });
    const { url, stop } = await serve(path);
    const page = await shared.browser.page();
    try {
      await page.open(url + '#pins=1&map=8/52.52/13.405');
      await untilMap(page);
      const place = await page.until('a bubble is at the middle of the map', async () => {
        const { width, height, left, top } = document.querySelector('#map').getBoundingClientRect();
        const scale = 256 * 2 ** 8, x = (13.405 + 180) / 360 * scale;
        const y = (1 - Math.asinh(Math.tan(52.52 * Math.PI / 180)) / Math.PI) / 2 * scale;
        const [column, row] = [Math.floor(x / 256), Math.floor(y / 256)];
        const { bubbles } = await (await fetch(`tiles/pins/8/${column}/${row}.json`)).json();
        const bubble = bubbles.find(({ count }) => count === 3);
        return bubble && [left + width / 2 + column * 256 + bubble.px[0] - x, top + height / 2 + row * 256 + bubble.px[1] - y];
      });
      await page.clickAt(...place);
      await page.untilText('#side-body', /3 pins at this place/);
      assert.equal(await page.evaluate(() => document.querySelectorAll('#side-body .tracks li').length), 3);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });
}
