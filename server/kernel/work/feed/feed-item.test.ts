import { test } from 'node:test';
import assert from 'node:assert/strict';
import { feedKinds } from './feed-item.ts';
import { id, text } from '../../base/fields/kinds.ts';

test('feed items of an object share a payload, and an update lists the changed properties', () => {
  const doors = feedKinds(
    'door',
    { door: id() },
    {
      created: 'A door was made.',
      updated: 'A door was changed.',
      painted: { description: 'A door was painted.', payload: { price: text() }, shown: { price: { provider: [] } } },
    },
    { object: 'building' },
  );
  assert.deepEqual(
    Object.values(doors).map(({ kind, object, payload, shown = {} }) => [
      kind,
      object,
      Object.keys(payload).join(),
      Object.keys(shown).join(),
    ]),
    [
      ['door.created', 'building', 'door', ''],
      ['door.updated', 'building', 'door,changed', ''],
      ['door.painted', 'building', 'door,price', 'price'],
    ],
  );
});

test('a property that is hidden from staff is a property of the payload', () => {
  assert.throws(
    () => feedKinds('door', { door: id() }, { created: 'A door was made.' }, { shown: { prise: {} } }),
    /door.created hides the unknown property "prise"/,
  );
});
