import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  fragment, known, currentStyle, legendParameters, openLink, parameters, parseView, readFragment, remember, selectionParameters,
  startHistory, state, step,
} from '../../Sources/CWebPage/site/state.js';

beforeEach(() => readFragment(''));

test('an empty fragment is the default state, which is written as nothing', () => {
  assert.deepEqual(readFragment(''), { view: null, ignored: [] });
  assert.equal(state.style, 'heat');
  assert.equal(fragment(null), '');
});

test('what is written is read again', () => {
  const values = {
    style: 'tracks-age', layer: 'long rides', from: '2024-01-01', to: '2024-12-31', minus: '2023-01-01/2023-12-31',
    ramp: 'ember', span: 'window', track: 'abc,def', back: 'style=heat&map=3/1/2', background: 'dark', base: 'none', grid: '0',
    panel: 'tracks', q: 'lake', activity: 'ride', by: 'year', measure: 'climb', year: '2024', units: 'imperial',
    pins: '1', pin: '0123456789abcdef0123456789abcdef', box: '1,2,3,-4.5', kind: 'photo', category: 'hut', hours: '22-4',
    months: '5,7-9',
    venue: '0123456789abcdef0123456789abcdef', level: '-1', place: 'f123456789abcdef0123456789abcdef', rooms: 'c 1.06',
    roomKind: 'restroom', origin: '0123456789abcdef0123456789abcdef', destination: 'category:restroom.male',
    via: '11.5,48.25,0;0123456789abcdef0123456789abcdef', profile: 'wheelchair',
    play: '2024-05-09', only: '1', together: '1', at: '2024-05-09T08:00:00Z', speed: 'max', trail: '300', follow: '0',
    under: 'map', live: '1',
    paper: 'A3', orientation: 'landscape', posterStyle: 'tracks', posterTheme: 'dark', format: 'png', dpi: '300',
    title: 'Alps & lakes', chart: 'elevation',
    route: 'taiwan', journey: 'a1B2c3D4e5',
    scene: 'time', azimuth: '290', tilt: '45.5', stretch: '0.25', common: '1',
  };
  assert.deepEqual(Object.keys(values).sort(), Object.keys(state).sort());
  Object.assign(state, values);
  const text = fragment([12, 52.5, -13.25]);
  readFragment('');
  const { view, ignored } = readFragment(text);
  assert.deepEqual({ ...state }, values);
  assert.deepEqual(view, [12, 52.5, -13.25]);
  assert.deepEqual(ignored, []);
});

for (const [part, name] of [
  ['from=xx', 'from'], ['from=2024-02-30', 'from'], ['to=2024-1-1', 'to'], ['minus=2024-01-01', 'minus'],
  ['background=pink', 'background'], ['speed=0', 'speed'], ['speed=fast', 'speed'], ['at=noon', 'at'],
  ['play=yesterday', 'play'], ['panel=cellar', 'panel'], ['by=hour', 'by'], ['hours=24', 'hours'], ['months=0', 'months'], ['box=1,2,3', 'box'], ['pin=7', 'pin'], ['venue=7', 'venue'], ['level=G', 'level'], ['place=x', 'place'],
  ['origin=category:restroom', 'origin'], ['destination=here', 'destination'], ['via=1;2', 'via'], ['profile=walk', 'profile'], ['year=MMXX', 'year'], ['scene=4', 'scene'], ['route=a/b', 'route'], ['azimuth=361', 'azimuth'], ['tilt=9', 'tilt'], ['stretch=1e5', 'stretch'], ['units=ells', 'units'], ['trail=-1', 'trail'], ['colour=red', ''], ['map=1/2', ''], ['map=1//2', ''],
]) {
  test(part + ' is reported and has no effect', () => {
    const before = { ...state };
    assert.deepEqual(readFragment('#grid=0&' + part).ignored, [part]);
    assert.deepEqual({ ...state }, { ...before, grid: '0' });
    if (name) assert.equal(fragment(null), '#grid=0');
  });
}

test('former names in addresses are still read', () => {
  for (const [former, name] of [
    ['ground=dark', 'background=dark'], ['strip=speed', 'chart=speed'], ['panel=sums', 'panel=statistics'],
  ]) {
    assert.deepEqual(readFragment('#' + former).ignored, [], former);
    assert.equal(fragment(null), '#' + name);
  }
});

test('requests have the parameters that differ from their default', () => {
  assert.deepEqual(parameters(), {});
  readFragment('#layer=rides&from=2024-01-01&ramp=ember&style=heat');
  assert.deepEqual(parameters(), { layer: 'rides', from: '2024-01-01', ramp: 'ember' });
  assert.deepEqual(parameters(selectionParameters, { z: 3 }), { layer: 'rides', from: '2024-01-01', z: 3 });
});

test('only a single track is drawn with its decoration', () => {
  readFragment('#track=abc');
  assert.deepEqual(parameters(), { track: 'abc', marks: '1' });
  readFragment('#track=abc,def');
  assert.deepEqual(parameters(), { track: 'abc,def' });
});

test('a style that is not known yet is one of heat', () => {
  assert.equal(currentStyle().kind, 'heat');
  known.styles = [{ name: 'heat', kind: 'heat', takesRamp: true }, { name: 'tracks', kind: 'tracks', takesRamp: false }];
  readFragment('#style=tracks');
  assert.equal(currentStyle().takesRamp, false);
  known.styles = [];
});

test('a view has three numbers', () => {
  assert.deepEqual(parseView('3/-1.5/2'), [3, -1.5, 2]);
  for (const text of ['', '1/2', '1/2/x', '1/2/3/4', '1//3', '1/2/Infinity']) assert.equal(parseView(text), null);
});

test('tiles and legends of a style with themes get the theme of a dark background', () => {
  readFragment('');
  known.styles = [{ name: 'heat', kind: 'heat', takesRamp: true, takesTheme: true }, { name: 'tracks', kind: 'tracks' }];
  known.theme = 'dark';
  assert.deepEqual(parameters(), { theme: 'dark' });
  assert.deepEqual(parameters(legendParameters, { z: 3 }), { z: 3, theme: 'dark' });
  assert.deepEqual(parameters(selectionParameters), {});
  readFragment('style=tracks');
  assert.deepEqual(parameters(), {});
  readFragment('');
  known.theme = '';
  assert.deepEqual(parameters(), {});
});

test('a link to a place of a venue becomes the URL of its panel', () => {
  const [venue, place] = ['0123456789abcdef0123456789abcdef', 'f123456789abcdef0123456789abcdef'];
  const opened = (search, hash = '') => {
    let url = '';
    globalThis.location = { pathname: '/map/', search, hash };
    globalThis.history = { replaceState: (data, title, text) => { url = text; } };
    openLink();
    return url;
  };
  assert.equal(opened(`?venue=${venue}&place=${place}`), `/map/#panel=place&venue=${venue}&place=${place}`);
  assert.equal(opened(`?key=s&venue=${venue}`), `/map/?key=s#panel=venues&venue=${venue}`);
  assert.equal(opened(`?venue=${venue}&place=x`), `/map/#panel=venues&venue=${venue}`);
  // What the page shows already counts more.
  for (const [search, hash] of [['', ''], ['?place=' + place, ''], ['?venue=1', ''], [`?venue=${venue}`, '#panel=tracks']]) {
    assert.equal(opened(search, hash), '');
  }
  known.isLink = false;
  assert.deepEqual(readFragment(opened(`?venue=${venue}&place=${place}`).split('#')[1]).ignored, []);
  // Such a link has no view of the map.
  assert.ok(known.isLink);
  known.isLink = false;
  assert.deepEqual([state.panel, state.venue, state.place], ['place', venue, place]);
  delete globalThis.location;
  delete globalThis.history;
});

test('an entry of the history keeps what was shown when the next one began', async () => {
  const entries = ['/'], pause = (milliseconds) => new Promise((wait) => { setTimeout(wait, milliseconds); });
  globalThis.location = { pathname: '/', search: '', get hash() { return entries.at(-1).replace(/^[/]/, ''); } };
  globalThis.history = {
    pushState: (data, title, url) => entries.push(url),
    replaceState: (data, title, url) => { entries[entries.length - 1] = url; },
  };
  readFragment('');
  startHistory(() => null);
  // A filter that was taken back, just before another panel opens.
  state.category = 'shelter';
  remember();
  await pause(600);
  state.category = '';
  remember();
  await pause(10);
  state.panel = 'pin';
  remember();
  step();
  assert.deepEqual(entries, ['/', '#panel=pin']);
  // A period that is dragged while another one is still to be written.
  state.from = '2024-01-01';
  step();
  remember();
  await pause(10);
  known.isDragging = true;
  state.from = '2024-02-02';
  remember();
  await pause(600);
  assert.equal(entries.at(-1), '#from=2024-01-01&panel=pin');
  known.isDragging = false;
  state.from = '2024-03-03';
  step();
  await pause(600);
  assert.deepEqual(entries.slice(1), ['#panel=pin', '#from=2024-01-01&panel=pin', '#from=2024-03-03&panel=pin']);
  readFragment('');
  delete globalThis.location;
  delete globalThis.history;
});
