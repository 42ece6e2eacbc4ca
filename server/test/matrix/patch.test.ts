import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { schemaOf } from '../../kernel/api/kinds.ts';
import { startWorld, type World } from '../world.ts';
import { seed } from '../seeds.ts';
import { Complaints, forAll, nameOf, pathWith, sampleOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Field, JsonSchema, Shape } from '../../kernel/api/field.ts';

/** A PATCH of one object, and all that can be read of it. */
interface Case {
  readonly endpoint: Declared;
  readonly body: Shape;
  readonly fields: Shape;
}

let world: World;
let cases: Case[];
before(async () => {
  world = await startWorld();
  cases = world.app.registry.endpoints.flatMap((endpoint) =>
    endpoint.method === 'PATCH' &&
    endpoint.target &&
    endpoint.returns.kind === 'one' &&
    endpoint.returns.resource === endpoint.target &&
    endpoint.path.endsWith('{id}')
      ? [{ endpoint, body: endpoint.body ?? {}, fields: endpoint.target.fields }]
      : [],
  );
  assert.ok(cases.length > 0);
});
after(() => world.close());

/** What moves without being written. */
const MOVES = new Set(['updated_at']);

const everything = ({ fields }: Case): string =>
  `fields=${Object.keys(fields)
    .filter((name) => !MOVES.has(name))
    .join()}`;

/** Changes a new object; answers what could be read of it before and after. */
async function patched(one: Case, change: (before: Record<string, any>) => Record<string, unknown>) {
  const path = `${pathWith(one.endpoint, await seed(world, one.endpoint.target!.name))}?${everything(one)}`;
  const ask = (method: string, body?: unknown) => world.ask(method, path, { as: world.machine, body });
  // What can be written only can be read from the answer to a write, too.
  const before = (await ask('PATCH', {})).body;
  const sent = change(before);
  const answer = await ask('PATCH', sent);
  const after = (await ask('PATCH', {})).body;
  return { before, sent, answer, after };
}

async function overProperties(act: (one: Case, name: string, field: Field<any>) => Promise<void>): Promise<void> {
  const complaints = new Complaints();
  const all = cases.flatMap((one) => Object.entries(one.body).map(([name, field]) => ({ one, name, field })));
  // The settings of a business are one row that every case would change: one at a time.
  for (const alone of [true, false]) {
    const some = all.filter(({ one }) => (one.endpoint.target!.name === 'provider') === alone);
    const run = ({ one, name, field }: (typeof all)[number]) =>
      complaints.of(`${nameOf(one.endpoint)} ${name}`, () => act(one, name, field));
    if (alone) for (const each of some) await run(each);
    else await forAll(some, run);
  }
  complaints.throwIfAny();
}

/** What the interface has among what is written, although the service alone says what it is. */
const PASSED_OVER = new Set(
  ['sent_by', 'is_sent', 'sent_at', 'scheduled_at'].map(
    (name) => `PATCH /communication/broadcast_messages/{id} ${name}`,
  ),
);

/** What may be null, but not beside what the seed has: a schedule of every week has a day of the week. */
const NEEDED = new Set(['PATCH /report_schedules/{id} day_of_week']);

/** Words that say the value of another property. */
const SAYS: Record<string, string> = {
  'PATCH /imports/{id} kind': 'columns',
  'PATCH /customer_membership_holds/{id} days_to_add': 'end_date',
  'PATCH /customer_membership_holds/{id} make_open_ended': 'end_date',
};

/** The field that shows the property, where it shows it in the form in which it is written. */
const shows = (one: Case, name: string, value: unknown): boolean => {
  const field = one.fields[name];
  if (PASSED_OVER.has(`${nameOf(one.endpoint)} ${name}`)) return false;
  return (
    field !== undefined &&
    (value === null
      ? field.spec.nullable
      : JSON.stringify(schemaOf(field).type) === JSON.stringify(schemaOf(one.body[name]).type) &&
        !field.spec.compute &&
        field.spec.relation?.kind !== 'many')
  );
};

test('a PATCH of nothing leaves everything as it is', async () => {
  const complaints = new Complaints();
  for (const one of cases) {
    await complaints.of(nameOf(one.endpoint), async () => {
      const { before, answer, after } = await patched(one, () => ({}));
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([answer.body, after], [before, before]);
    });
  }
  complaints.throwIfAny();
});

/** Not a column as it is: what is null may be shown as what stands in for it. */
const isMade = ({ spec: { compute, relation } }: Field<any>): boolean =>
  compute !== undefined || (relation?.kind === 'one' && relation.idOf !== undefined);

test('null is stored where a property may be null, and refused by name where it may not', () =>
  overProperties(async (one, name, field) => {
    const { before, answer, after } = await patched(one, () => ({ [name]: null }));
    if (!field.spec.nullable || NEEDED.has(`${nameOf(one.endpoint)} ${name}`)) {
      assert.equal(answer.status, 400, answer.text);
      assert.ok(answer.body.field_errors[name], answer.text);
      assert.deepEqual(after, before);
      return;
    }
    assert.equal(answer.status, 200, answer.text);
    if (shows(one, name, null) && !isMade(one.fields[name])) assert.equal(after[name], null);
  }));

test('a property sent as it is changes nothing', () =>
  overProperties(async (one, name) => {
    const sent = (before: Record<string, any>) => (shows(one, name, before[name]) ? { [name]: before[name] } : {});
    const { before, answer, after } = await patched(one, sent);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(after, before);
  }));

/** Something else of the same kind. */
function different(schema: JsonSchema, now: unknown): unknown {
  if (schema.enum) return schema.enum.find((v: unknown) => v !== now && v !== null);
  if (typeof now === 'boolean') return !now;
  if (typeof now === 'number') return now + 1 <= (schema.maximum ?? Infinity) ? now + 1 : now - 1;
  return sampleOf(schema);
}

test('a value is stored and read back, or refused by the name of its property; what was not sent stays', () =>
  overProperties(async (one, name, field) => {
    const next = async (before: Record<string, any>) =>
      field.spec.relation
        ? await seed(world, field.spec.relation.target).then((id) => (field.spec.relation!.kind === 'many' ? [id] : id))
        : different(schemaOf(field), before[name]);
    let value: unknown;
    const path = pathWith(one.endpoint, await seed(world, one.endpoint.target!.name));
    const read = async () => (await world.patch(`${path}?${everything(one)}`, { as: world.machine, body: {} })).body;
    const before = await read();
    value = await next(before);
    const answer = await world.patch(`${path}?${everything(one)}`, { as: world.machine, body: { [name]: value } });
    const after = await read();
    if (answer.status !== 200) {
      assert.ok([400, 409].includes(answer.status), answer.text);
      const named = Object.keys(answer.body.field_errors);
      assert.ok(
        answer.status === 409 ||
          named.some((n) => n === name || n.startsWith(`${name}.`) || n.split('.')[0] in one.body),
        answer.text,
      );
      assert.deepEqual(after, before);
      return;
    }
    assert.deepEqual(after, answer.body);
    if (shows(one, name, value) && typeof value !== 'object') {
      const same =
        schemaOf(field).format === 'date-time'
          ? Date.parse(after[name]) === Date.parse(String(value))
          : after[name] === value;
      assert.ok(same, `sent ${JSON.stringify(value)}, read ${JSON.stringify(after[name])}`);
    }
    for (const other of Object.keys(one.body)) {
      if (other === name || other === SAYS[`${nameOf(one.endpoint)} ${name}`] || !shows(one, other, undefined))
        continue;
      // What belonged to the one before, such as the room of another place, may go with it.
      if (field.spec.relation && one.body[other].spec.relation && after[other] === null) continue;
      assert.deepEqual(after[other], before[other], `${other} changed too`);
    }
  }));
