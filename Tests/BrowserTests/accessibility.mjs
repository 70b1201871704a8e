import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { untilMap } from './steps.mjs';

const path = fileURLToPath(new URL('../../.build/axe/axe.min.js', import.meta.url));
/// Why tests with axe-core are skipped; false if it is there.
export const skip = existsSync(path) ? false : 'axe-core is not installed; run Scripts/setup test';

/// What each panel is called, by its address; and what shows that it is there.
const panels = {
  'no panel': ['', '#rail'], map: ['#panel=map', '#totals:not(:empty)'], play: ['#panel=play', '#replay'],
  appearance: ['#panel=appearance', '.look img'], tracks: ['#panel=tracks', '#side-body input'],
  statistics: ['#panel=statistics', '#side-body svg'], year: ['#panel=year', '#side-body .calendar'],
  explorer: ['#panel=explorer', '#side-body table'], countries: ['#panel=countries', '#side-body .bars'],
  stays: ['#panel=stays', '#side-body [role="status"]:not(:empty)'],
  files: ['#panel=files', '#side-body .drop'],
  pins: ['#panel=pins', '#side-body select'], 'add-pin': ['#panel=add-pin', '#side-body textarea, #side-body select'],
  find: ['#panel=find', '#side-body input'],
  share: ['#panel=share', '#side-body form'],
  poster: ['#panel=poster', '#side-body .paper canvas'],
  replay: ['#play=2024-12-01', '#now-name:not(:empty)'], facts: ['#panel=track&track=TRACK', '#side-body svg'],
};
/// The pages that are tested: two sizes, light and dark.
export const forms = [
  { scheme: 'light', width: 1440, height: 900 }, { scheme: 'dark', width: 1440, height: 900 },
  { scheme: 'light', width: 390, height: 844 }, { scheme: 'dark', width: 390, height: 844 },
];

/// Loads axe-core into a page.
export const loadAxe = (page) => page.evaluate(readFileSync(path, 'utf8') + ';0');

/// What axe-core finds on a page into which it was loaded.
export const violations = (page) => page.evaluate(async () => {
  const { violations: found } = await axe.run(document, {
    resultTypes: ['violations'], rules: { 'target-size': { enabled: true } },
  });
  return found.flatMap(({ id: rule, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${rule}: ${target.join(' ')}: ${failureSummary}`));
});

/// The rules of axe-core.
export function accessibilityTests(shared) {
  for (const form of forms) {
    test(`axe-core finds nothing in any panel, ${form.scheme}, ${form.width} pixels wide`, { skip, timeout: 120_000 }, async () => {
      const { tracks: [{ id }] } = await (await fetch(shared.url + 'v1/tracks?limit=1')).json();
      const page = await shared.browser.page(form);
      await page.open(shared.url);
      await untilMap(page);
      await loadAxe(page);
      for (const [name, [address, shown]] of Object.entries(panels)) {
        await page.evaluate((hash) => { location.hash = hash || '#grid=1'; }, address.replace('TRACK', id));
        if (name === 'no panel') await page.untilHidden('#side');
        await page.untilVisible(shown);
        await page.until('nothing is loading', () => document.fonts.status === 'loaded');
        assert.deepEqual(await violations(page), [], name);
      }
      page.assertClean();
      await page.close();
    });
  }
}
