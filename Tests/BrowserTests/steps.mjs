// Steps that several tests take.
import { test } from 'node:test';

/// Waits until the map shows tiles, all of them loaded.
export const untilMap = (page) => page.until('the map shows all its tiles', () => {
  const tiles = [...document.querySelectorAll('.leaflet-tile-pane .tile')];
  return tiles.length > 0 && tiles.every((tile) => tile.querySelector('img')?.complete) && tiles.length;
});

/// The view in the address, [zoom level, latitude, longitude].
export const view = (page) => page.evaluate(() =>
  new URLSearchParams(location.hash.slice(1)).get('map')?.split('/').map(Number) ?? null);

/// Waits until the view in the address is another one, and returns it.
export const untilView = (page, before) => page.until('the address has another view', (old) => {
  const view = new URLSearchParams(location.hash.slice(1)).get('map');
  return view && view !== old && view.split('/').map(Number);
}, before?.map((value, index) => index ? value.toFixed(5) : value).join('/'));

/// Whether any tile on the map has a pixel that is not transparent.
export const hasHeat = (page) => page.evaluate(() =>
  [...document.querySelectorAll('.leaflet-tile-pane img')].some((image) => {
    if (!image.complete || image.naturalWidth === 0) return false;
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, canvas.width, canvas.height).data.some((value, index) => index % 4 === 3 && value > 0);
  }));

/// Opens a panel with its button, if it is not open.
export async function openPanel(page, name) {
  const selector = `:is(#rail, #tools) [data-panel="${name}"]`;
  if (await page.evaluate((wanted) => document.querySelector(wanted).getAttribute('aria-expanded') === 'true', selector)) return;
  await page.click(selector);
  await page.untilText('#side-title', /\w/);
}

/// Waits until the totals of the library match; their panel need not be open.
export const untilTotals = (page, expression) => page.until(`the totals are ${expression}`, (source) =>
  new RegExp(source).test(document.querySelector('#totals').textContent), expression.source);

/// A test with a page of its own, which is open at `path` of the shared server, and must end without a fault.
export function pageTest(shared, name, options, body) {
  test(name, { timeout: 60_000 }, async () => {
    const { path = '', ...form } = options;
    const page = await shared.browser.page(form);
    try {
      if (path !== null) {
        await page.open(shared.url + path);
        await untilMap(page);
      }
      await body(page);
      page.assertClean();
    } finally {
      await page.close();
    }
  });
}
