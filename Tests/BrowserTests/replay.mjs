import assert from 'node:assert/strict';
import { keepPicture } from './chromium.mjs';
import { placeOnMap } from './map.mjs';
import { openPanel, pageTest, untilMap } from './steps.mjs';

/// Replays.
export function replayTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);

  on('a replay plays, pauses, moves by its slider, and ends', { path: '#map=13/52.51/13.42' }, async (page) => {
    await openPanel(page, 'play');
    await page.click('#replay');
    await page.untilVisible('#player');
    await page.untilText('#now-name', /First/);
    await page.until('frames arrive', () => Number(document.querySelector('#player').dataset.frames) > 3);
    await keepPicture(page, 'replay');
    await page.click('#play');
    await page.until('it is paused', () => document.querySelector('#play').getAttribute('aria-label') === 'Play');
    const before = await page.text('#clock');
    await page.choose('#slider', '500');
    await page.until('the clock shows another time', (old) => document.querySelector('#clock').innerText !== old, before);
    await page.click('#player-end');
    await page.untilHidden('#player');
  });

  on('the trail is not ahead of the marker when the next track began before the last one ended', { path: null }, async (page) => {
    // What is drawn, frame by frame: the places that lines go to, and those of markers.
    await page.beforeLoad(() => {
      globalThis.drawn = [];
      const { lineTo } = Path2D.prototype, { clearRect, translate } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function(...box) {
        drawn.push({ lines: [], markers: [] });
        return clearRect.call(this, ...box);
      };
      Path2D.prototype.lineTo = function(...place) {
        drawn.at(-1)?.lines.push(place);
        return lineTo.call(this, ...place);
      };
      CanvasRenderingContext2D.prototype.translate = function(...place) {
        drawn.at(-1)?.markers.push(place);
        return translate.call(this, ...place);
      };
    });
    await page.open(shared.url + '#map=14/52.51/13.43&play=2024-12-01&at=2024-12-01T10:57:00Z&speed=120&under=map&follow=0');
    await untilMap(page);
    const start = await placeOnMap(page, [13.44, 52.50]);
    await page.untilText('#now-name', /First/);
    await page.click('#play');
    await page.untilText('#now-name', /Second/);
    const [frames, farthest] = await page.until('the second track has been played for a while', ([x, y]) => {
      const away = ([ownX, ownY]) => Math.hypot(ownX - x, ownY - y);
      // The second track is a circle with a diameter of 350 pixels, and the first one is more than 400 pixels away.
      const begun = drawn.filter(({ markers }) => markers.some((place) => away(place) < 60));
      const lines = begun.flatMap(({ lines }) => lines.map(away).filter((distance) => distance < 360));
      // Where a frame takes long, the marker is soon farther away.
      const hasPassed = begun.length > 2 && drawn.at(-1).markers.some((place) => away(place) > 100 && away(place) < 360);
      return (begun.length > 10 || hasPassed) && [begun.length, Math.max(...lines)];
    }, start);
    assert.ok(farthest < 100, `in ${frames} frames, the trail reached ${farthest} pixels away from the beginning`);
  });

  on('the figures of visited tiles grow to those of the statistics', { path: '#play=2024-12-01&only=1&speed=max' }, async (page) => {
    await page.untilText('#now-name', /First/);
    await page.click('#play');
    const shown = async (pattern) => Number(/^(\d+)/.exec(await page.untilText('#now-tiles', pattern))[1]);
    assert.ok(await shown(/^\d+ tiles? · \d+ × \d+/) > 0);
    await page.untilText('#play-state', /End of the replay/);
    const { tiles, square } = await (await fetch(shared.url + 'v1/explorer?from=2024-12-01&to=2024-12-01')).json();
    await page.untilText('#now-tiles', new RegExp(`^${tiles} tiles? · ${square.side} × ${square.side}$`));
    await keepPicture(page, 'replay-tiles');
    // Another instant begins anew.
    await page.choose('#slider', '0');
    await page.until('no figures are shown', () => !document.querySelector('#now-tiles').textContent);
  });

  on('the days in the calendar of a replay can be read', { path: '#play=2024-12-01' }, async (page) => {
    await page.click('#day');
    await page.untilVisible('#days .month button');
    const least = await page.evaluate(contrastOfDays);
    assert.ok(least.ratio >= 4.5, `${least.text}: ${least.ratio}`);
  });

  on('a replay in the dark, on a narrow screen', { width: 390, height: 844, scheme: 'dark', path: '#play=2024-12-01' }, async (page) => {
    await page.untilText('#now-name', /First/);
    await page.key(' ');
    await page.until('frames arrive', () => Number(document.querySelector('#player').dataset.frames) > 3);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await keepPicture(page, 'replay-narrow-dark');
  });
}

/// The least contrast of a day's number to its background (WCAG 2.1, relative luminance); runs in the page.
function contrastOfDays() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 200) return color;
    }
    return [255, 255, 255, 255];
  };
  const days = [...document.querySelectorAll('#days .month button')].map((day) => {
    const [light, dark] = [luminance(rgba(getComputedStyle(day).color)), luminance(behind(day))].sort((a, b) => b - a);
    return { text: day.textContent, ratio: (light + 0.05) / (dark + 0.05) };
  });
  return days.sort((a, b) => a.ratio - b.ratio)[0];
}
