import assert from 'node:assert/strict';
import { test } from 'node:test';
import { union } from '../../Sources/CWebPage/site/boxes.js';
import { addTotals, batches, importText, readReceipts, receiptText } from '../../Sources/CWebPage/site/upload.js';

const file = (name, size) => ({ name, size });

test('files are sent in groups, in order, each once', () => {
  const files = Array.from({ length: 105 }, (_, index) => file(index + '.gpx', index % 10 === 0 ? 9_000_000 : 1000));
  const groups = batches(files);
  assert.deepEqual(groups.flat(), files);
  for (const group of groups) {
    assert.ok(group.length > 0 && group.length <= 20);
    assert.ok(group.length === 1 || group.reduce((sum, { size }) => sum + size, 0) <= 16 * 1024 * 1024);
  }
  assert.deepEqual(batches([]), []);
  assert.equal(batches([file('huge', 1e10), file('small', 1)]).length, 2);
});

test('receipts and totals are read, and anything else is a refusal', () => {
  const text = '{"file":"a.gpx","tracks":1}\n{"import":3,"files":1,"tracks":1,"points":5,"duplicates":0,"failed":0}\n';
  const { receipts, totals } = readReceipts(text);
  assert.deepEqual([receipts.length, totals.import], [1, 3]);
  assert.equal(readReceipts('{"status":413,"detail":"too large"}').problem.detail, 'too large');
  for (const broken of ['', '<html>', '{"file":']) assert.deepEqual(readReceipts(broken), { problem: {} });
});

test('totals of groups are added up', () => {
  const one = { tracks: 1, points: 2, duplicates: 3, failed: 4, files: 9 };
  assert.deepEqual(addTotals(one, one), { tracks: 2, points: 4, duplicates: 6, failed: 8 });
});

test('an import names each failed file with the reason', () => {
  const totals = { files: 3, tracks: 1, points: 1, duplicates: 2, failed: 1 };
  const files = [{ file: 'a.gpx' }, { file: 'b.gpx', error: 'not well-formed' }, { file: 'c.gpx' }];
  assert.equal(importText(files, totals),
    'Imported: 1 new track, 1 new point, 2 points already stored, 1 file failed. b.gpx: not well-formed.');
});

test('of many failed files the first are named', () => {
  const files = Array.from({ length: 5 }, (_, index) => ({ file: index + '.gpx', error: 'empty.' }));
  const text = importText(files, { tracks: 0, points: 0, duplicates: 0, failed: 5 });
  assert.ok(text.endsWith(' 5 files failed. 0.gpx: empty. 1.gpx: empty. 2.gpx: empty. and 2 more files.'), text);
});

test('a receipt says what is new, already stored and refused, or why the file failed', () => {
  assert.equal(receiptText({ tracks: 1, points: 100, duplicates: 0, refused: 0 }), '1 new track, 100 new points');
  assert.equal(receiptText({ tracks: 0, points: 0, duplicates: 5, refused: 1 }),
    '0 new tracks, 0 new points, 5 points already stored, 1 point refused');
  assert.equal(receiptText({ error: 'not well-formed' }), 'Not well-formed.');
});

test('the box around boxes is the smallest one, across 180° if that is smaller', () => {
  assert.equal(union([]), null);
  assert.deepEqual(union([[1, 2, 3, 4]]), [1, 2, 3, 4]);
  assert.deepEqual(union([[1, 2, 3, 4], [10, -5, 12, 0]]), [1, -5, 12, 4]);
  assert.deepEqual(union([[170, 0, 175, 1], [-178, 0, -170, 1]]), [170, 0, -170, 1]);
  assert.deepEqual(union([[170, 0, -160, 1], [-178, 0, -175, 1]]), [170, 0, -160, 1]);
  assert.deepEqual(union([[-180, -9, 180, 9], [3, 0, 4, 1]]), [-180, -9, 180, 9]);
});

test('the box around boxes contains each of them', () => {
  let seed = 7;
  const random = (limit) => (seed = seed * 48271 % 2147483647) % limit;
  const contains = ([west, , east], longitude) => west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  for (let round = 0; round < 2000; round++) {
    const boxes = Array.from({ length: 1 + random(4) }, () => {
      const west = random(360) - 180, east = west + random(90);
      return [west, 0, east > 180 ? east - 360 : east, 1];
    });
    const whole = union(boxes);
    for (const box of boxes) assert.ok(contains(whole, box[0]) && contains(whole, box[2]), JSON.stringify([boxes, whole]));
  }
});
