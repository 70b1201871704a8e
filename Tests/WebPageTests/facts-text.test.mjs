import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOfFacts, routeText } from '../../Sources/CWebPage/site/facts-text.js';

test('the places of a track say where it goes', () => {
  for (const [places, text] of [
    [undefined, ''], [{ loop: false }, ''], [{ from: 'Bern', to: 'Thun', loop: false }, 'Bern → Thun'],
    [{ from: 'Bern', to: 'Bern', loop: false }, 'In Bern'], [{ from: 'Bern', to: 'Bern', loop: true }, 'Loop from Bern'],
    [{ from: 'Bern', to: 'Köniz', loop: true }, 'Loop from Bern'], [{ from: 'Bern', loop: false }, 'From Bern'],
    [{ to: 'Thun', loop: false }, 'To Thun'],
  ]) assert.equal(routeText(places), text);
});

test('a line of facts ends with the places', () => {
  const track = { points: 5, metres: 2500, seconds: 600, activity: 'run', places: { from: 'Bern', to: 'Thun', loop: false } };
  assert.equal(lineOfFacts(track), 'no time · 2.5 km · 10 min · run · Bern → Thun');
});
