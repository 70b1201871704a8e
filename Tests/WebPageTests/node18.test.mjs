import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/// Evaluates an expression in a Node that has only what Node 18 has: its value, or the name of the error.
function evaluate(expression) {
  const script = `let value; try { value = ${expression}; } catch (error) { value = error.name; } console.log(JSON.stringify(value));`;
  const node18 = new URL('./node18.mjs', import.meta.url).href;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', node18, '--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

test('what Node 18 lacks is missing in tests, whatever version runs them', () => {
  for (const expression of [
    '[1, 2].toReversed()', '[1].values().map(String)', 'Object.groupBy([], String)', 'new Set().union(new Set())',
    'Promise.withResolvers()', 'new Uint8Array(2).toSorted()', 'performance.now = Date.now',
  ]) assert.equal(evaluate(expression), 'TypeError', expression);
  assert.equal(evaluate('new File([], "a.gpx").name'), 'ReferenceError');
});

test('what Node 18 has is there', () => {
  assert.equal(evaluate('[1, 2].findLast((one) => one < 2)'), 1);
  assert.equal(evaluate('Object.defineProperty(performance, "now", { value: () => 7, configurable: true }).now()'), 7);
  assert.equal(evaluate('await new Response(new Blob(["text"])).text()'), 'text');
});
