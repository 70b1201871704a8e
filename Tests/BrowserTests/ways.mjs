import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickHouse, HOUSE, houseLibrary, houseTest, idsOf, inHouse, part, pressed } from './house.mjs';
import { command, serve } from './server.mjs';

/// Ways from one room to another: their stops, their history, and favourites.
export function waysTests(shared) {
  houseTest(shared, 'a click on a room shows its facts, and sets the stop of a way that is missing', async (page, url, { places }) => {
    await page.open(url + HOUSE);
    await page.untilVisible('#floors');
    await page.until('the place is in the address', () => location.hash.includes('map='));
    await clickHouse(page, 10, 3);
    await page.untilText('#side-title', /C-0\.02/);
    assert.equal(await part(page, 'place'), places['C-0.02']);
    await page.click('#side-body .main:last-child');
    await page.untilText('#side-title', /Directions/);
    await clickHouse(page, 20, 3);
    await page.untilText('.legs', /Leave C-0\.03[^]*Enter C-0\.02/);
    // Stops between, and the nearest of a kind.
    await page.click('.ways button:nth-of-type(2)');
    await page.untilVisible('.stop:nth-child(3)');
    await page.type('Pause');
    await page.untilText('.stop:nth-child(2) .offers', /Café Pause/);
    await page.key('Enter');
    await page.until('the stop is in the address', (cafe) => location.hash.includes('via=' + cafe), places['Café Pause']);
    await page.untilText('.legs', /Enter C-0\.02/);
    await page.click('[aria-label="Remove stop 1"]');
    await page.until('the stop is not in the address', () => !location.hash.includes('via='));
    await page.click('.stop:last-child input');
    await page.evaluate(() => { document.activeElement.value = ''; });
    await page.type('near');
    await page.untilText('.stop:last-child .offers', /^Nearest restroom/);
    await page.key('Enter');
    await page.until('it is in the address', () => location.hash.includes('category%3Arestroom'));
    await page.untilText('.legs', /Enter Restroom/);
  });

  houseTest(shared, 'why there is no way is told', async (page, url, { places }) => {
    await page.open(`${url}${HOUSE}&panel=directions&origin=${places['C-0.02']}&destination=category:atm`);
    await page.untilText('#side-body [role="status"]', /^No way was found: .+\.$/);
    assert.equal(await page.evaluate(() => document.querySelector('.way').checkVisibility()), false);
  });

  houseTest(shared, 'favourites are kept in their order, and ways that were asked for are listed', async (page, url, { venue, places }) => {
    const favourites = async () => (await (await fetch(url + 'v1/favourites')).json()).favourites.map(({ name }) => name);
    for (const name of ['Café Pause', 'C-0.02', 'C-2.05']) {
      await page.open(`${url}${HOUSE}&panel=place&venue=${venue}&place=${places[name]}`);
      await page.untilText('#side-body [aria-pressed]', /☆ Favourite/);
      await page.click('#side-body [aria-pressed]');
      await page.untilText('#side-body [aria-pressed]', /★ Favourite/);
    }
    assert.deepEqual(await favourites(), ['Café Pause', 'C-0.02', 'C-2.05']);
    await page.click('#side-body [data-panel="venues"]');
    await page.untilText('.favourites', /Café Pause[^]*Food · Level 0[^]*C-0\.02[^]*C-2\.05/);
    await page.click('[aria-label="Move C-2.05 up"]');
    await page.untilText('.favourites', /Café Pause[^]*C-2\.05[^]*C-0\.02/);
    // The focus stays at the button, and goes on when that is at its end.
    await page.key('Enter');
    await page.untilText('.favourites', /C-2\.05[^]*Café Pause[^]*C-0\.02/);
    assert.equal(await page.evaluate(() => document.activeElement.closest('ul').className), 'favourites');
    await page.click('[aria-label="Rename C-2.05"]');
    await page.evaluate(() => document.activeElement.select());
    await page.type('My desk');
    await page.key('Enter');
    await page.untilText('.favourites', /My desk[^]*Café Pause/);
    await page.click('[aria-label="Remove Café Pause from the favourites"]');
    await page.until('it is removed', () => !document.querySelector('.favourites').innerText.includes('Café'));
    assert.deepEqual(await favourites(), ['My desk', 'C-0.02']);
    await page.click('.favourites li:first-child > button');
    await page.untilText('#side-title', /C-2\.05/);

    await page.click('#side-body .main + .main');
    await page.untilText('#side-title', /Directions/);
    await page.untilText('.offers', /★ My desk\s+★ C-0\.02/);
    await page.type('Pause');
    await page.untilText('.offers', /^Café Pause/);
    await page.key('Enter');
    await page.untilText('.legs', /Leave Café Pause[^]*Enter C-2\.05/);
    await page.evaluate(([longitude, latitude]) => Object.defineProperty(navigator, 'geolocation', {
      value: { getCurrentPosition: (done) => done({ coords: { longitude, latitude, accuracy: 5 } }) },
    }), inHouse(20, 14));
    await page.click('.way > button');
    await page.untilText('.way > [role="status"]', /^In \d+ ft: .+ left\.$/);
    await page.click('#side-body > button[data-panel="venues"]');
    await page.untilText('section.more:last-child .favourites', /^Café Pause, Level 0 → C-2\.05, Level 2/);
    await page.click('section.more:last-child .favourites li > button');
    await page.untilText('.legs', /Enter C-2\.05/);
    // What is opened again is not asked for again.
    const history = async () => (await (await fetch(url + 'v1/directions')).json()).directions.length;
    assert.equal(await history(), 1);
    await page.back();
    await page.click('[aria-label^="Remove the way Café Pause, Level 0 to"]');
    await page.untilHidden('section.more:last-child');
    assert.equal(await history(), 0);
  });

  test('a viewer has neither favourites nor a history, but sees the way', { timeout: 60_000 }, async () => {
    const path = await houseLibrary();
    const token = /[A-Za-z0-9_-]{30,}/.exec(await command('tokens', 'add', '--library', path, '--role', 'viewer', 'reader'))[0];
    const { url, stop } = await serve(path), { venue, places } = await idsOf(url), page = await shared.browser.page();
    try {
      await page.open(`${url}?key=${token}${HOUSE}&panel=place&venue=${venue}&place=${places['C-0.02']}`);
      await page.untilText('#side-title', /C-0\.02/);
      await page.click('#side-body .main + .main');
      await page.untilText('#side-title', /Directions/);
      await page.type('pause');
      await page.untilText('.offers', /^Café Pause/);
      await page.key('Enter');
      await page.untilText('.legs', /Enter C-0\.02/);
      await page.click('#side-body > button[data-panel="venues"]');
      await page.untilText('#side-body .tracks', /C-0\.01/);
      assert.equal(await page.evaluate(() => document.querySelector('.favourites').checkVisibility()), false);
      assert.deepEqual(page.requested.filter((address) => address.includes('v1/favourites')), []);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  houseTest(shared, 'the page draws the way if the server has forgotten it', async (page, url, { venue, places }) => {
    await page.intercept(/tiles\/floor\/.*directions=/, () => 404);
    const stops = `&origin=${places['C-0.02']}&destination=${places['C-2.05']}`;
    await page.open(`${url}${HOUSE}&panel=directions&venue=${venue}${stops}`);
    await page.untilText('.legs', /Enter C-2\.05/);
    await page.untilVisible('.way-line:not(.other)');
    await page.untilVisible('.way-start');
    await page.until('the floor is there without the way', () => {
      const images = [...document.querySelectorAll('.leaflet-floors-pane img')];
      return images.length > 0 && images.every(({ src, complete, naturalWidth }) => complete && naturalWidth > 0 && !src.includes('directions='));
    });
    await page.click('#floors button:first-child');
    await page.untilVisible('.way-end');
    assert.ok(page.faults().every((fault) => /404/.test(fault)));
  });

  houseTest(shared, 'a link to a way shows it on the floor and at the place of the link', async (page, url, { venue, places }) => {
    const stops = `&origin=${places['C-0.02']}&destination=${places['C-2.05']}&profile=wheelchair`;
    await page.open(`${url}#map=21/48.00010/11.00027&level=2&panel=directions&venue=${venue}${stops}`);
    await page.untilText('.legs', /Take the lift up to level 2[^]*Enter C-2\.05/);
    assert.equal(await pressed(page), '2');
    // Nobody has asked for it here.
    assert.deepEqual((await (await fetch(url + 'v1/directions')).json()).directions, []);
    // A point of the map is as good as a place.
    const point = inHouse(4, 4).map((value) => value.toFixed(7)).join(',');
    await page.open(`${url}${HOUSE}&panel=directions&venue=${venue}&origin=${point},0&destination=${places['C-2.05']}`);
    await page.until('the start is a point', () => document.querySelector('.stop input')?.value === 'Point on the map, Level 0');
    await page.untilText('.legs', /Enter C-2\.05/);
  });
}
