import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  capitalized, counted, countryName, degreesText, distanceText, durationText, heightText, percentText, setUnits, speedText,
  unitsOf,
} from '../../Sources/CWebPage/site/text.js';

test('one thing is singular, everything else plural', () => {
  assert.equal(counted(1, 'track'), '1 track');
  assert.equal(counted(0, 'point'), '0 points');
  assert.equal(counted(2, 'day'), '2 days');
});

test('texts begin with a capital letter', () => {
  assert.deepEqual(['zürich', 'Élan', 'a', ''].map(capitalized), ['Zürich', 'Élan', 'A', '']);
});

test('degrees have a direction', () => {
  assert.deepEqual([13.4, -0.25, 0].map((degrees) => degreesText(degrees, 2, 'E', 'W')), ['13.40° E', '0.25° W', '0.00° E']);
});

test('countries have names, and other codes have none', () => {
  assert.equal(typeof countryName('CH'), 'string');
  assert.deepEqual(['-99', 'ZZZZ', ''].map(countryName), [undefined, undefined, undefined]);
});

test('lengths, speeds, durations and shares have units', () => {
  assert.equal(distanceText(999.4), '999 m');
  assert.equal(distanceText(12_345), '12.3 km');
  assert.equal(speedText(1), '3.6 km/h');
  assert.equal(speedText(10), '36 km/h');
  assert.deepEqual([5_000, 90_000, 3_660_000, 200_000_000].map(durationText), ['5 s', '2 min', '1 h 1 min', '2 days']);
  assert.equal(percentText(0.999), ' 99 %');
  assert.equal(percentText(undefined), '');
});

test('lengths, heights and speeds are in miles and feet on demand', () => {
  setUnits('imperial');
  assert.deepEqual([30.48, 1609.344, 16_093.44, 2_000_000].map(distanceText), ['100 ft', '1.0 mi', '10.0 mi', '1,243 mi']);
  assert.deepEqual([heightText(304.8), speedText(0.44704), speedText(4.4704)], ['1,000 ft', '1.0 mph', '10 mph']);
  setUnits('metric');
  assert.deepEqual([heightText(-0.2), distanceText(1_234_567)], ['0 m', '1,235 km']);
});

test('the units follow the region of the locale', () => {
  assert.deepEqual(['en-US', 'en', 'en-GB', 'de', 'fr-CA', 'my'].map(unitsOf),
    ['imperial', 'imperial', 'imperial', 'metric', 'metric', 'imperial']);
});
