import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { halfTexts, legendParts, legendTitle, rampFits, rowLabels } from '../../Sources/CWebPage/site/legend.js';

const named = (...texts) => texts.map((text) => ({ text, color: '#000' }));

test('counts are a row; a colour with a name of its own is below it', () => {
  const entries = [{ from: 1, text: '1', color: '#111' }, { from: 2, text: '2', color: '#222' }, ...named('other')];
  const { row, list, isCounted } = legendParts({ entries });
  assert.deepEqual([row.length, list.map(({ text }) => text), isCounted], [2, ['other'], true]);
});

test('steps that end with an unknown value are a row; other names are a list', () => {
  assert.equal(legendParts({ entries: named('slow', 'fast', 'unknown') }).row.length, 2);
  assert.deepEqual(legendParts({ entries: named('ride', 'walk') }).row, []);
});

test('the title says what the colours count', () => {
  const legend = { title: 'Speed', unit: 'km/h' };
  assert.equal(legendTitle(legend, false, ''), 'Speed, km/h');
  assert.equal(legendTitle({ title: 'Heat', unit: 'person-days' }, true, ''), 'Days visited');
  assert.equal(legendTitle(legend, true, '2023-01-01/2023-12-31'), 'Days visited, two periods compared');
});

test('labels are the first, the middle and the last text, each once', () => {
  assert.deepEqual(rowLabels(named('1', '2', '5', '10', '20')), ['1', '5', '20']);
  assert.deepEqual(rowLabels(named('1')), ['1']);
  assert.deepEqual(rowLabels(named('1 May – 2 May', '3 May – 4 May')), ['1 May', '4 May']);
});

test('ramps with a middle are for comparisons only', () => {
  assert.equal(rampFits({ for: 'differences' }, '2023-01-01/'), true);
  assert.equal(rampFits({ for: 'differences' }, ''), false);
  assert.equal(rampFits({ for: 'dark' }, ''), true);
  assert.equal(rampFits({ for: 'any' }, '2023-01-01/'), false);
});

// The numbers of the calendar

const css = (name) => readFileSync(new URL('../../Sources/CWebPage/site/' + name, import.meta.url), 'utf8');
const variables = (text) => Object.fromEntries([...text.matchAll(/--(\w+): #(\w{6})/g)].map(([, name, color]) =>
  [name, [0, 2, 4].map((at) => parseInt(color.slice(at, at + 2), 16))]));
const block = (selector) => variables(css('page.css').split(selector + ' {')[1].split('}')[0]);
const themes = Object.fromEntries(['light', 'grey', 'dark'].map((name) =>
  [name, { ...block(':root'), ...(name === 'light' ? {} : block(':root[data-background="' + name + '"]')) }]));

/// The contrast of two colours as WCAG defines it, 1…21.
function contrast(one, other) {
  const luminance = (color) => color.map((value) => value / 255)
    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

for (const [name, theme] of Object.entries(themes)) {
  test('numbers of the calendar have a contrast of at least 4.5 on the ' + name + ' background', () => {
    const shades = [...css('player.css').matchAll(/\[data-shade="(\d)"\] \{ --shade: (\d+)%; \}/g)];
    assert.equal(shades.length, 4);
    const inverted = [...css('player.css').matchAll(/\.month \[data-shade="(\d)"\] \{ color: var\(--panel\)/g)].map(([, shade]) => shade);
    for (const [, shade, percent] of shades) {
      const mixed = theme.accent.map((value, index) => value * percent / 100 + theme.field[index] * (1 - percent / 100));
      const color = inverted.includes(shade) ? theme.panel : theme.ink;
      assert.ok(contrast(mixed, color) >= 4.5, 'shade ' + shade + ': ' + contrast(mixed, color));
    }
    assert.match(css('player.css'), /\.month button:disabled \{ color: var\(--faint\); opacity: 1; \}/);
    assert.ok(contrast(theme.panel, theme.faint) >= 4.5);
  });
}

test('both halves of a comparison say which period they are', () => {
  assert.deepEqual(halfTexts('2023-01-01/2023-12-31', { from: '2024-01-01', to: '2024-12-31' }),
    ['More days in 2023', 'More days in 2024']);
  const [before, after] = halfTexts('/2023-06-30', { from: '2023-07-01', to: '' });
  assert.match(before, /^More days until .*2023$/);
  assert.match(after, /^More days since .*2023$/);
  assert.match(halfTexts('2024-05-01/2024-05-01', { from: '', to: '' }).join(), /^More days in [^–]*2024,More days in all time$/);
  assert.match(halfTexts('2024-05-01/2024-05-31', { from: '', to: '' })[0], /2024 – .*2024$/);
});
