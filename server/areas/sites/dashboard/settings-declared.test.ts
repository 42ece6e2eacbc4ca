/** The dashboard's list of settings compared with the interface: no setting is missing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import { ALL, openOf, PART_NAMES } from '../../../../web/dashboard/src/screens/settings/declared/index.ts';
import { fieldsOf } from '../../../../web/dashboard/src/screens/settings/values.ts';
import { changesIn, clientFields } from '../reference/openapi/client-fields.ts';
import { permissionsOf } from '../../../kernel/api/contract.ts';
import { registry as declared } from '../../../app.ts';
import type { CollectionOf, FormOf, Setting } from '../../../../web/dashboard/src/screens/settings/declared/setting.ts';
import type { Shape } from '../../../kernel/base/fields/field.ts';

const registry = declared();
const english: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../../../web/dashboard/texts/en.json', import.meta.url), 'utf8'),
)['screens/settings'];

const parts = PART_NAMES.map((name) => openOf(name, () => true));
const forms: readonly FormOf[] = parts.flatMap((part) => part.forms);
const collections: readonly CollectionOf[] = parts.flatMap((part) => part.collections);
const writesOf = (of: FormOf | CollectionOf): string[] =>
  'write' in of ? [of.write] : [of.change, ...(of.add ? [of.add] : [])];

/** Properties without a field, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'POST /venues zoom_user': 'Zoom accounts can’t be connected',
  'POST /venues archived': 'a new one is in use',
  'PATCH /venues/{id} zoom_user': 'Zoom accounts can’t be connected',
  'POST /instructor_pay_rates archived': 'a new one is in use',
  'POST /membership_penalty_systems status': 'a new one is in use',
};

const named = (operation: string): string[] => Object.keys(registry.operation(operation).body ?? {});

test('the printed fields are those that the service declares', () => {
  const folder = new URL('../../../../web/dashboard/src/screens/settings/declared/', import.meta.url);
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
  const changes = readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? changesIn(read(file)) : []));
  assert.equal(read('interface.json'), clientFields(registry, changes), 'npm run check:types prints them');
});

describe('everything that can be set has a field', () => {
  const operations = new Map<string, Setting[]>();
  for (const of of [...forms, ...collections])
    for (const write of writesOf(of))
      operations.set(write, [
        ...(operations.get(write) ?? []),
        ...of.settings.filter(
          ({ only }) => only === undefined || only === (write.startsWith('POST') ? 'new' : 'change'),
        ),
      ]);
  for (const [operation, settings] of operations)
    test(operation, () => {
      const shape = registry.operation(operation).body!;
      const tops = new Set(settings.map(({ name }) => name.split('.')[0]));
      assert.deepEqual(
        named(operation).filter((name) => !tops.has(name)),
        Object.keys(WITHOUT)
          .filter((one) => one.startsWith(`${operation} `))
          .map((one) => one.slice(operation.length + 1)),
        'what has no field is listed, and nothing else',
      );
      for (const { name } of settings) assert.ok(name.split('.')[0] in shape, `${operation} takes ${name}`);
      // Nested objects are complete as well.
      for (const top of tops) {
        const inner = shape[top]?.spec.shape ?? shape[top]?.spec.inner;
        if (!inner || settings.some(({ name }) => name === top)) continue;
        assert.deepEqual(
          settings
            .filter(({ name }) => name.startsWith(`${top}.`))
            .map(({ name }) => name.slice(top.length + 1))
            .toSorted(),
          Object.keys(inner).toSorted(),
          `${operation} ${top}`,
        );
      }
    });
});

test('settings are read by operations that return them, with the requested fields', () => {
  for (const of of [...forms, ...collections]) {
    const { returns } = registry.operation(of.read);
    assert.equal(returns.kind === 'one', of.versioned === true, of.name);
    const shown: Shape = 'resource' in returns ? returns.resource.fields : (returns as { shape: Shape }).shape;
    for (const field of fieldsOf(of.settings)) assert.ok(shown[field.split('.')[0]], `${of.read} shows ${field}`);
    if ('list' in of) for (const title of of.titles) assert.ok(shown[title], `${of.list} shows ${title}`);
  }
});

test('settings require the permissions that their operations require', () => {
  for (const of of [...forms, ...collections])
    for (const write of [...writesOf(of), ...('remove' in of && of.remove ? [of.remove] : [])])
      for (const permission of of.needs)
        assert.ok(permissionsOf(registry.operation(write)).includes(permission), `${write} is open with ${permission}`);
  const text = readFileSync(new URL('../../../../web/dashboard/src/screens.ts', import.meta.url), 'utf8');
  const asked = [...text.matchAll(/path: 'settings[^}]*?needs: \[([^\]]*)\]/gs)].map(([, list]) =>
    [...list.matchAll(/'(\w+)'/g)].map(([, one]) => one).toSorted(),
  );
  const wanted = [...new Set([...forms, ...collections].flatMap(({ needs }) => needs))].toSorted();
  assert.deepEqual(asked, [wanted, wanted], 'the screens are open to whoever finds a setting there');
});

const has = (keys: readonly string[]): boolean => keys.some((key) => key in english);

test('every setting and every choice has a name', () => {
  for (const { of, setting } of ALL)
    for (const one of [setting, ...(setting.columns ?? [])]) {
      const { name, choices = [] } = one;
      const last = name.split('.').at(-1);
      assert.ok(has([`label.${of.name}.${name}`, `label.${name}`, `label.${last}`]), `${of.name}.${name}`);
      for (const choice of choices)
        assert.ok(has([`choice.${of.name}.${name}.${choice}`, `choice.${last}.${choice}`, `choice.${choice}`]), choice);
    }
  for (const { name } of [...forms, ...collections]) assert.ok(`form.${name}` in english, name);
  for (const { name, add } of collections) assert.equal(`add.${name}` in english, add !== undefined, name);
  for (const name of PART_NAMES) assert.ok(`part.${name}` in english, name);
});

test('no text is about a setting that doesn’t exist', () => {
  const named = ALL.flatMap(({ of, setting }) =>
    [setting, ...(setting.columns ?? [])].flatMap(({ name }) => [`${of.name}.${name}`, name, name.split('.').at(-1)!]),
  );
  for (const key of Object.keys(english)) {
    const [, sort, name] = /^(label|hint)\.(.*)$/s.exec(key) ?? [];
    if (sort) assert.ok(named.includes(name), key);
  }
});

test('nobody types a code where a name can be chosen', () => {
  for (const { of, setting } of ALL)
    for (const { name, kind } of [setting, ...(setting.columns ?? [])])
      if (/(^|[._])(country|language|locale|timezone|currency|valid_for|expire_after|set_on)$/.test(name))
        assert.doesNotMatch(kind, /^(text|lines)$/, `${of.name}.${name}`);
  for (const [key, text] of Object.entries(english))
    if (key.startsWith('hint.')) assert.doesNotMatch(text, /\bP\d+[DWMY]\b|\b[a-z_]+\.[a-z_]+\.$/, key);
});
