import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { schemaOf } from '../../kernel/base/fields/kinds.ts';
import { startWorld, type World } from '../world.ts';
import { seed } from '../seeds.ts';
import { Complaints, forAll, nameOf, pathWith, sampleOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Field, JsonSchema, Shape } from '../../kernel/base/fields/field.ts';

/** A PATCH of one object, and all fields that can be read of it. */
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

/** Fields that change without being written. */
const MOVES = new Set(['updated_at']);

const everything = ({ fields }: Case): string =>
  `fields=${Object.keys(fields)
    .filter((name) => !MOVES.has(name))
    .join()}`;

/** An object to change, and whether it has been changed. */
class Subject {
  readonly path: string;
  /** all fields that can be read */
  now: Record<string, any>;
  used = false;

  private constructor(path: string, now: Record<string, any>) {
    this.path = path;
    this.now = now;
  }

  static async of(one: Case): Promise<Subject> {
    const path = `${pathWith(one.endpoint, await seed(world, one.endpoint.target!.name))}?${everything(one)}`;
    return new Subject(path, await Subject.#read(path));
  }

  // Reads with a PATCH of nothing, because the response to a write also has write-only properties.
  static async #read(path: string): Promise<Record<string, any>> {
    const { status, body, text } = await world.patch(path, { as: world.machine, body: {} });
    assert.equal(status, 200, text);
    return body;
  }

  /** Changes the object. Returns the response, and the readable fields before and after. */
  async patch(sent: Record<string, unknown>) {
    const before = this.now;
    const answer = await world.patch(this.path, { as: world.machine, body: sent });
    this.used = true;
    this.now = await Subject.#read(this.path);
    return { before, answer, after: this.now };
  }
}

type Changed = Awaited<ReturnType<Subject['patch']>>;

/**
 * Acts on each property, on one object as long as that works: a failure on a used object is retried with a new one, and
 * only that result counts.
 */
async function overEach(
  one: Case,
  names: readonly string[],
  act: (name: string, subject: Subject) => Promise<void>,
): Promise<void> {
  let subject: Subject | undefined;
  const failed: string[] = [];
  for (const name of names) {
    subject ??= await Subject.of(one);
    const fresh = !subject.used;
    try {
      await act(name, subject);
    } catch (error) {
      subject = undefined;
      if (fresh) {
        failed.push(`${name}: ${(error as Error).message}`);
        continue;
      }
      subject = await Subject.of(one);
      await act(name, subject).catch((again: Error) => {
        failed.push(`${name}: ${again.message}`);
        subject = undefined;
      });
    }
  }
  assert.ok(failed.length === 0, failed.join('\n'));
}

async function overCases(act: (one: Case) => Promise<void>): Promise<void> {
  const complaints = new Complaints();
  // The settings of a business are one row that every case would change, so they run one at a time.
  for (const alone of [true, false]) {
    const some = cases.filter(({ endpoint }) => (endpoint.target!.name === 'provider') === alone);
    const run = (one: Case) => complaints.of(nameOf(one.endpoint), () => act(one));
    if (alone) for (const each of some) await run(each);
    else await forAll(some, run);
  }
  complaints.throwIfAny();
}

/** Properties that the interface lists as writable, although only the service sets them. */
const PASSED_OVER = new Set(
  ['sent_by', 'is_sent', 'sent_at', 'scheduled_at'].map(
    (name) => `PATCH /communication/broadcast_messages/{id} ${name}`,
  ),
);

/**
 * Properties that may be null, but not in combination with the seed's values: a weekly schedule has a day of the week.
 */
const NEEDED = new Set(['PATCH /report_schedules/{id} day_of_week', 'PATCH /content/{id} file']);

/** Properties that set the value of another property. */
const SAYS: Record<string, string> = {
  'PATCH /content/{id} url': 'file',
  'PATCH /imports/{id} kind': 'columns',
  'PATCH /customer_membership_holds/{id} days_to_add': 'end_date',
  'PATCH /customer_membership_holds/{id} make_open_ended': 'end_date',
};

/** Returns true if a field shows the property in the form in which it is written. */
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

test('an empty PATCH changes nothing', () =>
  overCases(async (one) => {
    const { before, answer, after } = await (await Subject.of(one)).patch({});
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body, after], [before, before]);
  }));

/** Returns true if the field is not a plain column: a null may be shown as its fallback. */
const isMade = ({ spec: { compute, relation } }: Field<any>): boolean =>
  compute !== undefined || (relation?.kind === 'one' && relation.idOf !== undefined);

const mayBeNull = (one: Case, name: string): boolean =>
  Boolean(one.body[name].spec.nullable) && !NEEDED.has(`${nameOf(one.endpoint)} ${name}`);

/** The maximum number of problems that a refusal lists. */
const LISTED = 20;

test('null is stored if a property is nullable, and refused under its name otherwise', () =>
  overCases(async (one) => {
    const names = Object.keys(one.body);
    const refused = names.filter((name) => !mayBeNull(one, name));
    // Properties that are never nullable are refused by parsing, before those that may not be null in combination with
    // existing values.
    const together = refused.filter((name) => !one.body[name].spec.nullable && !one.fields[name]?.spec.nullable);
    const alone = refused.filter((name) => !together.includes(name)).map((name) => [name]);
    const subject = await Subject.of(one);
    const parts = Array.from({ length: Math.ceil(together.length / LISTED) }, (_, part) =>
      together.slice(part * LISTED, (part + 1) * LISTED),
    );
    for (const part of [...parts, ...alone]) {
      const { before, answer, after } = await subject.patch(Object.fromEntries(part.map((name) => [name, null])));
      assert.equal(answer.status, 400, answer.text);
      for (const name of part) assert.ok(answer.body.field_errors[name], `${name}: ${answer.text}`);
      assert.deepEqual(after, before);
    }
    await overEach(
      one,
      names.filter((name) => mayBeNull(one, name)),
      async (name, each) => {
        const { answer, after } = await each.patch({ [name]: null });
        assert.equal(answer.status, 200, answer.text);
        if (shows(one, name, null) && !isMade(one.fields[name])) assert.equal(after[name], null);
      },
    );
  }));

test('a property sent with its current value changes nothing', () =>
  overCases(async (one) => {
    const names = Object.keys(one.body);
    const asItIs = async (subject: Subject, some: readonly string[]) => {
      const sent = some.filter((name) => shows(one, name, subject.now[name])).map((name) => [name, subject.now[name]]);
      const { before, answer, after } = await subject.patch(Object.fromEntries(sent));
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(after, before);
    };
    // All properties together; if that fails, one by one.
    const { message } = (await asItIs(await Subject.of(one), names).catch((error: Error) => error)) ?? {};
    if (message !== undefined) await overEach(one, names, (name, subject) => asItIs(subject, [name]));
  }));

/** Returns a different value of the same type. */
function different(schema: JsonSchema, now: unknown): unknown {
  if (schema.enum) return schema.enum.find((v: unknown) => v !== now && v !== null);
  if (typeof now === 'boolean') return !now;
  if (typeof now === 'number') return now + 1 <= (schema.maximum ?? Infinity) ? now + 1 : now - 1;
  return sampleOf(schema);
}

test('a value is stored and read back, or refused under the name of its property; properties that were not sent are unchanged', () =>
  overCases((one) =>
    overEach(one, Object.keys(one.body), async (name, subject) => {
      const field = one.body[name];
      const value = field.spec.relation
        ? await seed(world, field.spec.relation.target).then((id) => (field.spec.relation!.kind === 'many' ? [id] : id))
        : different(schemaOf(field), subject.now[name]);
      const fresh = !subject.used;
      const changed = await subject.patch({ [name]: value });
      // A refusal on a used object proves nothing: an earlier change may have caused it.
      assert.ok(fresh || changed.answer.status === 200, changed.answer.text);
      if (changed.answer.status === 200) isStored(one, name, value, changed);
      else isRefused(one, name, changed);
    }),
  ));

function isRefused(one: Case, name: string, { before, answer, after }: Changed): void {
  assert.ok([400, 409].includes(answer.status), answer.text);
  const named = Object.keys(answer.body.field_errors);
  assert.ok(
    answer.status === 409 || named.some((n) => n === name || n.startsWith(`${name}.`) || n.split('.')[0] in one.body),
    answer.text,
  );
  assert.deepEqual(after, before);
}

function isStored(one: Case, name: string, value: unknown, { before, answer, after }: Changed): void {
  const field = one.body[name];
  assert.deepEqual(after, answer.body);
  if (shows(one, name, value) && typeof value !== 'object') {
    const same =
      schemaOf(field).format === 'date-time'
        ? Date.parse(after[name]) === Date.parse(String(value))
        : after[name] === value;
    assert.ok(same, `sent ${JSON.stringify(value)}, read ${JSON.stringify(after[name])}`);
  }
  for (const other of Object.keys(one.body)) {
    if (other === name || other === SAYS[`${nameOf(one.endpoint)} ${name}`] || !shows(one, other, undefined)) continue;
    // A value that belonged to the previous object, such as the room of another venue, may be cleared with it.
    if (field.spec.relation && one.body[other].spec.relation && after[other] === null) continue;
    assert.deepEqual(after[other], before[other], `${other} changed too`);
  }
}
