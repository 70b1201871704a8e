import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittedProjection } from '../../Sources/CWebPage/site/scene-projection.js';
import { sceneCorners, scenePosts } from '../../Sources/CWebPage/site/scene-order.js';
import { forms, loadAxe, skip, violations } from './accessibility.mjs';
import { keepPicture } from './chromium.mjs';
import { gpx, library, serve } from './server.mjs';
import { pageTest } from './steps.mjs';

/// Corners of the largest scene, and how long drawing one frame of it may take on a busy machine, in milliseconds. On a free core
/// it takes less than 30.
const MANY = 20_000, FRAME_MS = 250;

const trackNamed = async (url, name) =>
  (await (await fetch(url + 'v1/tracks?limit=100')).json()).tracks.find((track) => track.name === name).id;
const part = (page, name) => page.evaluate((wanted) => new URLSearchParams(location.hash.slice(1)).get(wanted) ?? '', name);
/// Waits until a part of the address is something else than before.
const untilPart = (page, name, before) => page.until(`${name} is not ${before}`, (wanted, old) => {
  const value = new URLSearchParams(location.hash.slice(1)).get(wanted) ?? '';
  return value !== old && (value || ' ');
}, name, before);
const untilDrawn = (page) => page.until('the scene is drawn', () => Number(document.querySelector('#scene canvas.labels')?.dataset.frames) > 0);
/// The pixels of a layer: of the curtains, or of the ground.
const painted = (page, layer = 'solid') => page.evaluate(countPixels, layer);
/// Waits until the curtains have so many times as many pixels as before.
const untilLarger = (page, times, before) => page.until('it is larger', `(${countPixels})('solid') > ${times * before}`);

/// A copy is read, so that the page can go on drawing fast.
function countPixels(layer) {
  const canvas = document.querySelector('#scene .' + layer), copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, copy.width, copy.height).data.filter((value, index) => index % 4 === 3 && value > 0).length;
}
const picture = (page) => page.evaluate(() => document.querySelector('#scene-panel a').href);

/// The 3-D view of tracks.
export function sceneTests(shared) {
  pageTest(shared, 'a track is turned, tilted and zoomed in three dimensions', {}, async (page) => {
    const id = await trackNamed(shared.url, 'First');
    await page.evaluate((track) => { location.hash = '#panel=track&track=' + track; }, id);
    // The buttons move when the name comes.
    await page.untilText('#only-name', /First/);
    await page.click('#only-scene');
    await untilDrawn(page);
    assert.equal(await part(page, 'scene'), 'ele');
    assert.ok(await painted(page) > 5000);
    await page.until('the ground is there', `(${countPixels})('land') > 100000`);
    assert.equal(await page.evaluate(() => document.activeElement.className), 'labels');
    assert.match(await page.text('#scene-panel'), /82 ft – 180 ft/);
    await page.drag([800, 450], [700, 430]);
    assert.equal(await untilPart(page, 'azimuth', ''), '355');
    assert.equal(await untilPart(page, 'tilt', ''), '30');
    await page.key('ArrowLeft');
    assert.equal(await untilPart(page, 'azimuth', '355'), '0');
    await page.until('it is in words', () => /north, 0°/.test(document.querySelector('#scene-panel').innerText));
    const address = new URL(await picture(page));
    assert.equal(address.pathname, '/v1/scene.png');
    assert.deepEqual(['track', 'azimuth', 'tilt'].map((name) => address.searchParams.get(name)), [id, '0.0', '30.0']);
    const answer = await fetch(address);
    assert.deepEqual([answer.status, answer.headers.get('Content-Type')], [200, 'image/png']);
    const before = await painted(page);
    for (let presses = 0; presses < 3; presses++) await page.key('+');
    await untilLarger(page, 1.3, before);
    await page.choose('#scene-panel details label:last-of-type input', '0.5');
    assert.notEqual(await untilPart(page, 'stretch', ''), '');
    await page.click('#scene-panel .segments label:nth-child(2)');
    await page.untilText('#scene-panel', /0 s – 1 h 0 min/);
    assert.equal(await untilPart(page, 'scene', 'ele'), 'time');
    await keepPicture(page, 'scene');
    await page.click('#scene-panel .halves button:last-child');
    assert.equal(await untilPart(page, 'tilt', '30'), ' ');
    await page.evaluate(() => document.querySelector('#scene canvas.labels').focus());
    await page.key('Escape');
    await page.until('the map is back', () => !document.querySelector('#scene') && document.activeElement.id === 'only-scene');
    await page.back();
    await untilDrawn(page);
  });

  pageTest(shared, 'the profile and the plumb line show the same place', {}, async (page) => {
    const id = await trackNamed(shared.url, 'First');
    await page.evaluate((track) => { location.hash = `#panel=track&scene=ele&track=${track}`; }, id);
    await untilDrawn(page);
    await page.untilVisible('.profile svg');
    const box = await page.evaluate(() => {
      const { left, top, width, height } = document.querySelector('.profile svg').getBoundingClientRect();
      return [left + width / 4, top + height / 2];
    });
    await page.hover(...box);
    await page.untilText('#scene-panel output', /^1[78]\d ft · 11:1\d:\d\d/);
    const [shown, told] = await page.evaluate(() => [
      document.querySelector('.readout').textContent, document.querySelector('#scene-panel output').textContent,
    ]);
    assert.ok(shown.includes(told.split(' · ')[1].slice(0, 4)), `${shown} and ${told}`);
    // And the other way round.
    await page.choose('#scene-panel > label input[type="range"]', '300');
    await page.untilText('.readout', /11:5\d:\d\d/);
    await page.evaluate(() => document.querySelector('#scene-panel > label input[type="range"]').focus());
    await page.key('ArrowRight');
    await page.until('a screen reader reads it', () => /11:5\d/.test(document.activeElement.getAttribute('aria-valuetext')));
  });

  pageTest(shared, 'several tracks are chosen in the list and shown together', {}, async (page) => {
    await page.click('#rail [data-panel="tracks"]');
    await page.untilText('#side-body .tracks', /First/);
    await page.click('#side-body .row button:first-child');
    for (const name of ['First', 'Second']) {
      await page.evaluate((wanted) => [...document.querySelectorAll('#side-body .tracks button')].find(({ innerText }) => innerText.startsWith(wanted)).click(), name);
    }
    await page.untilText('#side-body .row', /Show 2 tracks/);
    await page.click('#side-body .row [data-opens="scene"]');
    await untilDrawn(page);
    await page.untilText('#scene-panel .key', /First[^]*Second|Second[^]*First/);
    await page.click('#scene-panel .segments label:nth-child(2)');
    await page.untilText('#scene-panel', /0 s – 1 h 30 min/);
    await page.click('#scene-panel .check');
    await page.untilText('#scene-panel', /0 s – 1 h 0 min/);
    assert.equal(await untilPart(page, 'common', ''), '1');
    assert.match(await picture(page), /start=common/);
  });

  pageTest(shared, 'two fingers zoom, one finger turns', { width: 390, height: 844 }, async (page) => {
    const id = await trackNamed(shared.url, 'First');
    await page.evaluate((track) => { location.hash = '#scene=ele&track=' + track; }, id);
    await untilDrawn(page);
    const before = await painted(page);
    const touch = (moves) => page.evaluate((list) => {
      const canvas = document.querySelector('#scene canvas.labels');
      canvas.setPointerCapture = () => {};
      for (const [type, pointerId, clientX, clientY] of list) {
        canvas.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY, pointerType: 'touch', bubbles: true, button: 0, buttons: 1 }));
      }
    }, moves);
    await touch([
      ['pointerdown', 1, 100, 200], ['pointerdown', 2, 200, 200], ['pointermove', 2, 240, 200], ['pointermove', 1, 60, 200],
      ['pointerup', 1, 60, 200], ['pointerup', 2, 240, 200],
    ]);
    await untilLarger(page, 1.2, before);
    await touch([['pointerdown', 3, 100, 200], ['pointermove', 3, 150, 200], ['pointerup', 3, 150, 200]]);
    assert.equal(await untilPart(page, 'azimuth', ''), '295');
    // Nothing of the map can be reached behind it.
    assert.equal(await page.evaluate(() => document.querySelector('#map').inert), true);
  });

  test('the page projects a scene as the server does', async () => {
    const tracks = [await trackNamed(shared.url, 'First'), await trackNamed(shared.url, 'Second')];
    for (const [azimuth, tilt, size, height] of [
      [0, 90, '800x600', 'ele'], [315, 35, '1024x768', 'ele'], [123, 10, '640x900', 'time'], [270, 62.5, '300x300', 'speed'],
    ]) {
      const query = `track=${tracks}&azimuth=${azimuth}&tilt=${tilt}&size=${size}&height=${height}`;
      const answer = await (await fetch(`${shared.url}v1/scene.json?${query}`)).json();
      const corners = sceneCorners(answer), posts = scenePosts(answer), [width, high] = size.split('x').map(Number);
      // Full hours are on the line, so that they do not change what is shown.
      const shown = { east: corners.east, north: corners.north, height: corners.rise.map((rise) => rise * answer.stretch) };
      const { scale, origin } = fittedProjection({ azimuth, tilt }, shown, width, high);
      assert.ok(Math.abs(scale / answer.pixelsPerMetre - 1) < 1e-3, `${query}: ${scale}, ${answer.pixelsPerMetre}`);
      origin.forEach((value, axis) => assert.ok(Math.abs(value - answer.origin[axis]) < 0.5, `${query}: ${origin}, ${answer.origin}`));
      assert.ok(posts.length > 0);
    }
  });

  test('a scene of 20,000 corners is drawn fast enough to be turned', { timeout: 120_000 }, async () => {
    let seed = 1;
    const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
    const places = [];
    let [x, y, high, angle] = [13, 52, 100, 0];
    for (let count = 0; count < MANY * 1.1; count++) {
      angle += (random() - 0.5) * 1.2;
      [x, y, high] = [x + 0.0006 * Math.cos(angle), y + 0.0004 * Math.sin(angle), high + (random() - 0.5) * 8];
      places.push([Number(x.toFixed(6)), Number(y.toFixed(6)), high]);
    }
    const { url, stop } = await serve(await library({ 'long.gpx': gpx({ name: 'Long', start: '2024-05-01T00:00:00Z', seconds: 5, places }) }));
    const page = await shared.browser.page();
    try {
      await page.open(`${url}#scene=ele&track=${await trackNamed(url, 'Long')}`);
      await untilDrawn(page);
      assert.equal(await page.evaluate(() => Number(document.querySelector('#scene-panel > label input[type="range"]').max) + 1), MANY);
      await page.click('#scene-panel .halves button:first-child');
      const times = await page.evaluate(async () => {
        const { dataset } = document.querySelector('#scene canvas.labels'), found = [], first = Number(dataset.frames);
        let last = first;
        while (last < first + 25) {
          await new Promise(requestAnimationFrame);
          if (Number(dataset.frames) !== last) found.push(Number(dataset.milliseconds));
          last = Number(dataset.frames);
        }
        return found.sort((one, other) => one - other);
      });
      assert.ok(times[times.length >> 1] < FRAME_MS, times.join(' '));
      await page.untilText('#scene-panel .halves', /Stop/);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  for (const form of forms) {
    test(`axe-core finds nothing in the 3-D view, ${form.scheme}, ${form.width} pixels wide`, { skip, timeout: 120_000 }, async () => {
      const ids = [await trackNamed(shared.url, 'First'), await trackNamed(shared.url, 'Second')], page = await shared.browser.page(form);
      await page.open(`${shared.url}#scene=time&panel=track&track=${ids[0]}`);
      await untilDrawn(page);
      await page.untilVisible('.profile svg');
      await loadAxe(page);
      assert.deepEqual(await violations(page), [], 'one');
      await keepPicture(page, `scene-${form.scheme}-${form.width}`);
      await page.evaluate((tracks) => { location.hash = '#scene=ele&track=' + tracks; }, ids.join());
      await page.untilVisible('#scene-panel .key li');
      assert.deepEqual(await violations(page), [], 'two');
      await keepPicture(page, `scene-two-${form.scheme}-${form.width}`);
      page.assertClean();
      await page.close();
    });
  }
}
