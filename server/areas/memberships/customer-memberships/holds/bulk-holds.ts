/** Holds of many memberships in one call, with a result for each: a refusal affects only its own membership. */
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { action, answer, staffWith } from '../../../../kernel/api/endpoint.ts';
import { against, reportLimit } from './asking.ts';
import { boolean, date, integer, listOf, id, map, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { daysOf, type HoldRow } from './hold-row.ts';
import { lockAccounts } from '../../../money/ledger/index.ts';
import { lockAllOwned, readAllOwned, type Locked, type Owned } from '../owned.ts';
import { edited, endedBy, stateOn, type Days, type Objection } from './rules/hold.ts';
import { invalid, Issues } from '../../../../kernel/base/problem.ts';
import { lockUncovered, settleUncovered, type UncoveredBookings, type CoverageLoss } from '../use/uncovered.ts';
import { coverageLostBy, possibleLosses } from './coverage-losses.ts';
import { manner, MAX_DAYS } from './change-holds.ts';
import { readShape, type Shape, type ValueOf } from '../../../../kernel/base/fields/field.ts';
import { decideHolds, removeHold, rewriteHold, writeHold } from './writes.ts';
import { todayOf } from '../writes.ts';
import { INTERFACE_WORDS, textIn } from '../../../../kernel/base/values/words.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Maximum in one call, which is one transaction. */
const MAX_HOLDS = 500;

const who = staffWith('super_admin', 'customers');

const which = {
  customermembership_ids: listOf(id(), { max: MAX_HOLDS })
    .optional()
    .describe('Customer memberships without settings of their own.'),
  customer_memberships: map()
    .optional()
    .describe(
      'Customer memberships with settings of their own: keys are ids, values are the settings that differ. A value can be `{}`.',
    ),
};

const results = {
  customer_memberships: map().describe(
    'The result for each id: `{status: "ok", hold}` (null if the hold was removed), or `{status: "error", hold: null, error: {field, message}}`.',
  ),
};

interface Result {
  readonly status: 'ok' | 'error';
  readonly hold: number | null;
  readonly error: { readonly field: string; readonly message: string } | null;
}

/** Returns a failed result, which only staff see. */
const failed = ({ field, message }: Objection): Result => ({
  status: 'error',
  hold: null,
  error: { field, message: textIn(INTERFACE_WORDS, message) },
});
const done = (hold: number | null): Result => ({ status: 'ok', hold, error: null });

/** Returns the rows of a call with the values for each. An unknown id refuses the whole call. */
function rowsOf<S extends Shape>(
  work: Work,
  shape: S,
  {
    customermembership_ids: ids = [],
    customer_memberships: own = {},
  }: { customermembership_ids?: number[]; customer_memberships?: Record<string, unknown> },
): Map<number, Partial<ValueOf<S>>> {
  const issues = new Issues();
  const rows = new Map<number, Partial<ValueOf<S>>>(ids.map((each) => [each, {}]));
  for (const [key, said] of Object.entries(own)) {
    const path = `customer_memberships.${key}`;
    if (!/^[1-9]\d{0,14}$/.test(key)) issues.add(path, 'Must be the id of a customer membership.');
    else
      rows.set(
        Number(key),
        (readShape(shape, said ?? {}, path, { issues, text: false, zone: work.tenant.zone }) ?? {}) as Partial<
          ValueOf<S>
        >,
      );
  }
  issues.throwIfAny();
  if (rows.size === 0)
    throw invalid('customermembership_ids', 'Name the customer memberships here or in customer_memberships.');
  if (rows.size > MAX_HOLDS) throw invalid('customer_memberships', `Must be at most ${MAX_HOLDS} in one request.`);
  return rows;
}

const unknown = (each: number): Objection => ({
  field: 'customer_membership',
  message: `There is no customer membership with the id ${each}.`,
});

const byId = <O extends Owned>(all: readonly O[]): ReadonlyMap<number, O> =>
  new Map(all.map((owned) => [owned.id, owned]));

const shown = (found: ReadonlyMap<number, Result>) =>
  Object.fromEntries([...found].map(([each, result]) => [String(each), result]));

const ownDays = { start_date: date().optional(), end_date: date().nullable().optional(), ...manner };

const bulk_create_holds = action({
  method: 'PUT',
  path: '/customer_memberships/bulk_create_holds',
  summary: 'Put many memberships on hold',
  description: `At most ${MAX_HOLDS}, in one transaction. Each has its own result. Those that can't be put on hold are left as they are, and their result gives the reason.`,
  who,
  body: {
    ...which,
    hold_type: oneOf(['open_ended', 'finite']),
    start_date: date(),
    end_date: date().optional().describe('The last day of a finite hold.'),
    ...manner,
  },
  returns: answer({
    customermembership_ids: which.customermembership_ids,
    ...results,
    hold_type: oneOf(['open_ended', 'finite']),
    start_date: date(),
    end_date: date().optional(),
    disable_prorates: boolean().optional(),
    extend_expirations: boolean().optional(),
    prorate_usage: boolean().optional(),
  }),
  run: async ({ work, body }) => {
    if ((body.hold_type === 'finite') !== (body.end_date !== undefined))
      throw invalid(
        'end_date',
        body.hold_type === 'finite'
          ? 'A finite hold needs a last day.'
          : 'An open-ended hold has no last day. Leave it out.',
      );
    const rows = [...rowsOf(work, ownDays, body)].map(([each, own]) => {
      const said = { ...body, ...own };
      return {
        each,
        days: { start: said.start_date, end: said.end_date ?? null } as Days,
        how: {
          prorateUsage: said.prorate_usage ?? true,
          disableProrates: said.disable_prorates ?? false,
          extendExpirations: said.extend_expirations ?? false,
        },
      };
    });
    const uncovered = await lockUncovered(
      work,
      rows.map(({ each, days }) => ({ customerMembership: each, from: days.start, to: days.end })),
    );
    const all = byId(
      await lockAllOwned(
        work,
        rows.map(({ each }) => each),
      ),
    );
    const found = new Map<number, Result>();
    for (const { each, days, how } of rows) {
      const owned = all.get(each);
      const [error] = owned ? objections(work, owned, days, how.extendExpirations) : [unknown(each)];
      found.set(each, error ? failed(error) : done(await writeHold(work, owned!, days, how)));
    }
    await settle(
      work,
      { ...uncovered, which: uncovered.which.filter((w) => found.get(w.customerMembership)!.status === 'ok') },
      found,
    );
    const { customer_memberships: _, ...echoed } = body;
    return { ...echoed, customer_memberships: shown(found) };
  },
});

/** Applies the consequences for those that succeeded: bookings first, then the money. */
async function settle(work: Work, uncovered: UncoveredBookings, found: ReadonlyMap<number, Result>): Promise<void> {
  const done = [...found].filter(([, { status }]) => status === 'ok');
  await settleUncovered(work, uncovered);
  await decideHolds(
    work,
    done.map(([each]) => each),
    done.flatMap(([, { hold }]) => (hold === null ? [] : [hold])),
  );
}

interface Changed {
  readonly result: Result;
  readonly loses: readonly CoverageLoss[];
}

/** Returns the objections. Customer limits do not bind staff, but staff are informed of them. */
function objections(work: Work, owned: Owned, days: Days, extendExpirations: boolean, except?: HoldRow): Objection[] {
  const { objections: found, limit } = against(work, owned, days, { extendExpirations, except });
  if (found.length === 0 && limit) reportLimit(work, owned, limit);
  return found;
}

const editing = {
  start_date: date().optional(),
  end_date: date().optional(),
  days_to_add: integer({ min: 1, max: MAX_DAYS }).optional(),
  end_immediately: boolean().optional(),
  make_open_ended: boolean().optional(),
};

type Editing = Partial<ValueOf<typeof editing>>;

const bulk_edit_holds = action({
  method: 'PUT',
  path: '/customer_memberships/bulk_edit_holds',
  summary: 'Update the holds of many memberships',
  description: `Changes the current or the next hold of each membership. At most ${MAX_HOLDS}, in one transaction, each with its own result. \`end_immediately\` ends the holds today.`,
  who,
  body: { ...which, ...editing },
  returns: answer({ customermembership_ids: which.customermembership_ids, ...results, ...editing }),
  run: async ({ work, body }) => {
    const rows = new Map([...rowsOf(work, editing, body)].map(([each, own]) => [each, said(body, own)]));
    const before = byId(await readAllOwned(work, [...rows.keys()]));
    const asked = new Map([...rows].map(([each, edit]) => [each, judge(work, before.get(each), each, edit)]));
    const uncovered = await lockUncovered(
      work,
      [...asked.values()].flatMap((a): readonly CoverageLoss[] => ('error' in a ? [] : a.losses)),
    );
    const all = byId(await lockAllOwned(work, [...rows.keys()]));
    // Ending holds reverses charges and credits of many customers, in the order of the call, so all accounts are locked
    // first.
    await lockAccounts(
      work,
      [...all.values()].map((owned) => owned.customer_id),
    );
    const [found, which] = [new Map<number, Result>(), [] as CoverageLoss[]];
    for (const [each, edit] of rows) {
      const owned = all.get(each);
      const now = judge(work, owned, each, edit);
      // The locks belong to the edit that was checked before.
      if (JSON.stringify(now) !== JSON.stringify(asked.get(each)))
        throw new RetryTransaction('a hold was changed in between');
      const { result, loses } =
        'error' in now ? { result: failed(now.error), loses: [] } : await change(work, owned!, now, edit);
      found.set(each, result);
      which.push(...loses);
    }
    await settle(work, { ...uncovered, which }, found);
    const { customer_memberships: _, ...echoed } = body;
    return { ...echoed, customer_memberships: shown(found) };
  },
});

/** Merges an individual edit with the edit for all. If both set the end, the individual one wins. */
function said(all: Editing, own: Editing): Editing {
  const ends = ['end_date', 'days_to_add', 'end_immediately', 'make_open_ended'] as const;
  const takes = ends.some((name) => own[name] !== undefined);
  const { start_date, ...rest } = all;
  return {
    start_date,
    ...Object.fromEntries(ends.filter((name) => !takes && rest[name] !== undefined).map((name) => [name, rest[name]])),
    ...own,
  };
}

type Judged =
  | { readonly error: Objection }
  | { readonly hold: HoldRow; readonly days: Days | null; readonly losses: readonly CoverageLoss[] };

function judge(work: Work, owned: Owned | undefined, each: number, edit: Editing): Judged {
  const today = todayOf(work);
  const hold = owned?.holds.find((h) => stateOn(daysOf(h), today) !== 'ended');
  if (!owned) return { error: unknown(each) };
  if (!hold)
    return { error: { field: 'customer_membership', message: 'It is not on hold, and has no upcoming hold.' } };
  const others = ['start_date', 'end_date', 'days_to_add', 'make_open_ended'] as const;
  if (edit.end_immediately) {
    const other = others.find((name) => edit[name] !== undefined && edit[name] !== false);
    if (other) return { error: { field: other, message: 'end_immediately ends the hold today. Leave this out.' } };
    const after = endedBy(daysOf(hold), today, today);
    return 'against' in after
      ? { error: after.against }
      : { hold, days: after.days, losses: possibleLosses(hold, after.days, owned.expiration_date) };
  }
  const after = edited(
    daysOf(hold),
    { start: edit.start_date, end: edit.end_date, daysToAdd: edit.days_to_add, openEnded: edit.make_open_ended },
    today,
  );
  return 'against' in after
    ? { error: after.against }
    : { hold, days: after.days, losses: possibleLosses(hold, after.days, owned.expiration_date) };
}

async function change(
  work: Work,
  owned: Locked,
  { hold, days }: Exclude<Judged, { error: Objection }>,
  edit: Editing,
): Promise<Changed> {
  const [error] =
    edit.end_immediately || days === null ? [] : objections(work, owned, days, hold.extend_expirations, hold);
  if (error) return { result: failed(error), loses: [] };
  const end =
    days === null
      ? await removeHold(work, owned, hold)
      : await rewriteHold(work, owned, hold, days, { ended: edit.end_immediately, added: edit.days_to_add });
  return {
    result: done(days === null ? null : hold.id),
    loses: coverageLostBy(hold, days, { before: owned.expiration_date, after: end }),
  };
}

export const bulkHolds = [bulk_create_holds, bulk_edit_holds];
