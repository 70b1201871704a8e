import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  categoriesOf, categoryFilter, categoryText, distinctPlaces, floorsOf, floorWith, groundFloor, instructionText, isWithin, legArrow, legLine,
  metresBetween, placeLine, placeLink, placeTitle, progressText, venueInView, venuesIn, wayText, whereText,
} from '../../Sources/CWebPage/site/venue-text.js';
import { setUnits } from '../../Sources/CWebPage/site/text.js';

beforeEach(() => setUnits('metric'));

const level = (id, ordinal, shortName, building = 'b', name = null) => ({ id, ordinal, shortName, building, name });
const house = {
  id: 'v', name: 'House', bbox: [11, 48, 11.001, 48.001], buildings: [{ id: 'b', name: 'House' }],
  levels: [level('g', 0, 'G', 'b', 'Ground Floor'), level('u', -1, 'U'), level('one', 1, null)],
};
const campus = {
  ...house, buildings: [{ id: 'b', name: 'Main' }, { id: 'c', name: 'Annex' }],
  levels: [level('b0', 0, 'E'), level('c0', 0, 'E0', 'c'), level('b1', 1, '1'), level('c1', 1, '1', 'c')],
};

test('floors are ordered from the top down, whatever the order of levels', () => {
  for (const levels of [house.levels, [...house.levels].reverse()]) {
    assert.deepEqual(floorsOf({ levels }).map(({ ordinal, shortName, name }) => [ordinal, shortName, name]),
      [[1, '1', 'Level 1'], [0, 'G', 'Ground Floor'], [-1, 'U', 'Level U']]);
  }
});

test('a short name that is long is the name of a floor', () => {
  const [floor] = floorsOf({ levels: [level('a', -3, 'Platforms of line 4')] });
  assert.deepEqual([floor.shortName, floor.name], ['-3', 'Platforms of line 4']);
});

test('lengths in instructions have the units of the reader', () => {
  assert.equal(instructionText('Turn left and go 20 m.'), 'Turn left and go 20 m.');
  setUnits('imperial');
  assert.equal(instructionText('Leave 5 and go straight 10 m to B.'), 'Leave 5 and go straight 33 ft to B.');
});

test('levels of several buildings are one floor if they have the same ordinal', () => {
  const floors = floorsOf(campus);
  assert.deepEqual(floors.map(({ ordinal, shortName, levels }) => [ordinal, shortName, levels.length]), [[1, '1', 2], [0, '0', 2]]);
  assert.equal(floorWith(floors, 'c1').ordinal, 1);
  assert.equal(floorWith(floors, 'x'), undefined);
});

test('the floor nearest to the ground is shown first, the higher one of two', () => {
  const ground = (...ordinals) => groundFloor(floorsOf({ levels: ordinals.map((ordinal) => level('', ordinal, null)) }))?.ordinal;
  assert.equal(ground(3, 0, -1), 0);
  assert.equal(ground(-1, 1), 1);
  assert.equal(ground(-2, 3), -2);
  assert.equal(ground(), undefined);
});

test('where a place is has the building only if there are several', () => {
  assert.equal(whereText(house, { level: 'g', building: 'b' }), 'Ground Floor');
  assert.equal(whereText(house, { level: 'one', building: 'b' }), 'Level 1');
  assert.equal(whereText(campus, { level: 'c1', building: 'c' }), 'Level 1, Annex');
  assert.equal(whereText(campus, { level: 'x', building: null }), '');
});

test('categories are in plain words, with their refinement', () => {
  assert.equal(categoryText('elevator'), 'Lift');
  assert.equal(categoryText('restroom.wheelchair'), 'Restroom (wheelchair)');
  assert.equal(categoryText('vending_machine'), 'Vending machine');
});

test('a place whose name is its category is called by the words for that', () => {
  assert.equal(placeTitle({ name: 'restroom male', category: 'restroom.male' }), 'Restroom (male)');
  assert.equal(placeTitle({ name: null, category: 'elevator' }), 'Lift');
  assert.equal(placeTitle({ name: 'C-1.06', category: 'office' }), 'C-1.06');
});

test('a line about a place says its category only if its name does not', () => {
  assert.equal(placeLine(house, { name: 'C-1.06', category: 'office', level: 'g' }), 'Office · Ground Floor');
  assert.equal(placeLine(house, { name: 'elevator', category: 'elevator', level: 'g' }), 'Ground Floor');
  assert.equal(placeLine(house, { name: 'C-1.06', category: 'room', level: 'one' }), 'Level 1');
});

test('the categories that people look for are counted and select places', () => {
  const places = ['restroom.male', 'restroom', 'office', 'cafe', 'elevator'].map((category) => ({ category }));
  const found = categoriesOf(places);
  assert.deepEqual(found.map(({ name, count }) => [name, count]), [['restroom', 2], ['lift', 1], ['food', 1]]);
  assert.deepEqual(found[2].bases, ['cafe']);
  assert.deepEqual(places.filter(categoryFilter('restroom')).length, 2);
  assert.deepEqual(places.filter(categoryFilter('')).length, 5);
});

test('a room and the symbol in it are one place, rooms next to each other are not', () => {
  const lift = { name: 'elevator', category: 'elevator', level: 'g', lon: 11, lat: 48 };
  const places = [
    lift, { ...lift, lat: 48.00002 }, { ...lift, lat: 48.0002 }, { ...lift, level: 'one' }, { ...lift, name: 'A', category: 'office' },
  ];
  assert.deepEqual(distinctPlaces(places), [lift, ...places.slice(2)]);
  assert.ok(Math.abs(metresBetween(lift, places[1]) - 2.224) < 0.001);
});

test('a link to a place can be a code at its door', () => {
  assert.equal(placeLink('http://host/', 'v', 'p'), 'http://host/?venue=v&place=p');
});

test('the venue at the middle of the map is shown, else the preferred one, else the nearest one', () => {
  const at = (id, west) => ({ id, bbox: [west, 48, west + 0.001, 48.001] });
  const venues = [at('a', 11), at('b', 11.002), at('c', 11.003)];
  const box = (west, east) => [west, 47.999, east, 48.002];
  assert.equal(venueInView(venues, box(11, 11.001), 'b').id, 'a');
  assert.equal(venueInView(venues, box(11.0005, 11.0028), 'b').id, 'b');
  assert.equal(venueInView(venues, box(11.0008, 11.0026), '').id, 'b');
  assert.equal(venueInView(venues, box(11.0008, 11.0023), 'a').id, 'a');
  assert.equal(venueInView(venues, box(12, 12.1), 'a'), null);
  assert.deepEqual(venuesIn(venues, box(11.0015, 11.0025)).map(({ id }) => id), ['b']);
  assert.ok(isWithin(venues[0].bbox, { lon: 11.0005, lat: 48.0005 }) && !isWithin(venues[0].bbox, { lon: 11.0005, lat: 49 }));
});

test('a way is told with its time, rounded up, and its length', () => {
  assert.equal(wayText({ seconds: 20.2, metres: 26.3 }), '21 s, 26 m');
  assert.equal(wayText({ seconds: 61, metres: 1200 }), '2 min, 1.2 km');
  setUnits('imperial');
  assert.equal(wayText({ seconds: 60, metres: 100 }), '1 min, 328 ft');
});

test('a leg is told with its length or its time, its floor, and who may go there', () => {
  const leg = { level: 'g', how: 'walk', metres: 12.4, seconds: 9.5 };
  assert.equal(legLine(house, leg), '12 m · Ground Floor');
  assert.equal(legLine(house, { ...leg, how: 'lift', seconds: 50 }), '50 s · Ground Floor');
  assert.equal(legLine(house, { ...leg, level: null, how: 'outdoors', access: 'badge' }), '12 m · Outdoors · access: badge');
});

test('who walks is told what comes next, and how far it still is', () => {
  const progress = { instruction: 'Turn left and go 20 m.', metres: 7.8, metresLeft: 45, secondsLeft: 40 };
  assert.equal(progressText(progress), 'In 8 m: Turn left and go 20 m. 40 s, 45 m left.');
  assert.equal(progressText({ ...progress, offRoute: true }), 'You are not on this way.');
  assert.equal(progressText({ ...progress, arrived: true }), 'You have arrived.');
});

test('the arrow of a leg goes where its instruction says', () => {
  for (const [how, instruction, arrow] of [
    ['walk', 'Go straight 20 m.', '↑'], ['walk', 'Turn left and go 3 m.', '←'], ['walk', 'Turn sharp right and go 3 m.', '↘'],
    ['outdoors', 'Bear right and go 9 m outdoors.', '↗'], ['walk', 'Turn round and go 3 m.', '↶'], ['walk', 'Enter C-1.06.', '◉'],
    ['stairs', 'Take the stairs up to level 2.', '↑'], ['lift', 'Take the lift down to level U.', '↓'],
  ]) assert.equal(legArrow({ how, instruction }), arrow, instruction);
});
