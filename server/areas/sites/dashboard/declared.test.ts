/**
 * The texts and operations of the dashboard's program compared with the languages, the interface and the permissions.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AT_ONCE } from './test/untried.ts';
import type { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { checkCatalog } from '../../../test/catalogs.ts';
import { supportsDryRun } from '../../../kernel/api/contract.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PERMISSIONS } from '../../people/staff/index.ts';
import { registry as declared } from '../../../app.ts';
import { sources, used, WEB } from './test/program.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const registry = declared();

/** Words that are the same in some other language. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  calendars: ['name'],
  changes: ['other'],
  money: ['desk.total', 'invoice.open'],
  'screens/appointments': ['failed'],
  'screens/calendar': ['date', 'view.week', 'name', 'places', 'message', 'rule.failed'],
  'screens/counter': ['total', 'desk.name'],
  'screens/courses': ['plan.date', 'refund.no'],
  'screens/developers': ['tab.webhooks', 'status'],
  'screens/door': ['absent', 'status.no_show', 'scan.camera'],
  hours: ['schedule.instructor', 'schedule.name'],
  'screens/memberships': [
    'name',
    'type',
    'description',
    'per.week',
    'consent.version',
    'how.online',
    'status',
    'code',
    'object.store_product',
    'infraction.no_show',
    'message.body',
  ],
  'screens/messages': [
    'title',
    'tab.notices',
    'status',
    'channel.email',
    'text.message',
    'filter.label',
    'filter.status',
  ],
  'screens/pay': ['filters', 'filter.status', 'filter.instructor'],
  'screens/people': [
    'filter.status',
    'filter.label',
    'column.name',
    'column.status',
    'column.labels',
    'field.email',
    'message.email',
    'message.text',
  ],
  'screens/people/person': [
    'tab.account',
    'tab.messages',
    'tab.notes',
    'detail.name',
    'detail.email',
    'status',
    'entry.open',
    'channel.email',
    'note.text',
    'note.note',
    'note.email',
    'task.description',
    'marketing',
    'consent',
    'how.online',
    'invoice.open',
    'sms.code',
  ],
  'screens/reports': ['filters', 'no', 'format.csv', 'format.xlsx', 'format.json'],
  'screens/sales': ['filters', 'filter.status', 'filter.kind', 'total', 'tax'],
  'screens/settings': [
    'label.instructor',
    'form.labels',
    'label.name',
    'label.lat',
    'label.lng',
    'label.logo',
    'label.color',
    'label.article',
    'label.status',
    'label.minutes',
    'label.percentage',
    'choice.system',
    'choice.a',
    'choice.an',
    'choice.online',
    'choice.zoom',
    'choice.15',
    'choice.30',
    'choice.45',
    'choice.60',
    'choice.stripe',
    'unit.1',
    'channel.email',
    'domain.record',
  ],
  'screens/start': ['live.done'],
  'screens/store': ['cart.what', 'field.description', 'field.name', 'orders.status', 'products.name'],
  'screens/today': ['part.later'],
  'screens/workflows': ['title', 'is', 'label', 'status', 'delay.M', 'unit.M'],
  shell: [
    'menu',
    'nav.more',
    'screen.messages',
    'screen.workflows',
    'screen.imports',
    'screen.import',
    'screen.reports',
    'screen.workflow',
  ],
  substitutes: ['of'],
};

const textsOfDashboard = (language: string) =>
  JSON.parse(readFileSync(join(WEB, `../texts/${language}.json`), 'utf8')) as Record<string, Record<string, string>>;

describe('every part of the dashboard says the same in every language', () => {
  const texts = new Map(Object.keys(LANGUAGES).map((language) => [language, textsOfDashboard(language)]));
  for (const part of Object.keys(texts.get('en')!))
    test(part, () => {
      const languages = Object.fromEntries([...texts].map(([language, parts]) => [language, parts[part]!]));
      checkCatalog({ languages: languages as Catalog<string>['languages'] }, ALIKE[part] ?? [], { forStaff: true });
    });
});

test('the dashboard has the languages of the booking site', () => {
  const { text } = sources.find(({ file }) => file === 'words/language.ts')!;
  for (const [code, name] of Object.entries(LANGUAGES)) assert.ok(text.includes(`${code}: '${name}'`), code);
});

/** Changes without a dry run, because only an outside service knows the result. */
const UNTRIED: ReadonlySet<string> = new Set(['POST /domains/verify', 'POST /customers/{id}/sms_account/verify']);

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

test('previews describe only effects that exist', () => {
  const named = new Set([...read('server/areas').matchAll(/effect(?:\(|: )\s*'([a-z_]+)'/g)].map(([, name]) => name));
  // Further texts of the dialogs.
  const own = new Set([
    'message_sent',
    'notice_sent',
    'making',
    'trying',
    // An entry on an account that is about a booking.
    'attendance.charge',
    'attendance.charge_voided',
    ...sources
      .filter(({ file }) => file.startsWith('changes/'))
      .flatMap(({ text }) =>
        [...text.matchAll(/\bsay\(([^;]*?)\)/g)].flatMap(([, said]) =>
          [...said.matchAll(/'([a-z._]+)'/g)].map(([, key]) => key),
        ),
      ),
  ]);
  const said = Object.keys(textsOfDashboard('en').changes!);
  const { text } = sources.find(({ file }) => file === 'changes/effects.tsx')!;
  const renamed = [...text.matchAll(/^ {2}([a-z_]+): '/gm)].map(([, name]) => name);
  assert.ok(renamed.length > 20);
  for (const name of [...said, ...renamed])
    assert.ok(own.has(name) || registry.feed.has(name) || named.has(name), `${name} is an effect`);
});

test('screens require only permissions that exist', () => {
  const { text } = sources.find(({ file }) => file === 'screens.ts')!;
  const asked = [...text.matchAll(/needs: \[([^\]]*)\]/g)].flatMap(([, list]) => [...list.matchAll(/'(\w+)'/g)]);
  for (const [, permission] of asked) assert.ok((PERMISSIONS as readonly string[]).includes(permission), permission);
});
