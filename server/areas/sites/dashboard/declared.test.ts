/**
 * The texts and operations of the dashboard's program compared with the interface and the permissions.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AT_ONCE } from './test/untried.ts';
import { supportsDryRun } from '../../../kernel/api/contract.ts';
import { PERMISSIONS } from '../../people/staff/index.ts';
import { registry as declared } from '../../../app.ts';
import { sources, used } from './test/program.ts';
import { textsOf } from '../../../test/checks/texts.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const registry = declared();

/** Changes without a dry run, because only an outside service knows the result. */
const UNTRIED: ReadonlySet<string> = new Set([
  'POST /domains/verify',
  'POST /customers/{id}/sms_account/verify',
  'POST /customers/{id}/change_email',
  'POST /customers/{id}/change_password',
  'POST /customers/{id}/resend_email_confirmation',
  'POST /payment_processors/{id}/check',
]);

test('the dashboard uses operations of the interface, each open to staff, and each change has a dry run', () => {
  assert.ok(used.size > 5);
  for (const name of used) {
    const operation = registry.operation(name as never);
    assert.ok(operation.who.provider, `${name} is for staff`);
    if (!name.startsWith('GET '))
      assert.equal(supportsDryRun(operation), !UNTRIED.has(name), `${name} can be tried first`);
  }
});

/** Returns the end of the call whose name begins here. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let i = text.indexOf('(', from); i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i + 1;
  }
  return text.length;
}

test('no change is made without a preview, except those with a stated reason and those that undo something', () => {
  const atOnce = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\.call\(\s*'((?:POST|PUT|PATCH|DELETE) [^']*)'/g)]
      .filter(({ index }) => {
        const [before, after] = [text.slice(0, index), text.slice(endOf(text, index))];
        const isAsked = /\b(?:await|void)\s+[\w.#()\s]+$/.test(before) || /^\s*\.(?:answer|result|then)\(/.test(after);
        return isAsked && !/^\s*\.dryRun\(/.test(after) && !/\bundo: \(\) =>[\w.#()\s]+$/.test(before);
      })
      .filter(([, name]) => registry.operation(name as never).acts !== 'calculate')
      .map(([, name]) => `${name} in ${file}`),
  );
  assert.deepEqual(
    atOnce.filter((one) => !(one.split(' in ')[0] in AT_ONCE)),
    [],
  );
  assert.ok(atOnce.length >= 4, atOnce.join());
  for (const name of Object.keys(AT_ONCE)) assert.ok(used.has(name), `${name} is used`);
});

const read = (folder: string) =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');

const KINDS = new URL('../../../../web/dashboard/src/changes/kinds.json', import.meta.url);

test('previews describe only effects that exist', () => {
  const named = new Set([...read('server/areas').matchAll(/effect(?:\(|: )\s*'([a-z_]+)'/g)].map(([, name]) => name));
  // Further texts of the dialogs.
  const own = new Set([
    'message_sent',
    'notice_sent',
    'making',
    'trying',
    // An effect without a text of its own.
    'other',
    // An entry on an account that is about a booking.
    'attendance.charge',
    'attendance.charge_voided',
    // Of one object: its short name alone doesn't say what is disabled.
    'payment_processor.disabled',
    ...sources
      .filter(({ file }) => file.startsWith('changes/'))
      .flatMap(({ text }) =>
        [...text.matchAll(/\bsay\(([^;]*?)\)/g)].flatMap(([, said]) =>
          [...said.matchAll(/'([a-z._]+)'/g)].map(([, key]) => key),
        ),
      ),
  ]);
  const said = Object.keys(textsOf('web/dashboard/texts', 'en').changes!);
  const renamed = Object.keys(JSON.parse(readFileSync(KINDS, 'utf8')).effects);
  assert.ok(renamed.length > 20);
  for (const name of [...said, ...renamed])
    assert.ok(own.has(name) || registry.feed.has(name) || named.has(name), `${name} is an effect`);
});

test('screens require only permissions that exist', () => {
  const { text } = sources.find(({ file }) => file === 'screens.ts')!;
  const asked = [...text.matchAll(/needs: \[([^\]]*)\]/g)].flatMap(([, list]) => [...list.matchAll(/'(\w+)'/g)]);
  for (const [, permission] of asked) assert.ok((PERMISSIONS as readonly string[]).includes(permission), permission);
});

test('every kind of notice that a business can edit has its occasion in the texts of the dashboard', () => {
  const kinds = [...registry.notices.values()].filter(({ freeform }) => !freeform).map(({ type }) => type);
  assert.deepEqual(Object.keys(textsOf('web/dashboard/texts', 'en').notices!).toSorted(), kinds.toSorted());
});
