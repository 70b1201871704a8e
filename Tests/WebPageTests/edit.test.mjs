import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchOf, tagsIn } from '../../Sources/CWebPage/site/edit.js';

const track = { id: 'a', name: 'Ride', activity: 'cycling', tags: ['alps', 'x y'] };

test('only what was changed is sent, and an emptied field restores what was recorded', () => {
  const same = { name: 'Ride', activity: 'cycling', tags: 'alps, x y' };
  assert.equal(patchOf(track, same), null);
  assert.deepEqual(patchOf(track, { ...same, name: ' Tour ' }), { name: 'Tour' });
  assert.deepEqual(patchOf(track, { ...same, name: '', activity: ' ' }), { name: null, activity: null });
  assert.deepEqual(patchOf(track, { ...same, tags: 'x y,alps' }), { tags: ['x y', 'alps'] });
  assert.deepEqual(patchOf(track, { ...same, tags: '' }), { tags: [] });
  assert.equal(patchOf({ id: 'b' }, { name: '', activity: '', tags: '' }), null);
});

test('tags are separated by commas, each once', () => {
  assert.deepEqual(tagsIn(' a, b ,,a, c d '), ['a', 'b', 'c d']);
});
