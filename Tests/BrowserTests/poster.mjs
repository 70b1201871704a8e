import assert from 'node:assert/strict';
import { keepPicture } from './chromium.mjs';
import { pageTest } from './steps.mjs';

/// The panel that makes posters.
export function posterTests(shared) {
  const on = (name, options, body) => pageTest(shared, name, options, body);
  const untilPreview = (page) => page.until('the preview is shown', () => {
    const picture = document.querySelector('.paper canvas');
    return picture?.checkVisibility() && !document.querySelector('.paper[aria-busy]') && [picture.width, picture.height];
  });

  on('a poster shows what the map shows, follows its moves, and is downloaded as a PDF', {}, async (page) => {
    await page.click('#tools [data-panel="poster"]');
    await untilPreview(page);
    await page.choose('#side-body .days label:nth-child(2) select', 'landscape');
    await page.until('the preview is wider than high', () => {
      const { width, height } = document.querySelector('.paper canvas');
      return width > height;
    });
    await keepPicture(page, 'poster');
    const before = await page.evaluate(() => document.querySelector('#side-body a[download]').href);
    await page.click('.leaflet-control-zoom-in');
    await page.until('the box of the link is another one', (old) =>
      document.querySelector('#side-body a[download]').href !== old, before);
    await untilPreview(page);
    const [type, bytes, name] = await page.evaluate(async () => {
      const link = document.querySelector('#side-body a[download]'), response = await fetch(link.href);
      return [response.headers.get('content-type'), (await response.arrayBuffer()).byteLength, link.download];
    });
    assert.equal(type, 'application/pdf');
    assert.ok(bytes > 1000, `${bytes} bytes`);
    assert.equal(name, 'poster.pdf');
    await page.back();
    await page.untilHidden('#side');
  });

  on('the choices of a poster are in its address, its preview and its file', {
    path: '#panel=poster&paper=A3&orientation=portrait&format=png&dpi=150&posterTheme=dark&title=Berlin%20rides',
  }, async (page) => {
    const [width, height] = await untilPreview(page);
    assert.ok(height > width);
    const link = await page.evaluate(() => document.querySelector('#side-body a[download]').href);
    const query = new URL(link).searchParams;
    assert.deepEqual(['paper', 'format', 'dpi', 'theme', 'title'].map((name) => query.get(name)),
      ['297x420mm', 'png', '150', 'dark', 'Berlin rides']);
    assert.equal(await page.evaluate(() => document.querySelector('#side-body a[download]').download), 'berlin-rides.png');
    await keepPicture(page, 'poster-dark');
    await page.choose('#side-body .days label:first-child select', 'A0');
    await page.until('600 dpi cannot be chosen for A0', () =>
      ![...document.querySelectorAll('#side-body option')].some(({ value }) => value === '600'));
    await page.until('the address has the paper', () => location.hash.includes('paper=A0'));
    await untilPreview(page);
  });

  on('a poster on a narrow screen', { width: 390, height: 844, scheme: 'dark', path: '#panel=poster' }, async (page) => {
    await untilPreview(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await keepPicture(page, 'poster-narrow');
  });
}
