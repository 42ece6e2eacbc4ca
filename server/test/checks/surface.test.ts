import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween, describeSurface, type Surface } from './api-surface.ts';
import { recorded, withRelease } from './surface.ts';
import { readChanges } from '../../areas/sites/reference/changes.ts';
import { registry } from '../../app.ts';

const surface = (): Surface => ({
  operations: {
    'GET /things': { query: { kind: '(a,b)' }, body: {}, answer: 'page thing' },
    'PUT /things/{id}': { query: {}, body: { name: 'string!', note: 'string' }, answer: 'one thing' },
  },
  resources: { thing: { name: 'string', note: 'string', size: 'integer' } },
  feed_item_types: ['thing.made'],
});

/** A change of the surface → the entry in the list of changes. */
const CASES: [what: string, change: (s: Surface) => unknown, said: object][] = [
  [
    'an endpoint more',
    (s) => (s.operations['POST /things'] = { query: {}, body: {}, answer: 'one thing' }),
    { kind: 'endpoint_added', operation: 'POST /things' },
  ],
  [
    'an endpoint less',
    (s) => delete s.operations['GET /things'],
    { kind: 'endpoint_removed', operation: 'GET /things' },
  ],
  [
    'a parameter more',
    (s) => (s.operations['GET /things'].query.size = 'integer'),
    { kind: 'parameter_added', operation: 'GET /things', name: 'size' },
  ],
  [
    'a parameter less',
    (s) => delete s.operations['GET /things'].query.kind,
    { kind: 'parameter_removed', operation: 'GET /things', name: 'kind' },
  ],
  [
    'a value more',
    (s) => (s.operations['GET /things'].query.kind = '(a,b,c)'),
    { kind: 'enumerated_value_added', operation: 'GET /things', name: 'kind=c' },
  ],
  [
    'an optional property more',
    (s) => (s.operations['PUT /things/{id}'].body.size = 'integer'),
    { kind: 'property_added', operation: 'PUT /things/{id}', name: 'size' },
  ],
  [
    'a required property more',
    (s) => (s.operations['PUT /things/{id}'].body.size = 'integer!'),
    { kind: 'required_property_added', operation: 'PUT /things/{id}', name: 'size' },
  ],
  [
    'a property that must be sent now',
    (s) => (s.operations['PUT /things/{id}'].body.note = 'string!'),
    { kind: 'property_became_required', operation: 'PUT /things/{id}', name: 'note' },
  ],
  [
    'a property that is only shown now',
    (s) => delete s.operations['PUT /things/{id}'].body.note,
    { kind: 'property_became_read_only', operation: 'PUT /things/{id}', name: 'note' },
  ],
  [
    'a field more',
    (s) => (s.resources.thing.color = 'string'),
    { kind: 'property_added', resource: 'thing', name: 'color' },
  ],
  ['a field less', (s) => delete s.resources.thing.size, { kind: 'property_removed', resource: 'thing', name: 'size' }],
  [
    'a field of more types',
    (s) => (s.resources.thing.size = 'integer|null'),
    { kind: 'response_type_widened', resource: 'thing', name: 'size' },
  ],
  [
    'a field of another type',
    (s) => (s.resources.thing.size = 'string'),
    { kind: 'response_type_changed', resource: 'thing', name: 'size' },
  ],
  [
    'an answer of another kind',
    (s) => (s.operations['GET /things'].answer = 'one thing'),
    { kind: 'response_type_changed', operation: 'GET /things' },
  ],
  [
    'a feed item more',
    (s) => s.feed_item_types.push('thing.gone'),
    { kind: 'enumerated_value_added', resource: 'feed_item_types', name: 'thing.gone' },
  ],
];
for (const [what, change, said] of CASES) {
  test(`the list of changes contains ${what}`, () => {
    const now = surface();
    change(now);
    assert.deepEqual(changesBetween(surface(), now), [said]);
  });
}

test('the first snapshot is the first version, and an unchanged one has no changes', () => {
  assert.deepEqual(changesBetween(null, surface()), [{ kind: 'first_version' }]);
  const all = describeSurface(registry());
  assert.deepEqual(changesBetween(JSON.parse(JSON.stringify(all)), all), []);
});

test('a release adds its changes to the list once, and cannot be dated before the last one', () => {
  const first = withRelease([], { version: '0.1.0', date: '2026-01-01' }, [{ kind: 'first_version' }]);
  const added = [{ kind: 'endpoint_added', operation: 'GET /x' }] as const;
  const second = withRelease(first, { version: '0.2.0', date: '2026-01-01' }, added);
  assert.deepEqual(second, [...first, { version: '0.2.0', date: '2026-01-01', changes: added }]);
  assert.throws(() => withRelease(first, { version: '0.1.0', date: '2026-02-01' }, added), /recorded already.*Remedy/);
  assert.throws(() => withRelease(first, { version: '0.2.0', date: '2025-12-31' }, added), /before/);
});

test('the interface and the list of changes are on record from the first release on', () => {
  assert.equal(readChanges().length > 0, recorded() !== null);
});
