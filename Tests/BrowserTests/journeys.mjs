import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forms, loadAxe, skip, violations } from './accessibility.mjs';
import { keepPicture } from './chromium.mjs';
import { tabTo } from './house.mjs';
import { command, curve, gpx, library, serve } from './server.mjs';
import { untilMap } from './steps.mjs';

/// A route of some seconds, in the mountains: three stages of six seconds each.
const ROUTE = {
  name: 'Short Pass', level: 6,
  line: [[10, 47], [10.1, 47.05], [10.2, 47], [10.3, 47.05], [10.4, 47]],
  places: [
    { name: 'Valley', lon: 10, lat: 47, description: 'Where it begins.' },
    { name: 'Hut', lon: 10.1, lat: 47.05, description: 'Soup and a bed.', tags: ['hut'] },
    { name: 'Pass', lon: 10.2, lat: 47, description: 'A view of both sides.', credit: 'Own text, CC0' },
    { name: 'Lake', lon: 10.4, lat: 47, description: 'Cold, even in August.' },
  ],
};

const post = async (url, path, value) => {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(value) });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.json();
};

/// A server with the short route, and its id.
async function routeServer() {
  const track = (name, start) => gpx({ name, start, places: curve([10.01, 47.001], 100) });
  const path = await library({ 'walk.gpx': track('Walk', '2024-05-01T10:00:00Z'), 'ride.gpx': track('Ride', '2022-05-01T10:00:00Z') });
  const { url, stop } = await serve(path);
  const { id } = await post(url, 'v1/routes', ROUTE);
  return { url, stop, route: id, path };
}

/// A test with a server of the short route, and a page that must end without a fault.
function journeyTest(shared, name, body, form = {}) {
  test(name, { timeout: 120_000 }, async () => {
    const { url, stop, route, path } = await routeServer(), page = await shared.browser.page(form);
    try {
      await body(page, url, route, path);
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });
}

/// Sets the time of a session.
async function setTime(page, hours, minutes, seconds) {
  for (const [index, value] of [hours, minutes, seconds].entries()) {
    await page.choose(`.times label:nth-child(${index + 1}) input`, String(value));
  }
}

/// Journeys and routes.
export function journeysTests(shared) {
  journeyTest(shared, 'a session leads to a place, which it unlocks, and to the end of the route', async (page, url) => {
    await page.open(url);
    await untilMap(page);
    await page.click('#rail [data-panel="journeys"]');
    await page.untilText('#side-body', /Short Pass\s+4 places[^]*6 s a stage/);
    await page.evaluate(() => [...document.querySelectorAll('.card')].find(({ innerText }) => /Short Pass/.test(innerText)).click());
    await page.untilText('#side-title', /Short Pass/);
    // What is locked is neither in the panel nor in what the server has sent.
    assert.doesNotMatch(await page.text('#side-body'), /Soup/);
    await page.untilText('.journey-pin.locked', /Hut|Pass|Lake/);
    await page.click('#side-body form .main');
    await page.untilText('#side-body', /1 of 4 places[^]*Where to\?/);
    await page.until('the figure is there', () => document.querySelector('.journey-figure'));
    await setTime(page, 0, 0, 4);
    await page.untilText('.reach', /On the way to Hut, 2 s more\./);
    await setTime(page, 0, 0, 6);
    await page.untilText('.reach', /Reaches Hut, 6 s more to Pass\./);
    await setTime(page, 0, 0, 0);
    await page.untilText('.reach', /1 s to 24 h/);
    assert.equal(await page.evaluate(() => document.querySelector('.start').disabled), true);

    // A destination beyond the next place, on the map.
    await page.click('.journey-pin[title^="Pass"] i');
    await page.untilText('.places [aria-current]', /Pass/);
    await page.untilText('.reach', /Reaches Pass, 6 s more to Lake\./);
    await setTime(page, 0, 0, 13);
    await page.click('.start');
    await page.untilText('.countdown', /0:1\d[^]*To Pass, until[^]*Cancel[^]*left to cancel/);
    await page.click('.way-out button');
    await page.untilVisible('.start');
    assert.equal((await (await fetch(url + 'v1/journeys')).json()).journeys[0].done, 0);

    await page.click('.start');
    await page.until('the line is lit', () => document.querySelector('.journey-done')?.getBoundingClientRect().width > 20);
    await page.untilText('.event-card', /You have arrived[^]*Hut[^]*Soup and a bed/);
    await page.untilHidden('.way-out');
    await page.untilText('.countdown', /no way out/);
    assert.match(await page.evaluate(() => document.title), /0:0\d Pass/);
    await keepPicture(page, 'journey-running');
    await page.until('the pass is reached', () => [...document.querySelectorAll('.event-card')].some(({ innerText }) => /both sides/.test(innerText)));
    await page.untilVisible('.start');
    await page.untilText('.progress', /3 of 4 places/);
    await setTime(page, 0, 0, 6);
    await page.untilText('.reach', /Reaches Lake, the end of the route/);
    await page.click('.start');
    await page.until('it is finished', () => [...document.querySelectorAll('.event-card')].some(({ innerText }) => /The end of the route/.test(innerText)));
    await page.untilHidden('.start');

    // All of it is in the passport, in the time and in the profile.
    await page.click('#side-body nav [data-panel="passport"]');
    await page.untilText('#side-body', /Short Pass 4 of 4 places/);
    await page.evaluate(() => [...document.querySelectorAll('.stamps')].find(({ innerText }) => /Short Pass/.test(innerText)).querySelector('summary').click());
    await page.untilText('.stamps[open]', /Where it begins[^]*Soup and a bed[^]*Own text, CC0[^]*Cold, even in August/);
    await page.untilText('.medals', /1 h of focus/);
    await page.click('#side-body nav [data-panel="focus"]');
    await page.untilText('#side-body .facts', /Focus\s+19 s\s+Sessions\s+2 sessions/);
    for (const [ending, type] of [['csv', /csv/], ['svg', /svg/]]) {
      const href = await page.evaluate((wanted) => document.querySelector(`#side-body a[href*="stats.${wanted}"]`).href, ending);
      assert.match((await fetch(href)).headers.get('Content-Type'), type);
    }
    await page.click('#side-body nav [data-panel="person"]');
    await page.choose('#side-body form input', 'Ann');
    await page.click('#side-body form button');
    await page.untilText('#side-body', /Saved\./);
    await page.untilText('.person', /Ann/);
  });

  journeyTest(shared, 'a session that runs when the page is opened is shown at once, and beside other panels', async (page, url, route) => {
    const { id } = await post(url, 'v1/journeys', { route, by: 'focus' });
    await post(url, `v1/journeys/${id}/sessions`, { seconds: 14 });
    await page.open(url);
    await untilMap(page);
    await page.untilText('.countdown', /0:1?\d[^]*To Hut/);
    await page.click('#side-end');
    await page.untilText('#travel', /0:0?\d+[^]*Hut/);
    await page.click('#rail [data-panel="tracks"]');
    await page.untilText('#side-title', /Tracks/);
    await page.untilVisible('#travel');
    await page.untilText('#travel', /✓/);
    await page.click('#travel');
    await page.untilText('#side-body', /2 of 4 places/);
    assert.ok(await page.evaluate(() => document.querySelector('#travel').hidden));
  });

  journeyTest(shared, 'what the server refuses is said', async (page, url, route) => {
    const [first, second] = [await post(url, 'v1/journeys', { route, by: 'focus' }), await post(url, 'v1/journeys', { route, by: 'focus' })];
    await page.open(`${url}#panel=journey&journey=${first.id}`);
    await page.untilVisible('.start');
    await post(url, `v1/journeys/${second.id}/sessions`, { seconds: 60 });
    await setTime(page, 0, 1, 0);
    await page.click('.start');
    await page.untilText('.timer', /Another session runs until/);
    assert.match(page.faults().join(), /409/);
    await page.evaluate(() => { location.hash = '#panel=journey&journey=nothing'; });
    await page.untilText('#side-body', /does not exist/);
    page.faults();
  });

  journeyTest(shared, 'the owner edits a route', async (page, url, route) => {
    await page.open(`${url}#panel=route&route=${route}`);
    await page.click('details.edit > summary');
    await page.untilVisible('details.edit form');
    await page.choose('details.edit form input[type="text"]', 'Long Pass');
    await page.choose('details.edit form input[type="number"]', '0.2');
    await page.click('details.edit form button');
    await page.untilText('#side-title', /Long Pass/);
    await page.untilText('details.edit', /Saved/);
    await page.click('[data-edits]:nth-of-type(2) summary');
    await page.choose('[data-edits][open] textarea', 'Soup, and two beds.');
    await page.click('[data-edits][open] form .row button');
    await page.until('it is stored', async () => /two beds/.test(document.querySelector('[data-edits][open] textarea')?.value ?? ''));
    await page.evaluate(() => [...document.querySelectorAll('details.edit button')].find(({ innerText }) => /Add a place/.test(innerText)).click());
    await page.untilText('details.edit', /Click where the new place is/);
    await page.clickAt(700, 300);
    await page.untilText('details.edit', /Place 5/);
    await page.click('.journey-pin[title="Place 5, locked"] i');
    await page.untilVisible('[data-edits][open] form');
    await page.evaluate(() => [...document.querySelectorAll('[data-edits][open] button')].find(({ innerText }) => /Remove…/.test(innerText)).click());
    await page.click('[data-edits][open] .danger');
    await page.until('it is gone', () => !/Place 5/.test(document.querySelector('details.edit').innerText));
    const found = await (await fetch(`${url}v1/routes/${route}?edit=1`)).json();
    assert.deepEqual([found.name, found.level, found.places.length, found.places[1].description], ['Long Pass', 12, 4, 'Soup, and two beds.']);
  });

  journeyTest(shared, 'a journey by recorded kilometres is where its tracks have led', async (page, url, route) => {
    await page.open(`${url}#panel=route&route=${route}`);
    await page.choose('#side-body form select', 'metres');
    await page.click('#side-body form .more > button');
    await page.choose('.factor input[type="text"]', 'activity = ride');
    await page.choose('.factor input[type="number"]', '4');
    await page.click('#side-body form .main');
    await page.untilText('#side-body .progress', /[23] of 4 places, \d+\.\d mi of/);
    assert.equal(await page.evaluate(() => document.querySelector('.start').checkVisibility()), false);
    const { journeys: [journey] } = await (await fetch(url + 'v1/journeys')).json();
    assert.ok(journey.done > 1000);
    assert.deepEqual(journey.factors, [{ where: 'activity = ride', factor: 4 }]);
  });

  journeyTest(shared, 'members have journeys of their own, and others see routes only', async (page, url, route, path) => {
    const token = async (...words) => /[A-Za-z0-9_-]{30,}/.exec(await command('tokens', 'add', '--library', path, ...words))[0];
    const [member, viewer] = [await token('--role', 'member', '--person', 'bea'), await token('--role', 'viewer', 'guest')];
    // A new token is accepted within a second.
    for (let tries = 0; tries < 50 && !(await fetch(`${url}v1/persons?key=${member}`)).ok; tries++) await new Promise((done) => setTimeout(done, 100));
    await page.open(`${url}?key=${member}#panel=route&route=${route}`);
    await page.click('#side-body form .main');
    await page.untilVisible('.start');
    assert.deepEqual((await (await fetch(url + 'v1/journeys')).json()).journeys, []);
    await page.evaluate(() => { location.hash = '#panel=person'; });
    await page.untilText('.person', /bea/i);
    await page.open(`${url}?key=${viewer}#panel=route&route=${route}`);
    await page.untilText('#side-body', /Sign in with a token of your own to travel[^]*Hut\s*Locked/);
    assert.doesNotMatch(await page.text('#side-body'), /Edit this route|Soup/);
    for (const panel of ['journeys', 'passport', 'focus', 'person']) {
      await page.evaluate((name) => { location.hash = '#panel=' + name; }, panel);
      await page.untilText('#side-body [role="status"]', /Sign in with a token of your own/);
    }
    // The owner can make them a team.
    await page.open(`${url}#panel=route&route=${route}`);
    await page.untilVisible('#side-body fieldset .check');
    await page.evaluate(() => { for (const box of document.querySelectorAll('#side-body fieldset input')) box.checked = true; });
    await page.click('#side-body form .main');
    await page.untilText('.members', /Owner[^]*bea|bea[^]*Owner/i);
  });

  journeyTest(shared, 'a route is imported from GPX, and gets a picture', async (page, url) => {
    const text = '<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><rte><name>Brought</name>'
      + '<rtept lat="46" lon="8"><name>Low</name></rtept><rtept lat="46.1" lon="8.1"><name>High</name></rtept></rte></gpx>';
    await page.open(url + '#panel=journeys');
    await page.untilText('#side-body', /Short Pass/);
    const give = (selector, name, body, type) => page.evaluate(async (...[wanted, fileName, content, kind]) => {
      const field = document.querySelector(wanted), files = new DataTransfer();
      const bytes = kind.startsWith('image') ? await (await fetch(content)).blob() : content;
      files.items.add(new File([bytes], fileName, { type: kind }));
      field.files = files.files;
      field.dispatchEvent(new Event('change'));
    }, selector, name, body, type);
    await give('#side-body input[type="file"]', 'way.kml', '', 'text/xml');
    await page.untilText('#side-body', /A route is a file of GPX/);
    await give('#side-body input[type="file"]', 'way.gpx', text, 'application/gpx+xml');
    await page.untilText('#side-title', /Brought/);
    await page.untilText('.places', /Low[^]*High/);
    await page.evaluate(() => { document.querySelector('details.edit').open = true; });
    await page.untilVisible('details.edit form');
    const before = await page.evaluate(() => document.querySelector('details.edit .row img').src);
    await give('details.edit input[type="file"]', 'icon.png', url + 'tiles/base/1/1/0.png', 'image/png');
    await page.until('the picture is another one', (old) => document.querySelector('details.edit .row img')?.src !== old, before);
    const route = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('route'));
    assert.equal((await fetch(`${url}v1/routes/${route}/picture`)).headers.get('Content-Type'), 'image/jpeg');
  });

  journeyTest(shared, 'all of it can be done with the keyboard on a phone', async (page, url) => {
    await page.open(url);
    await untilMap(page);
    await tabTo(page, '#rail [data-panel="journeys"]');
    await page.key('Enter');
    await page.until('the routes are listed', () => [...document.querySelectorAll('.card')].some(({ innerText }) => /Short Pass/.test(innerText)));
    const id = await page.evaluate(() => [...document.querySelectorAll('.card')].find(({ innerText }) => /Short Pass/.test(innerText)).dataset.route);
    await tabTo(page, `.card[data-route="${id}"]`);
    await page.key('Enter');
    await tabTo(page, '#side-body form .main');
    await page.key('Enter');
    await page.untilVisible('.start');
    await tabTo(page, '.places .locked');
    await page.key('Enter');
    await page.untilText('.places [aria-current]', /Pass/);
    await page.until('the focus stays in the list', () => /Pass/.test(document.activeElement.innerText));
    await tabTo(page, '.start');
    await page.key('Enter');
    await page.untilText('.countdown', /To Pass/);
    await tabTo(page, '.way-out button');
    await page.key('Enter');
    await page.untilVisible('.start');
  }, { width: 390, height: 844 });

  for (const form of forms) {
    test(`axe-core finds nothing in journeys, ${form.scheme}, ${form.width} pixels wide`, { skip, timeout: 180_000 }, async () => {
      const { url, stop, route } = await routeServer(), page = await shared.browser.page(form);
      const { id } = await post(url, 'v1/journeys', { route, by: 'focus' });
      try {
        await page.open(url);
        await untilMap(page);
        await page.untilVisible('#rail');
        await loadAxe(page);
        for (const [name, hash, shown] of [
          ['journeys', '#panel=journeys', '.card[data-route]'], ['route', `#panel=route&route=${route}`, 'details.edit form'],
          ['journey', `#panel=journey&journey=${id}`, '.start'], ['passport', '#panel=passport', '.stamps'],
          ['focus', '#panel=focus', '#side-body select'], ['person', '#panel=person', '.person'],
        ]) {
          await page.evaluate((wanted) => { location.hash = wanted; }, hash);
          if (name === 'route') {
            await page.untilVisible('ol.places');
            await page.evaluate(() => { for (const one of document.querySelectorAll('#side-body details')) one.open = true; });
          }
          await page.untilVisible(shown);
          await page.until('the pictures are there', () => [...document.querySelectorAll('#side-body img:not([loading="lazy"])')].every(({ complete }) => complete));
          assert.deepEqual(await violations(page), [], name);
          await keepPicture(page, `journeys-${name}-${form.scheme}-${form.width}`);
        }
        await page.evaluate((wanted) => { location.hash = wanted; }, `#panel=journey&journey=${id}`);
        await page.untilVisible('.start');
        await setTime(page, 0, 0, 30);
        await page.click('.start');
        await page.untilVisible('.way-out button');
        assert.deepEqual(await violations(page), [], 'countdown');
        await keepPicture(page, `journeys-countdown-${form.scheme}-${form.width}`);
        await page.untilText('.event-card', /Hut/);
        assert.deepEqual(await violations(page), [], 'unlocked');
        await keepPicture(page, `journeys-unlocked-${form.scheme}-${form.width}`);
        await page.click('#side-end');
        await page.untilVisible('#travel');
        assert.deepEqual(await violations(page), [], 'bar');
        page.assertClean();
      } finally {
        await page.close();
        await stop();
      }
    });
  }
}
