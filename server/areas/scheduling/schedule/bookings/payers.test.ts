import assert from 'node:assert/strict';
import { test } from 'node:test';
import { id } from '../../../../kernel/base/fields/kinds.ts';
import { Port } from '../../../../kernel/base/fields/port.ts';
import { ANY, Payers, take, type Due, type Taken } from './payers.ts';
import { defineProblems, Problem, type ProblemKind } from '../../../../kernel/base/problem.ts';
import { Registry } from '../../../../kernel/api/registry.ts';
import type { Area } from '../../../../kernel/api/area.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { raw, sql, statement } from '../../../../kernel/base/db/sql.ts';
import type { Debit, DropInPrice, Payer } from './payer.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Facts of a test payer: its subjects, how often each can pay, and whether a payment is required. */
interface Purse {
  readonly needs: boolean;
  readonly paid?: boolean;
  /** uses by id */
  readonly has: Readonly<Record<number, number>>;
}

const debited: string[] = [];

const { purse_empty, purse_lost, purse_shut } = defineProblems({
  purse_empty: { status: 400, type: 'event_check_failure', means: 'Nothing is left in it.' },
  purse_shut: { status: 400, type: 'event_check_failure', means: 'It is open to those who pay.' },
  purse_lost: { status: 400, type: 'event_check_failure', means: 'It is not there.' },
});

const purse = (name: string, kind: ProblemKind): Payer<Purse> => ({
  name,
  description: 'Holds what pays.',
  subject: name,
  resource: 'purse',
  notComped: `Nothing of ${name} is used.`,
  refuseUnknown: ({ has }, wanted) => (wanted in has ? null : new Problem('not_found', `No ${name} ${wanted}.`)),
  refusals: [{ kind, passed: `${name} does not object.` }],
  facts: () => raw(`'${name}'`),
  read: (facts) => JSON.parse(facts),
  paid: ({ paid = false }) => paid,
  choose({ needs, has }, { wanted, settled, taken }) {
    const none = { chosen: null, refusal: null, facts: { purse: name } };
    if (settled || (!needs && wanted === null)) return none;
    const left = (one: number) => has[one] - (taken.get(one) ?? 0);
    const chosen = Object.keys(has)
      .map(Number)
      .find((one) => (wanted ?? one) === one && left(one) > 0);
    const message = { staff: `${name} is empty.`, customer: `${name} is empty.` };
    return chosen === undefined ? { ...none, refusal: { code: kind.code, message } } : { ...none, chosen };
  },
  debit(debits) {
    debited.push(...debits.map(({ attendance, choice }) => `${name} ${choice.chosen} pays ${attendance}`));
    return [raw(`SELECT '${name}'`)];
  },
  credit: async () => {},
  gaveBack: () => raw('SELECT 1 AS attendance, 1 AS subject WHERE false'),
  givenBackFor: async () => null,
});

const [pass, credit] = [purse('pass', purse_lost), purse('credit', purse_empty)];
const both = new Payers([pass, credit]);
const empty: Purse = { needs: true, has: {} };
const free: Purse = { needs: false, has: { 1: 9 } };
const full: Purse = { needs: true, has: { 7: 2 } };
const due = (known: readonly Purse[], price: DropInPrice | null = null): Due => ({ known, price });
const answer = (known: Purse[], how: Parameters<Payers['choose']>[1] = ANY, taken?: Taken) => {
  const { payer, choice, refusal } = both.choose(due(known), how, taken);
  return payer ? `${payer.name} ${choice!.chosen}` : (refusal?.message.staff ?? 'nobody');
};

test('the first payer that can pay pays, in the order of areas; one that requires no payment does not', () => {
  assert.equal(answer([full, full]), 'pass 7');
  assert.equal(answer([empty, full]), 'credit 7');
  assert.equal(answer([free, full]), 'credit 7');
  assert.equal(answer([free, free]), 'nobody');
});

test('if none can pay, the first that objects gives the reason', () => {
  assert.equal(answer([empty, empty]), 'pass is empty.');
  assert.equal(answer([free, empty]), 'credit is empty.');
});

test('a refusal that a payment would end precedes other objections, unless the caller requests another payer', () => {
  const till: Payer = {
    ...purse('till', purse_shut),
    refusals: [{ kind: purse_shut, passed: 'It is paid.', payable: true }],
    choose: (_known, { settled }) => {
      const message = { staff: 'It costs 5.', customer: 'It costs 5.' };
      return { chosen: null, refusal: settled ? null : { code: 'purse_shut', message }, facts: {} };
    },
  };
  const shop = new Payers([pass, till]);
  assert.deepEqual(shop.choose(due([empty, free]), ANY).refusal?.message.staff, 'It costs 5.');
  assert.equal(shop.choose(due([full, free]), ANY).payer, pass);
  assert.equal(
    shop.choose(due([empty, free]), { named: { payer: pass, id: 1 }, comped: false }).refusal?.code,
    'purse_lost',
  );
  assert.equal(shop.choose(due([empty, free]), { named: null, comped: true }).refusal, null);
});

test('the price of an event includes fees and taxes from the payer that knows them, and is null for a free event', async () => {
  const price: DropInPrice = { currency: 'CAD', listPrice: 500, venue: 1, total: null };
  const asked: (DropInPrice | null)[] = [];
  const till: Payer = {
    ...purse('till', purse_shut),
    choose: (_known, { price: costs }) => {
      asked.push(costs);
      return { chosen: null, refusal: null, facts: {} };
    },
    total: async (_work, { listPrice }) => listPrice + 65,
  };
  const shop = new Payers([pass, till]);
  const told = await shop.quote({} as Work, price);
  assert.deepEqual(told, { ...price, total: 565 });
  assert.equal(await shop.quote({} as Work, null), null);
  assert.equal(await both.quote({} as Work, price), price);
  shop.choose(due([free, free], price), ANY);
  shop.choose(due([free, free], told), ANY);
  assert.deepEqual(asked, [price, told]);
});

test('the subject that the caller requests pays, and no other in its place', () => {
  assert.equal(answer([full, full], { named: { payer: credit, id: 7 }, comped: false }), 'credit 7');
  assert.equal(answer([full, free], { named: { payer: credit, id: 1 }, comped: false }), 'credit 1');
  assert.equal(answer([full, empty], { named: { payer: credit, id: 7 }, comped: false }), 'credit is empty.');
});

test('a booking that is comped, or was paid by any payer, is not paid again, unless it is to be paid by another subject', () => {
  const paid = { ...full, paid: true };
  assert.equal(answer([full, full], { named: null, comped: true }), 'nobody');
  assert.equal(answer([full, paid]), 'nobody');
  assert.equal(answer([full, paid], { ...ANY, anew: true }), 'pass 7');
});

test('the uses of earlier decided bookings count, although nothing is written yet', () => {
  const taken: Taken = new Map();
  const pays: string[] = [];
  for (let i = 0; i < 5; i++) {
    pays.push(answer([full, full], ANY, taken));
    take(taken, both.choose(due([full, full]), ANY, taken));
  }
  assert.deepEqual(pays, ['pass 7', 'pass 7', 'credit 7', 'credit 7', 'pass is empty.']);
});

test('every payer writes its debits, in the order of payers, and in one statement for all bookings', () => {
  const booking = (attendance: number, known: Purse[]) => ({
    work: {} as Work,
    attendance,
    event: 1,
    customer: 1,
    payment: both.choose(due(known), ANY),
    reason: 'registered' as Debit['reason'],
  });
  const statements = both.debit([
    booking(1, [empty, full]),
    booking(2, [full, full]),
    booking(3, [free, free]),
    booking(4, [full, empty]),
  ]);
  assert.deepEqual(
    statements.map((s) => s.texts[0]),
    [`SELECT 'pass'`, `SELECT 'credit'`],
  );
  assert.deepEqual(debited, ['pass 7 pays 2', 'pass 7 pays 4', 'credit 7 pays 1']);
});

test('an explanation shows the possible refusals of each payer, with its facts', () => {
  assert.deepEqual(both.choose(due([empty, full]), ANY).rules, [
    { code: 'purse_lost', passed: 'pass does not object.', payable: false, facts: { purse: 'pass' } },
    { code: 'purse_empty', passed: 'credit does not object.', payable: false, facts: { purse: 'credit' } },
  ]);
});

test('a request names at most one subject, and none if it is comped', () => {
  const said = (body: object, comped = false) => {
    try {
      const named = both.named(body as Record<string, unknown>, comped);
      return named && `${named.payer.name} ${named.id}`;
    } catch (error) {
      return (error as Problem).fields;
    }
  };
  assert.equal(said({ pass: null }), null);
  assert.equal(said({ credit: 3 }), 'credit 3');
  assert.deepEqual(said({ pass: 1, credit: 3 }), { credit: ['Name this or pass, not both.'] });
  assert.deepEqual(said({ pass: 1 }, true), { pass: ['Nothing of pass is used.'] });
  assert.equal(both.refuseUnknown([full, full], { payer: credit, id: 8 })?.message, 'No credit 8.');
});

test('without payers everything is free, only the customers are locked, and nobody is a member', () => {
  const none = new Payers([]);
  assert.deepEqual(
    none.locks(1, sql`ARRAY[1]`).map((one) => statement(one).text),
    ['SELECT c.id FROM customer c WHERE c.provider_id = $1 AND c.id = ANY(ARRAY[1]) ORDER BY c.id FOR KEY SHARE'],
  );
  assert.equal(none.choose(due([]), ANY).refusal, null);
  assert.equal(statement(none.usable(1, sql`now()`)).text.endsWith('WHERE false'), true);
});

const purses = resource('purse', {
  description: 'Holds what pays.',
  fields: { id: id() },
  visible: { provider: true, customer: false, unregistered: false },
});

test('payers with the same name or refusal fail at startup, and none is asked before all are known', () => {
  assert.throws(() => new Payers([pass, purse('credit', purse_lost)]), /two declarations of the refusal of a payer/);
  const alike = { ...purse('credit', purse_empty), subject: 'pass' };
  assert.throws(() => new Payers([pass, alike]), /two declarations of the subject of a payer "pass"/);
  const port = new Port<Payer, Payers>(
    'payer',
    (p) => p.resource,
    (all) => new Payers(all),
  );
  assert.throws(() => port.filled, /not known before a Registry of the areas exists: what each payer is/);
  const events: Area = { name: 'events', description: 'Asks.', resources: [purses], ports: [port] };
  const boot = (...areas: Area[]) => new Registry([events, ...areas]);
  const brings = (name: string, ...all: Payer[]): Area => ({ name, description: 'Pays.', fills: [port.with(...all)] });
  boot();
  assert.deepEqual(port.filled.all, []);
  boot(brings('passes', pass), brings('credits', credit));
  assert.deepEqual(port.filled.all, [pass, credit]);
  const filled = port.filled;
  boot(brings('both', pass, credit));
  assert.equal(port.filled, filled);
  assert.throws(() => boot(brings('twice', pass, pass)), /two declarations of the payer "pass"/);
});
