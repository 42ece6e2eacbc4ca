/** Every change that the dashboard can make: its dry run states exactly what then happens. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree, differences, namesOf, textOf, thingsOf, type Thing } from './test/match.ts';
import { ALWAYS_REFUSED, callOf, pathOf } from '../../../test/matrix/calls.ts';
import { supportsDryRun } from '../../../kernel/api/contract.ts';
import { Complaints, nameOf, targetOf } from '../../../test/matrix/cases.ts';
import { entriesOf, recordedSince, type Recorded } from '../../../test/matrix/recorded.ts';
import { feedEnd } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { used } from './test/program.ts';
import { needsPreview, OPPOSITES, actionOf } from '../../../../web/dashboard/src/changes/news.ts';
import undo from '../../../../web/dashboard/src/changes/undo.json' with { type: 'json' };
import type { Effect } from '../../../kernel/work/unit/work.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Resource whose effect covers an item of this feed kind, as a part of it. */
const PART_OF: Readonly<Record<string, string>> = {
  'account_entry.created': 'customer_membership',
  'invoice.payment_applied': 'payment',
  'payment_refund.created': 'payment',
  'payment_refund.succeeded': 'payment',
  'cash_movement.created': 'cash_session',
  'store_inventory_adjustment.created': 'store_product_variant',
};

/** Effects without a feed item: temporary reservations, and those that another item covers. */
const UNREPORTED: ReadonlySet<string> = new Set(['seat_held', 'stock_held', 'booking_moved', 'sessions_added']);

/** It deletes the business with its feed; `discard.test.ts` counts what is left. */
const LAST = 'POST /providers/{id}/discard';

/** Returns true if a job does the work later, one object after another, and records the result of each. */
const isLater = ({ kind }: Recorded): boolean => kind === 'bulk_action.created';

/** Returns the things that an item names; account entries name their subject separately. */
const aboutOf = ({ about, payload }: Recorded): Thing[] => [
  ...about,
  ...(payload.subject ? [payload.subject as Thing] : []),
];

/** `customer_statuses` → `customer_status` */
const singular = (collection: string): string => collection.replace(/ies$/, 'y').replace(/(?<=s|x|ch)es$|s$/, '');

/** Changes that are saved without a preview, by name, with their path. */
const atOnce = new Map<string, string>();

/** Those of them that the interface can't take back: what they create is archived, cancelled or changed instead. */
const NO_UNDO: ReadonlySet<string> = new Set([
  'PATCH /customers/{id}/notification_preferences/{notification_preference_id}',
  'PATCH /membership_categories/ordering',
  'PATCH /memberships/ordering',
  'PATCH /offering_types/ordering',
  'PATCH /store/order_items/{id}',
  'PATCH /store/products/ordering',
  'POST /business_templates/apply',
  'POST /courses',
  'POST /customers/{id}/add_child',
  'POST /customers/{id}/set_status',
  'POST /discount_codes',
  'POST /instructor_pay_rates',
  'POST /instructors',
  'POST /machine_tokens',
  'POST /membership_payment_plans',
  'POST /membership_penalty_systems',
  'POST /membership_terms',
  'POST /offering_type_categories',
  'POST /offering_types',
  'POST /payment_processors',
  'POST /venue_rooms',
  'POST /venues',
  'PUT /customers/{id}/participation',
]);

/** Collections whose new entries are taken back by another operation than DELETE. */
const REMOVED: ReadonlySet<string> = new Set(['/customers', '/events']);

async function happensAsSaid(name: string): Promise<void> {
  const endpoint = world.app.registry.endpoints.find((one) => nameOf(one) === name)!;
  if (endpoint.acts === 'calculate') return;
  const call = await callOf(world, endpoint);
  const path = pathOf(endpoint, call);
  const before = await feedEnd(world);
  const ask = (at: string) => world.ask(endpoint.method, at, { as: world.machine, body: call.body });
  const preview = await ask(`${path}?dry_run=true`);
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(await recordedSince(world, before), [], 'the dry run is recorded');
  const { effects, ...would } = preview.body as { effects: Effect[] };
  const made = await ask(path);
  assert.ok(made.status < 300, made.text);
  if (name === LAST) return;
  const items = await recordedSince(world, before);
  if (items.some(isLater)) return;
  if (made.status !== 204) assert.deepEqual(differences(would, made.body), [], 'the answer is another one');
  if (items.length > 0) assert.ok(effects.length > 0, 'it says nothing');
  if (!needsPreview(name, effects) && !name.endsWith('preview')) atOnce.set(name, endpoint.path);

  const subjects = (await entriesOf(world, made)).map(({ subject }) => subject as Thing);
  const real = [...items.flatMap(aboutOf), ...subjects];
  const inTruth = namesOf(effects.flatMap(thingsOf), real);
  const happened = new Set(real.map(textOf));
  for (const effect of effects) {
    if (effect.id === null || UNREPORTED.has(effect.effect)) continue;
    const about = inTruth(effect as Thing);
    assert.ok(happened.has(about), `it says ${JSON.stringify(effect)}, which does not happen`);
    const near = items.filter((item) => aboutOf(item).some((one) => textOf(one) === about));
    assert.ok(
      near.length === 0 || near.some(({ payload }) => agree(effect.detail, payload)),
      `it says ${JSON.stringify(effect)}, and what happens is ${JSON.stringify(near)}`,
    );
  }

  const said = new Set(effects.flatMap(thingsOf).map(inTruth));
  // The target of the call need not be stated.
  const target = targetOf(endpoint) ?? singular(endpoint.path.split('/')[1]);
  if (call.id !== undefined) said.add(textOf({ object: target, id: call.id }));
  const { object, id } = made.body ?? {};
  if (object !== undefined) said.add(textOf({ object, id }));
  for (const item of items) {
    const [it, ...others] = aboutOf(item);
    const within = others.filter((one) => one.object === PART_OF[item.kind] || one === item.payload.subject);
    assert.ok(
      [it, ...within].some((one) => said.has(textOf(one))),
      `it does not say ${item.kind} ${JSON.stringify(item.payload)}; it says ${JSON.stringify(effects)}`,
    );
  }

  // Effects that are all named like feed items equal the feed.
  if (effects.every(({ effect }) => world.app.registry.feed.has(effect)))
    assert.deepEqual(
      effects.map(({ effect }) => effect),
      items.map(({ kind }) => kind),
    );
}

test('what a dry run states is exactly what happens, for every change that the dashboard can make', async () => {
  const complaints = new Complaints();
  const changes = [...used].filter(
    (name) =>
      !name.startsWith('GET ') &&
      !(name in ALWAYS_REFUSED) &&
      // declared.test.ts lists the changes without a dry run, and why.
      supportsDryRun(world.app.registry.operation(name as never)),
  );
  assert.ok(changes.length > 40);
  for (const name of changes.toSorted((a, b) => Number(a === LAST) - Number(b === LAST)))
    await complaints.of(name, () => happensAsSaid(name));
  complaints.throwIfAny();
});

const canUndo = ([name, path]: [string, string]): boolean => {
  const method = name.split(' ')[0];
  if (method === 'POST')
    return undo.deletable.includes(path) || REMOVED.has(path) || (actionOf(name) ?? '') in OPPOSITES;
  return undo.readable.includes(path);
};

test('a change that is saved without a preview can be undone, or is on the list of those that can’t', () => {
  assert.ok(atOnce.size > 40);
  const not = [...atOnce].filter((one) => !canUndo(one)).map(([name]) => name);
  assert.deepEqual(not.toSorted(), [...NO_UNDO].toSorted());
});
