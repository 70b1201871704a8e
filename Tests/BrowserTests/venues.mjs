import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forms, loadAxe, skip, violations } from './accessibility.mjs';
import { keepPicture } from './chromium.mjs';
import {
  floorPixels, HOUSE, house, houseLibrary, houseTest, idsOf, part, pressed, tabTo, untilFloor,
} from './house.mjs';
import { command, serve, write } from './server.mjs';
import { untilMap } from './steps.mjs';

/// Venues on the map, and their panels.
export function venuesTests(shared) {
  houseTest(shared, 'floors appear when the map comes near, and a switch shows others', async (page, url) => {
    await page.open(url + '#map=14/48.00009/11.00027');
    await untilMap(page);
    await page.untilVisible('#rail [data-panel="venues"]');
    assert.equal(await page.evaluate(() => document.querySelector('#floors').hidden), true);
    assert.deepEqual(page.requested.filter((address) => address.includes('/tiles/floor/')), []);
    await page.open(url + HOUSE);
    await page.untilVisible('#floors');
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('#floors button')].map(({ innerText }) => innerText)), ['2', '1', '0']);
    assert.equal(await pressed(page), '0');
    await page.until('the floor is there', () => [...document.querySelectorAll('.leaflet-floors-pane img')].every(({ complete }) => complete));
    assert.ok(await floorPixels(page) > 50_000);
    await page.click('#floors button:first-child');
    await untilFloor(page, '2', 2);
    await page.until('the floor is in the address', () => location.hash.includes('level=2'));
    // Arrow keys go from floor to floor; the switch is one stop of the Tab key.
    await page.key('ArrowDown');
    await untilFloor(page, '1', 1);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('#floors button')].map(({ tabIndex }) => tabIndex)), [-1, 0, -1]);
    assert.equal(await page.evaluate(() => document.activeElement.innerText), '1');
    await page.evaluate(() => document.querySelector('[name="background"][value="dark"]').click());
    await page.until('the floor is dark', () => [...document.querySelectorAll('.leaflet-floors-pane img')]
      .every(({ src, complete }) => complete && src.includes('theme=dark')));
    await page.evaluate(() => { location.hash = '#map=12/48/11'; });
    await page.untilHidden('#floors');
    await page.until('no floors are left', () => !document.querySelector('.leaflet-floors-pane img'));
  });

  houseTest(shared, 'a search leads to facts, to a way, and to its walk across floors', async (page, url, { venue, places }) => {
    await page.open(url + HOUSE);
    await page.click('#rail [data-panel="venues"]');
    await page.untilText('#side-title', /Test House/);
    await page.untilText('#side-body .tracks', /Café Pause[^]*C-0\.01|C-0\.01[^]*Café Pause/);
    assert.doesNotMatch(await page.text('#side-body .tracks'), /C-1\.01/);
    // The list follows the floor.
    await page.click('#floors button:nth-child(2)');
    await page.untilText('#side-body .tracks', /C-1\.01/);
    await page.click('#side-body .chips [data-kind="restroom"]');
    await page.untilText('#side-body .tracks', /^(Restroom\s+Level \d\s*){3}$/);
    await page.click('#side-body .chips [data-kind="restroom"]');
    await page.click('#side-body input[type="search"]');
    await page.type('c206x');
    await page.untilText('#side-body', /No place of this venue fits/);
    await page.choose('#side-body input[type="search"]', 'pausse');
    await page.untilText('#side-body .tracks', /^Café Pause/);
    await page.click('#side-body .tracks button');
    await page.untilText('#side-title', /Café Pause/);
    await page.untilText('#side-body .facts', /Level 0[^]*Mo-Fr 08:00-16:00[^]*\+49 30 123456[^]*cafe\.example\/menu[^]*Way 1/);
    assert.equal(await page.evaluate(() => document.querySelector('#side-body a[href^="tel:"]').href), 'tel:+4930123456');
    assert.equal(await pressed(page), '0');
    await page.untilText('.leaflet-tooltip', /Café Pause/);
    await page.click('#side-body .main:first-child');
    await page.untilText('#side-title', /Directions/);
    await page.until('the start is the café', () => /Café Pause, Level 0/.test(document.querySelector('.stop input').value));

    await page.click('.stop:nth-child(2) input');
    await page.type('C2.5');
    await page.untilText('.stop:nth-child(2) .offers', /C-2\.05/);
    await page.click('.stop:nth-child(2) .offers li');
    await page.untilText('.summary', /^\d+ (s|min), \d+ ft, \d+ steps$/);
    // The last room has no door in the plan.
    await page.untilText('.way', /Approximate/);
    await page.untilText('.legs', /Leave Café Pause[^]*Take the stairs up to level 2[^]*Enter C-2\.05/);
    assert.equal(await pressed(page), '0');
    await page.untilVisible('.way-line.other');
    assert.match(await page.text('.level-change'), /↑ 2/);

    // A leg shows its place.
    await page.click('.legs li:last-child button');
    await untilFloor(page, '2', 2);
    await page.untilVisible('.legs li:last-child [aria-current="step"]');
    await page.untilVisible('.walker');
    await page.click('.legs li:first-child button');
    await untilFloor(page, '0', 0);

    await page.choose('.walk select', '20');
    await page.click('.walk .main');
    await page.untilText('.walk .main', /Pause/);
    await page.until('the walk is over', () => {
      window.seen ??= new Set();
      window.seen.add(document.querySelector('#floors [aria-pressed="true"]').innerText);
      return document.querySelector('.walk .main').textContent === 'Play again';
    });
    assert.deepEqual(await page.evaluate(() => [...window.seen]), ['0', '2']);
    await page.untilVisible('.legs li:last-child [aria-current="step"]');

    // All of it is in the address.
    const [origin, destination] = [await part(page, 'origin'), await part(page, 'destination')];
    assert.deepEqual([await part(page, 'venue'), origin, destination], [venue, places['Café Pause'], places['C-2.05']]);
    await page.choose('.ways select', 'wheelchair');
    await page.untilText('.legs', /Take the lift up to level 2/);
    await page.click('#floors button:nth-child(2)');
    await page.back();
    await page.untilText('.legs', /Take the stairs up to level 2/);
    // What Back or a link shows again is on its own floor.
    assert.equal(await pressed(page), '2');
    assert.equal(await page.evaluate(() => document.querySelector('.ways select').value), 'walk');
    await page.click('[aria-label="Swap start and destination"]');
    await page.untilText('.legs', /Leave C-2\.05[^]*stairs down[^]*Enter Café Pause/);
  });

  houseTest(shared, 'the link to a place, as a code at its door, opens it on its floor', async (page, url, { venue, places }) => {
    await page.open(`${url}?venue=${venue}&place=${places['C-2.05']}`);
    await page.untilText('#side-title', /C-2\.05/);
    await untilFloor(page, '2', 2);
    await page.untilText('.leaflet-tooltip', /C-2\.05/);
    assert.equal(await page.evaluate(() => location.search), '');
    const link = await page.evaluate(async () => {
      let copied = '';
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied = text; } } });
      [...document.querySelectorAll('#side-body button')].find(({ textContent }) => textContent === 'Copy a link').click();
      await new Promise((done) => setTimeout(done, 50));
      return copied;
    });
    assert.equal(link, `${url}?venue=${venue}&place=${places['C-2.05']}`);
    await page.open(`${url}?venue=${venue}`);
    await page.untilText('#side-title', /Test House/);
    await page.untilVisible('#floors');
    await page.open(`${url}?venue=${venue}&place=${'0'.repeat(32)}`);
    await page.untilText('#side-body', /This place does not exist/);
  });

  for (const scheme of ['light', 'dark']) {
    houseTest(shared, `all of it can be done with the keyboard on a phone, ${scheme}`, async (page, url) => {
      await page.open(url + '#map=19/48.00009/11.00027');
      await page.untilVisible('#floors');
      const isInside = () => page.evaluate(() => {
        const box = document.querySelector('#floors').getBoundingClientRect(), side = document.querySelector('#side');
        const bottom = side.checkVisibility() ? side.getBoundingClientRect().top : innerHeight;
        return box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= bottom;
      });
      assert.ok(await isInside());
      await tabTo(page, '#rail [data-panel="venues"]');
      await page.key('Enter');
      await page.untilText('#side-title', /Test House/);
      await page.until('the switch is above the panel', () =>
        document.querySelector('#floors').getBoundingClientRect().bottom <= document.querySelector('#side').getBoundingClientRect().top);
      assert.ok(await isInside());
      await tabTo(page, '#side-body input[type="search"]');
      await page.type('pause');
      await page.untilText('#side-body .tracks', /^Café Pause/);
      await tabTo(page, '#side-body .tracks button');
      await page.key('Enter');
      await page.untilText('#side-body .facts', /Mo-Fr/);
      await keepPicture(page, 'venue-place-' + scheme);
      await tabTo(page, '#side-body .main + .main');
      await page.key('Enter');
      await page.untilText('#side-title', /Directions/);
      await tabTo(page, '.stop:first-child input');
      await page.type('C 2 01');
      await page.untilText('.offers', /C-2\.01/);
      await page.key('ArrowDown');
      assert.match(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).innerText), /C-2\.01/);
      await page.key('Enter');
      await page.untilText('.legs', /Enter Café Pause/);
      // The map stays visible, with the way on it.
      await page.until('the floor shows the way', () => {
        const images = [...document.querySelectorAll('.leaflet-floors-pane img')];
        return images.length > 0 && images.every(({ src, complete }) => complete && src.includes('directions='));
      });
      const line = await page.evaluate(() => {
        const box = document.querySelector('.way-line.other').getBoundingClientRect();
        return [box.left >= 0, box.right <= innerWidth, box.top >= 0, box.bottom <= document.querySelector('#side').getBoundingClientRect().top];
      });
      assert.deepEqual(line, [true, true, true, true]);
      await tabTo(page, '.walk .main');
      await page.key(' ');
      await page.untilText('.walk .main', /Pause/);
      await untilFloor(page, '0', 0);
      await keepPicture(page, 'venue-walk-' + scheme);
      await page.key(' ');
      await tabTo(page, '.walk input');
      const value = () => page.evaluate(() => document.activeElement.getAttribute('aria-valuetext'));
      const before = await value();
      await page.key('ArrowLeft');
      assert.notEqual(await value(), before);
      await tabTo(page, '.legs button');
      await page.key('Enter');
      await untilFloor(page, '2', 2);
      // A point of the map as a stop.
      await page.key('Escape');
      await page.untilHidden('#side');
      await page.back();
      await page.untilText('#side-title', /Directions/);
      await tabTo(page, '.stop:first-child input', true);
      await page.untilText('.offers', /Choose on the map/);
      await page.key('ArrowDown');
      await page.key('ArrowDown');
      assert.match(await page.text('.offers [aria-selected="true"]'), /Choose on the map/);
      await page.key('Enter');
      await page.until('the map has the focus', () => document.activeElement.id === 'map');
      await page.key('Enter');
      await page.untilText('.legs', /Enter Café Pause/);
      await tabTo(page, '#floors button');
    }, { width: 390, height: 844, scheme });
  }

  test('the switch of a tower scrolls on a small screen', { timeout: 60_000 }, async () => {
    const { url, stop } = await serve(await houseLibrary(30)), page = await shared.browser.page({ width: 390, height: 844 });
    try {
      await page.open(`${url}#map=19/48.00009/11.00027&level=17&panel=venues`);
      await page.untilText('#floors [aria-pressed="true"]', /^17$/);
      await page.untilText('#side-body .tracks', /C-17\.01/);
      const fits = () => page.evaluate(() => {
        const box = document.querySelector('#floors').getBoundingClientRect();
        const shown = document.querySelector('#floors [aria-pressed="true"]').getBoundingClientRect();
        return [
          box.top >= 0, box.bottom <= document.querySelector('#side').getBoundingClientRect().top, box.height > 150,
          shown.top >= box.top, shown.bottom <= box.bottom,
        ];
      });
      await page.until('the switch is above the panel', () =>
        document.querySelector('#floors').getBoundingClientRect().bottom <= document.querySelector('#side').getBoundingClientRect().top);
      assert.deepEqual(await fits(), [true, true, true, true, true]);
      await page.evaluate(() => document.querySelector('#floors [aria-pressed="true"]').focus());
      await page.key('End');
      await page.untilText('#floors [aria-pressed="true"]', /^0$/);
      assert.deepEqual(await fits(), [true, true, true, true, true]);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  test('venues are listed, those in view first', { timeout: 60_000 }, async () => {
    const path = await houseLibrary();
    const annex = JSON.parse(house());
    for (const { geometry: { coordinates } } of annex.features) {
      for (const place of Array.isArray(coordinates[0]) ? coordinates[0] : [coordinates]) place[0] -= 0.1;
    }
    annex.features[0].properties.name = 'Annex';
    for (const one of annex.features) one.id += '9';
    await command('venues', 'import', '--library', path, ...write({ 'annex.geojson': JSON.stringify(annex) }));
    const { url, stop } = await serve(path), page = await shared.browser.page();
    try {
      await page.open(`${url}#map=14/48.00009/11.00027&panel=venues`);
      await page.untilText('#side-body [role="status"]', /^1 venue in view, 2 in all\.$/);
      await page.untilText('#side-body .tracks', /^Test House\s+Way 1 · 3 floors\s+Annex/);
      await page.click('#side-body .tracks li:last-child button');
      await page.untilText('#side-title', /Annex/);
      await page.untilText('#side-body .tracks', /C-0\.01/);
      await page.untilText('#side-body .chips', /Restrooms 3/);
      await page.untilVisible('#floors');
      await page.click('#side-body .row button:last-child');
      await page.untilText('#side-body .tracks', /^Annex[^]*Test House/);
      assert.match(await page.evaluate(() => document.activeElement.innerText), /^Annex/);
      await page.key('Enter');
      await page.untilText('#side-body .chips', /Restrooms 3/);
      await page.back();
      await page.untilText('#side-title', /Venues/);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });

  test('nothing of venues is shown in a library without them', { timeout: 60_000 }, async () => {
    const page = await shared.browser.page();
    try {
      await page.open(shared.url + '#map=16/52.52/13.4');
      await untilMap(page);
      await page.until('the list of venues has come', () => performance.getEntriesByType('resource').some(({ name }) => name.includes('v1/venues')));
      assert.equal(await page.evaluate(() => document.querySelector('#rail [data-panel="venues"]').checkVisibility()), false);
      assert.equal(await page.evaluate(() => document.querySelector('#floors').checkVisibility()), false);
      assert.deepEqual(page.requested.filter((address) => /floor/.test(address)), []);
      page.assertClean();
    } finally {
      await page.close();
    }
  });

  for (const form of forms) {
    test(`axe-core finds nothing in venues, ${form.scheme}, ${form.width} pixels wide`, { skip, timeout: 120_000 }, async () => {
      const { url, stop } = await serve(await houseLibrary());
      const { venue, places } = await idsOf(url), page = await shared.browser.page(form);
      const way = `&origin=${places['C-0.02']}&destination=${places['C-2.05']}&venue=${venue}`;
      try {
        // So that the lists of favourites and of ways are shown.
        const stops = { from: { place: places['C-0.02'] }, to: { place: places['C-2.05'] } };
        assert.ok((await fetch(url + 'v1/favourites/' + places['C-0.02'], { method: 'PUT' })).ok);
        assert.ok((await fetch(url + 'v1/directions', { method: 'POST', body: JSON.stringify(stops) })).ok);
        await page.open(url + HOUSE);
        await page.untilVisible('#floors');
        await loadAxe(page);
        for (const [name, hash, shown] of [
          ['venues', '&panel=venues', 'section:last-child .favourites li'], ['place', `&panel=place&venue=${venue}&place=${places['Café Pause']}`, '.facts'],
          ['directions', '&panel=directions', '.stop input'], ['way', '&panel=directions' + way, '.legs li'],
        ]) {
          await page.evaluate((wanted) => { location.hash = wanted; }, HOUSE + hash);
          await page.untilVisible(shown);
          if (name === 'directions') {
            await page.click('.stop input');
            await page.untilVisible('.offers li');
            await page.key('ArrowDown');
          }
          assert.deepEqual(await violations(page), [], name);
          if (name === 'way') {
            await page.click('.legs li:nth-child(2) button');
            await page.untilVisible('.legs li:nth-child(2) [aria-current="step"]');
            assert.deepEqual(await violations(page), [], 'leg');
          }
          await keepPicture(page, `venues-${name}-${form.scheme}-${form.width}`);
        }
        page.assertClean();
      } finally {
        await page.close();
        await stop();
      }
    });
  }
}
