import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STYLE } from './style.ts';

const FOLDER = new URL('./style/', import.meta.url);
const sheets = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }));

test('every style file is served, the tokens first', () => {
  for (const { name, text } of sheets) assert.ok(STYLE.includes(text), name);
  assert.ok(STYLE.startsWith(sheets.find(({ name }) => name === 'tokens.css')!.text));
});

test('the tokens draw nothing themselves, so any page may include them', () => {
  const { text } = sheets.find(({ name }) => name === 'tokens.css')!;
  const selectors = [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)].map(([, before]) =>
    before.trim(),
  );
  assert.deepEqual([...new Set(selectors)], [':root', '@media (prefers-color-scheme: dark)']);
});

test('every variable that a style uses is one that a style sets', () => {
  const set = new Set([...STYLE.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name));
  // Set by a business's colors, see brand.ts.
  set.add('--brand-edge');
  const unknown = [...STYLE.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name).filter((name) => !set.has(name));
  assert.deepEqual(unknown, []);
});

const DASHBOARD = new URL('../../../web/dashboard/src/', import.meta.url);
const dashboard = globSync('**/*.css', { cwd: DASHBOARD }).map((name) => ({
  name,
  text: readFileSync(new URL(name, DASHBOARD), 'utf8'),
}));

test('no rule uses left or right, so pages in a right-to-left language are mirrored', () => {
  assert.ok(dashboard.length > 10);
  const physical = [...sheets, ...dashboard].flatMap(({ name, text }) =>
    text
      .split('\n')
      .filter((line) => {
        const [, property = '', value = ''] = /^\s*([a-z-]+): (.*);$/.exec(line) ?? [];
        const sides = value.replaceAll(/\([^()]*\)/g, '').split(' ');
        const uneven = /^(margin|padding|inset|border-width)$/.test(property) && sides.length === 4;
        return /(^|-)(left|right)(-|$)/.test(property) || /\b(left|right)\b/.test(value) || uneven;
      })
      .map((line) => `${name}: ${line.trim()}`),
  );
  assert.deepEqual(physical, []);
});
