/** Compares a dry run with the same call without it: both are refused in the same way, or what was stated happens. */
import assert from 'node:assert/strict';
import { agree, differences, listSubjects, namesOf, textOf, type Thing } from './match.ts';
import { feedEnd } from '../schedule-world.ts';
import { nameOf, targetOf } from './cases.ts';
import { pathOf, type Call } from './calls.ts';
import { entriesOf, recordedSince, type Recorded } from './recorded.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Effect } from '../../kernel/work/unit/work.ts';
import type { ApiAnswer, World } from '../world.ts';

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
export const LAST = 'POST /providers/{id}/discard';

/** Returns true if a job does the work later, one object after another, and records the result of each. */
export const isLater = ({ kind }: Recorded): boolean => kind === 'bulk_action.created';

/** Returns the things that an item names; account entries name their subject separately. */
const aboutOf = ({ about, payload }: Recorded): Thing[] => [
  ...about,
  ...(payload.subject ? [payload.subject as Thing] : []),
];

/** `customer_statuses` → `customer_status` */
const singular = (collection: string): string => collection.replace(/ies$/, 'y').replace(/(?<=s|x|ch)es$|s$/, '');

export interface Previewed {
  readonly effects: readonly Effect[];
  readonly made: ApiAnswer;
  readonly items: readonly Recorded[];
}

/** Returns the part of a refusal that must be the same: everything but the number of the request. */
const refused = ({ status, body }: ApiAnswer): object => ({
  status,
  ...(typeof body === 'object' ? { ...body, request_id: undefined } : { body }),
});

/**
 * Calls an endpoint as a dry run and then without. Returns null if both are refused, which must be in the same way;
 * otherwise the response must be the one that the dry run returned, and the dry run must have recorded nothing.
 */
export async function callTwice(
  world: World,
  { endpoint, call, as }: { endpoint: Declared; call: Call; as: string },
): Promise<Previewed | null> {
  const path = pathOf(endpoint, call);
  const before = await feedEnd(world);
  const ask = (at: string) => world.ask(endpoint.method, at, { as, body: call.body });
  const preview = await ask(`${path}?dry_run=true`);
  assert.deepEqual(await recordedSince(world, before), [], 'the dry run is recorded');
  const made = await ask(path);
  if (preview.status >= 400 || made.status >= 400) {
    assert.deepEqual(refused(preview), refused(made), 'the dry run is refused in another way');
    assert.ok(made.status < 500, made.text);
    return null;
  }
  assert.equal(preview.status, 200, preview.text);
  const { effects, ...would } = preview.body as { effects: Effect[] };
  const items = nameOf(endpoint) === LAST ? [] : await recordedSince(world, before);
  if (made.status !== 204 && !items.some(isLater))
    assert.deepEqual(differences(would, made.body), [], 'the answer is another one');
  return { effects, made, items };
}

/**
 * Checks that each effect that the dry run stated has happened, and that each feed item was stated. `toldAll` is false
 * for customers, who are shown only the effects that the operation names.
 */
export async function checkStated(
  world: World,
  endpoint: Declared,
  call: Call,
  { effects, made, items }: Previewed,
  toldAll = true,
): Promise<void> {
  if (items.some(isLater)) return;
  if (toldAll && items.length > 0) assert.ok(effects.length > 0, 'it says nothing');
  const subjects = (await entriesOf(world, made)).map(({ subject }) => subject as Thing);
  const real = [...items.flatMap(aboutOf), ...subjects];
  const inTruth = namesOf(effects.flatMap(listSubjects), real);
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

  if (!toldAll) return;
  const said = new Set(effects.flatMap(listSubjects).map(inTruth));
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
