import assert from 'node:assert/strict';
import { keepPicture } from './chromium.mjs';
import { pageTest } from './steps.mjs';

/// The chart above the slider of the player, and the colours of its trails.
export function playerChartTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);
  /// The number of columns of the chart that have a colour.
  const columns = (page) => page.evaluate(() => {
    const canvas = document.querySelector('#chart-canvas'), { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, Math.floor(height / 2));
    return Array.from({ length: width }, (_, x) =>
      Array.from({ length: Math.floor(height / 2) }, (_, y) => data[(y * width + x) * 4 + 3]).some(Boolean)).filter(Boolean).length;
  });

  on('the player shows density, elevation or speed along the playing time, with dates and a tooltip', {
    path: '#play=2024-05-01',
  }, async (page) => {
    await page.untilText('#now-name', /Walk/);
    await page.untilText('#chart-dates', /2024/);
    await page.click('#more');
    await page.choose('#chart', 'elevation');
    // The elevations of the town are 25 to 55 m; the browser's locale decides about the unit.
    await page.untilText('#chart-range', /\d+ (m|ft) – \d+ (m|ft)/);
    await page.until('the address has the chart', () => location.hash.includes('chart=elevation'));
    assert.ok(await columns(page) > 50);
    const [x, y] = await page.middle('#slider');
    await page.hover(x - 100, y - 8);
    assert.match(await page.untilText('#chart-tooltip', /2024.* · .* · \d+ (m|ft)$/), /Walk|First|Second/);
    await page.hover(x, 10);
    await page.untilHidden('#chart-tooltip');
    await page.choose('#chart', 'speed');
    await page.untilText('#chart-range', /km\/h|mph/);
    await page.choose('#slider', '300');
    await page.until('the speed is read with the time', () =>
      /km\/h|mph/.test(document.querySelector('#slider').getAttribute('aria-valuetext')));
    await keepPicture(page, 'player-chart');
    await page.choose('#chart', '');
    await page.untilHidden('#chart-range');
  });

  on('trails have the colour of their activity, which a legend explains', { path: '#play=2024-07-01' }, async (page) => {
    const colors = await page.until('the legend is there', () => {
      const items = [...document.querySelectorAll('#play-colors li')];
      return items.length > 0 && items.map((item) => [item.innerText, item.querySelector('i').style.background]);
    });
    assert.deepEqual(colors.map(([name]) => name), ['ride', 'walk']);
    assert.notEqual(colors[0][1], colors[1][1]);
    await page.untilText('#now-name', /Walk/);
    assert.equal(await page.until('the current track has its colour', () => document.querySelector('#now-color').style.background), colors[1][1]);
    await page.click('#more');
    // On one clock, tracks of the same activity have to be told apart.
    await page.choose('#order', '1');
    await page.untilHidden('#play-colors');
    await page.choose('#order', '');
    await page.untilVisible('#play-colors');
  });
}
