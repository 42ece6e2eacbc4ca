import assert from 'node:assert/strict';
import { test } from 'node:test';
import { id } from './kinds.ts';
import { Issues } from '../problem.ts';
import { oneOfLater, Port } from './port.ts';
import { Registry } from '../../api/registry.ts';
import type { Area } from '../../api/area.ts';
import { resource } from '../../api/resource.ts';

const owed = (name: string, about = 'loan') => ({ name, about, description: `What a ${name} costs.` });
const debts = new Port<ReturnType<typeof owed>>('debt', ({ about }) => about);
const word = oneOfLater(() => debts.items.map(({ name }) => name));

const loan = resource('loan', {
  description: 'Something lent.',
  fields: { id: id() },
  visible: { provider: true, customer: false, unregistered: false },
});
const library: Area = { name: 'library', description: 'Lends.', resources: [loan] };
const desk = (name: string, ...fills: NonNullable<Area['fills']>): Area => ({ name, description: 'Asks.', fills });

test('a port has the items of all areas, in order, and a field that was declared before knows them', () => {
  const registry = new Registry([
    library,
    desk('late', debts.with(owed('fine'))),
    desk('lost', debts.with(owed('book'), owed('card'))),
  ]);
  assert.deepEqual(
    debts.items.map(({ name }) => name),
    ['fine', 'book', 'card'],
  );
  assert.equal(registry.areas.length, 3);
  assert.deepEqual(word.spec.schema.enum, ['fine', 'book', 'card']);
  const reading = { issues: new Issues(), text: false, zone: 'UTC' };
  assert.equal(word.spec.read('card', 'debt', reading), 'card');
  word.spec.read('cards', 'debt', reading);
  assert.deepEqual({ ...reading.issues.fields }, { debt: ['Must be one of: fine, book, card.'] });
});

test('two areas that use the same name, or one that names no resource, do not boot', () => {
  const twice = [library, desk('late', debts.with(owed('fine'))), desk('lost', debts.with(owed('fine')))];
  assert.throws(() => new Registry(twice), /two declarations of the debt "fine"/);
  assert.throws(
    () => new Registry([library, desk('late', debts.with(owed('fine', 'lone')))]),
    /no resource is called "lone"/,
  );
});
