import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPicture } from './chromium.mjs';
import { command, curve, gpx, library, serve } from './server.mjs';
import { untilMap, untilTotals } from './steps.mjs';

/// Links that are made on the page, opened by others, and revoked.
export function sharingTests(shared) {
  const start = '2024-05-01T10:00:00Z';

  async function withLibrary(body) {
    const path = await library({ 'one.gpx': gpx({ name: 'From home', start, places: curve([13.4, 52.5], 400) }) });
    const { url, stop } = await serve(path);
    const owner = await shared.browser.page(), other = await shared.browser.page({ width: 390, height: 844, scheme: 'dark' });
    try {
      await body({ owner, other, url, path });
      owner.assertClean();
    } finally {
      await owner.close();
      await other.close();
      await stop();
    }
  }

  /// Fills the form of a new link, and returns its URL.
  async function makeLink(page, label, fill = async () => {}) {
    await page.untilVisible('#side-body form input[required]');
    await page.evaluate((text) => { document.querySelector('#side-body form input[required]').value = text; }, label);
    await fill();
    await page.click('#side-body form button[type="submit"]');
    return page.until('the link is shown', () => document.querySelector('.fresh-link input')?.value);
  }

  test('a link is made, opened by somebody else, and revoked', { timeout: 60_000 }, async () => {
    await withLibrary(async ({ owner, other, url }) => {
      await owner.open(url + '#panel=share');
      await owner.untilText('#side-body .shared + [role="status"]', /Nothing is shared/);
      const link = await makeLink(owner, 'Grandma', async () => {
        // The home is at the beginning of the track, not in the middle of the map; nothing else is hidden.
        await owner.evaluate(() => { document.querySelector('#side-body form select').value = 'all'; });
      });
      assert.match(link, /\/s#[\w-]{43}$/);
      await owner.untilText('#side-body .shared', /Grandma/);
      await keepPicture(owner, 'share');
      await other.open(link);
      await untilMap(other);
      // The secret is not in the address any more, and nothing can be changed.
      assert.equal(await other.evaluate(() => location.pathname + /[\w-]{43}/.test(location.href)), '/s/false');
      assert.ok(await other.evaluate(() => document.querySelector('[data-panel="share"]').hidden));
      await keepPicture(other, 'shared-link');
      await owner.click('#side-body .shared .danger');
      await owner.click('#side-body .confirm .danger');
      await owner.untilText('#side-body .shared + [role="status"]', /Nothing is shared/);
      await other.untilText('#notice', /not valid/);
    });
  });

  test('a link with a password asks for it', { timeout: 60_000 }, async () => {
    await withLibrary(async ({ owner, other, url }) => {
      await owner.open(url + '#panel=share');
      const link = await makeLink(owner, 'Club', () => owner.evaluate(() => {
        document.querySelector('#side-body form input[placeholder="none"]').value = 'open sesame';
      }));
      await other.open(link);
      await other.untilVisible('#link-password');
      await other.untilText('#notice', /needs a password/);
      const open = (password) => other.evaluate((text) => {
        document.querySelector('#password').value = text;
        document.querySelector('#link-password').requestSubmit();
      }, password);
      await open('open barley');
      await other.untilText('#notice', /not the password/);
      await open('open sesame');
      await untilMap(other);
      await other.untilHidden('#link-password');
    });
  });

  test('an edition without a token shows nothing near the home', { timeout: 60_000 }, async () => {
    await withLibrary(async ({ owner, url, path }) => {
      await command('editions', 'add', '--library', path, '--zone', '13.4,52.5,1500', 'public');
      const { url: open, stop } = await serve(path, '--public-edition', 'public', '--public-url', 'http://127.0.0.1:9');
      try {
        const all = await (await fetch(url + 'v1/tracks')).json();
        const seen = await (await fetch(open + 'v1/tracks')).json();
        assert.equal(all.tracks[0].name, 'From home');
        assert.equal(seen.tracks[0]?.name ?? null, null);
        assert.ok(seen.tracks[0].points < all.tracks[0].points);
        await owner.open(open);
        await untilTotals(owner, /^1 track/);
        await untilMap(owner);
        // Ends its requests.
        await owner.open('about:blank');
      } finally {
        await stop();
      }
    });
  });
}
