import assert from 'node:assert/strict';
import { keepPicture } from './chromium.mjs';
import { pageTest } from './steps.mjs';

/// The timeline, and what it plays.
export function timelineTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);
  const plot = (page) => page.evaluate(() => {
    const { x, y, width } = document.querySelector('#timeline .plot').getBoundingClientRect();
    return { x, y: y + 15, width };
  });

  on('dragging on the timeline chooses a period, which the map follows, and Back returns to all time', {}, async (page) => {
    await page.untilText('#timeline .when', /All time/);
    const { x, y, width } = await plot(page);
    await page.drag([x + width * 0.6, y], [x + width * 0.8, y]);
    await page.until('the tiles have the period', () =>
      [...document.querySelectorAll('.leaflet-tile-pane img')].every(({ src }) => /from=2024-.*to=2024-/.test(src)));
    const [from, to] = await page.evaluate(() => [document.querySelector('#from').value, document.querySelector('#to').value]);
    assert.ok(from >= '2024-01' && from < to && to < '2024-12', `${from} – ${to}`);
    await page.untilText('#timeline .when', /2024.*2024/);
    await keepPicture(page, 'timeline');
    // The selection as a whole.
    await page.drag([x + width * 0.7, y], [x + width * 0.6, y]);
    await page.until('the period is earlier', (old) => document.querySelector('#from').value < old, from);
    await page.back();
    await page.until('the first period is there again', (old) => document.querySelector('#from').value === old, from);
    await page.back();
    await page.untilText('#timeline .when', /All time/);
  });

  on('a click beside the period ends it, and the keyboard moves its ends', { path: '#from=2024-04-01&to=2024-06-30' }, async (page) => {
    await page.untilText('#timeline .when', /2024.*2024/);
    await page.evaluate(() => document.querySelector('#timeline [data-end="from"]').focus());
    await page.key('ArrowRight');
    await page.until('the first day is later', () => document.querySelector('#from').value > '2024-04-01');
    const { x, y, width } = await plot(page);
    await page.clickAt(x + width * 0.1, y);
    await page.untilText('#timeline .when', /All time/);
    assert.equal(await page.evaluate(() => document.querySelector('#from').value), '');
  });

  on('the time lapse of all days plays in the heat, and stops', {}, async (page) => {
    await page.click('#timeline .time-lapse');
    await page.until('the heat of several days was shown', () => {
      const tile = document.querySelector('.leaflet-tile-pane img');
      globalThis.seenDays ??= new Set();
      if (tile?.src.includes('asof=')) seenDays.add(new URL(tile.src).searchParams.get('asof'));
      return seenDays.size > 3;
    });
    await page.click('#timeline .time-lapse');
    await page.until('the regular tiles are shown again', () =>
      [...document.querySelectorAll('.leaflet-tile-pane img')].every(({ src }) => !src.includes('asof=')));
    await page.untilText('#timeline .when', /All time/);
  });

  on('all tracks are played from one start, coloured by activity', {}, async (page) => {
    await page.click('#timeline .same-start');
    await page.untilText('#timeline .when', /ride[^]*walk/);
    await page.until('many markers are drawn', () => {
      const canvas = document.querySelector('.leaflet-same-start-pane canvas');
      if (!canvas) return false;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, index) => index % 4 === 3 && value > 200).length > 100;
    });
    await keepPicture(page, 'same-start');
    await page.click('#timeline .same-start');
    await page.untilText('#timeline .when', /All time/);
    assert.equal(await page.evaluate(() => document.querySelectorAll('.leaflet-same-start-pane canvas').length), 0);
  });

  on('the time lapse is recorded as a video', {}, async (page) => {
    await page.click('#timeline .save');
    await page.untilText('#timeline .save', /Cancel/);
    await page.click('#timeline .save');
    await page.untilText('#timeline .save', /Save as video/);
    const { type, size, head, shares } = await page.evaluate(async () => {
      // The names that the server gave them.
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const modules = [/\/time-lapse\.[^/]*js$/, /\/timeline\.[^/]*js$/].map((name) => loaded.find((url) => name.test(url)));
      const [timeLapse, timeline] = await Promise.all(modules.map((url) => import(url)));
      const shares = [];
      const blob = await timeLapse.record(timeline.recorded().days, 1200, 'video/webm', (_, share) => shares.push(share));
      const head = [...new Uint8Array(await blob.slice(0, 4).arrayBuffer())];
      return { type: blob.type, size: blob.size, head, shares };
    });
    assert.equal(type, 'video/webm');
    // The signature of EBML.
    assert.deepEqual(head, [0x1a, 0x45, 0xdf, 0xa3]);
    assert.ok(size > 5000, `${size} bytes`);
    // On a busy machine, a frame can take a second: as many as were drawn, in their order, up to the end.
    assert.ok(shares.at(-1) === 1 && shares.length > 1 && shares.every((share, index) => index === 0 || share >= shares[index - 1]),
      shares.join());
  });
}
