/**
 * Approval of the billing of imported plans. A plan that was billed elsewhere never bills here by itself: it waits
 * until somebody has seen when it would first be billed, and at which price.
 */
import { action, answer, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { billedAhead } from './rules/renewal.ts';
import { changeAllOwned, item, lockOwnedWhere, type Locked, type Owned } from '../owned.ts';
import { daysOf } from '../holds/hold-row.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { goesOn } from '../rules/status.ts';
import { integer, refs } from '../../../../kernel/base/fields/kinds.ts';
import { membershipChangesFeed } from '../changes/feed.ts';
import { nextStart, type Cycle } from '../../../../kernel/base/values/cycle.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { todayOf } from '../writes.ts';
import type { Decided } from '../import/moved.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Maximum in one call: all are locked until the response is sent. */
const AT_ONCE = 5000;
const PORTION = 500;

/** Returns the first day of the next period. Periods that have begun were billed elsewhere, or by nobody. */
const renewsFrom = (cycle: Cycle, start: string, today: string): string =>
  nextStart(cycle, start > today ? start : today);

/** Returns the day on which a plan would first be billed if it were approved today; null if it wouldn't. */
function firstCharge(owned: Owned, today: string): string | null {
  const { cycle, start_date: start, expiration_date: end } = owned;
  if (cycle === null || start === null || !goesOn(owned)) return null;
  const renewing = { cycle, renewsOn: renewsFrom(cycle, start, today), end, holds: owned.holds.map(daysOf) };
  return billedAhead(renewing).take(1).toArray()[0]?.period.start ?? null;
}

export const approveRenewals = action({
  path: '/customer_memberships/approve_renewals',
  summary: 'Approve the billing of imported memberships',
  description: [
    'Recurring plans that were imported are not billed until somebody approves it (`awaits_approval`).',
    'From then on, each is billed from its next billing period on; earlier periods are never billed.',
    `\`waiting\` is the number of those that still wait: at most ${AT_ONCE} are approved in one call.`,
  ].join(' '),
  who: staffWith('super_admin'),
  body: {
    customermembership_ids: refs('customermembership', { min: 1, max: AT_ONCE })
      .optional()
      .describe('If left out: all that wait. Those that don’t wait stay as they are.'),
  },
  returns: answer({ approved: integer({ min: 0 }), waiting: integer({ min: 0 }) }),
  run: async ({ work, body: { customermembership_ids: named } }) => {
    const which = named ? sql`cm.awaits_approval AND cm.id = ANY(${named}::bigint[])` : sql`cm.awaits_approval`;
    let approved = 0;
    for (let most = AT_ONCE; most > 0; most -= PORTION) {
      const found = await lockOwnedWhere(work, which, Math.min(most, PORTION));
      if (found.length === 0) break;
      await approve(work, found);
      approved += found.length;
    }
    const left = await work.tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM customer_membership
        WHERE provider_id = ${work.providerId} AND awaits_approval`,
    );
    return { approved, waiting: left!.n };
  },
});

async function approve(work: Work, found: readonly Locked[]): Promise<void> {
  const today = todayOf(work);
  await changeAllOwned(
    work,
    found.map((owned) => {
      const { cycle, start_date: start, billed_price_minor: minor } = owned;
      const first = firstCharge(owned, today);
      const price = formatDecimal({ minor, currency: work.tenant.currency });
      return {
        owned,
        to: {
          awaits_approval: false,
          renews_on: cycle === null || start === null || !goesOn(owned) ? null : renewsFrom(cycle, start, today),
        },
        items: [item(membershipChangesFeed.billing_approved, { first_charge_date: first, price })],
        effects: [['billing_approved', { first_charge_date: first, price_minor: minor }]],
      };
    }),
  );
}

/** A charge of a plan that is being imported, if it is approved today. */
export interface ExpectedCharge {
  /** YYYY-MM-DD */
  readonly on: string;
  /** minor units, before fees and taxes */
  readonly amount: number;
}

/** Returns the charges within some days from today of a plan that is being imported. */
export function chargesAhead(work: Pick<Work, 'now' | 'tenant'>, decided: Decided, days: number): ExpectedCharge[] {
  const { values, plan, state, price } = decided;
  if (plan === null || state === 'ended' || state === 'paused' || !values.renews_on) return [];
  const until = addDays(todayOf(work), days);
  const renewing = {
    cycle: {
      unit: values.billing_unit as Cycle['unit'],
      length: values.billing_length as number,
      anchor: values.billing_anchor as string,
      ...(values.billing_day !== null && { day: values.billing_day as number }),
    },
    renewsOn: values.renews_on as string,
    end: values.expiration_date,
    holds: [],
  };
  const charges: ExpectedCharge[] = [];
  for (const { period } of billedAhead(renewing)) {
    if (period.start > until) break;
    charges.push({ on: period.start, amount: price ?? values.billed_price_minor });
  }
  return charges;
}
