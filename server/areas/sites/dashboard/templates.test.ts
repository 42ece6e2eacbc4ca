/** The structure of the dashboard's screens, read from the sources: their templates and their lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { screens } from './test/screens.ts';
import { sources } from './test/program.ts';

const TEMPLATE = /<(Home|List|Details|Settings)Page\b/g;

/** Pages without a business, and states that replace a whole page. */
const WITHOUT = ['entry/denied.tsx', 'shell/choose.tsx', 'ui/states.tsx'];

test('every screen is a home, a list, the details of one thing, or settings', () => {
  for (const { name, source, path } of screens) {
    const { text } = sources.find(({ file }) => `src/${file}` === source)!;
    const used = [...new Set([...text.matchAll(TEMPLATE)].map(([, template]) => template))];
    assert.equal(used.length, 1, `${name} has one template`);
    // An address with a parameter is about one thing.
    const isOne = path.includes('$');
    assert.equal(used[0] === 'Details' || (used[0] === 'Settings' && isOne), isOne, `${name} is ${used[0]}`);
  }
});

test('the main heading of a screen comes from its template', () => {
  const own = sources.filter(({ text }) => /<h1\b/.test(text)).map(({ file }) => file);
  assert.deepEqual(
    own.filter((file) => file !== 'ui/page.tsx' && !WITHOUT.includes(file)),
    [],
  );
});

/** Texts that are not the empty state of a list: of a preview, of a field, and of a person without a business. */
const NO_LIST = ['changes/effects.tsx', 'screens/settings/fields/several.tsx', 'shell/choose.tsx'];

const lists = sources.filter(({ file }) => file.endsWith('.tsx') && !NO_LIST.includes(file));

test('a list shows that it is empty in one way, and only once it was read', () => {
  const OWN = /length === 0\)?(?: &&[^?;]*)?\s*(?:\?|return)\s*\(?\s*<(?:p|div)\b(?! role="status")/;
  const UNREAD = /\?\? \[\]\)\.length === 0/;
  assert.deepEqual(
    lists.filter(({ text }) => OWN.test(text) || UNREAD.test(text)).map(({ file }) => file),
    [],
  );
});

test('every button of an empty list names the permissions that it needs, and what it does', () => {
  const steps = lists.flatMap(({ file, text }) =>
    [...text.matchAll(/const next: readonly NextStep\[\] =([^;]*);/g)].map(([, next]) => ({ file, next })),
  );
  assert.ok(steps.length > 20);
  const bare = steps.filter(
    ({ next }) => next.split('label:').length !== next.split(/needs: (?:\['|[A-Z_]+\b|\w+\.needs)/).length,
  );
  assert.deepEqual(
    bare.map(({ file }) => file),
    [],
  );
});
