/** Debits of uses for bookings, and memberships that begin with their first use. */
import { beginning, type Entitlements } from './facts.ts';
import { customerMembershipFeed } from '../feed.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Choice } from './rules/choice.ts';
import type { Debit } from '../../../scheduling/schedule/index.ts';

type Use = Debit<Entitlements, Choice>;

/** Returns the statements that debit uses for bookings of one event. The caller holds the locks of the payer. */
export function debit(uses: readonly Use[]): Sql[] {
  const begins = uses.flatMap(beginningOf);
  const begun = begins.filter((b, i) => begins.findIndex((other) => other.id === b.id) === i);
  for (const one of begun) recordBeginning(one);
  for (const one of uses) recordUse(one);
  return [...(begun.length > 0 ? [begin(begun)] : []), takeUses(uses)];
}

const takeUses = (uses: readonly Use[]): Sql => {
  const [{ work, known }] = uses;
  return sql`
    INSERT INTO entitlement_entry (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id,
      event_starts_on, amount, reason, open, at)
    SELECT ${work.providerId}::bigint, u.membership, u.attendance, u.customer, ${known.offeringType}::bigint,
      ${known.on}::date, -1, u.reason, true, ${instant(work.now)}::timestamptz
    FROM unnest(${uses.map((u) => u.choice.chosen)}::bigint[], ${uses.map((u) => u.attendance)}::bigint[],
      ${uses.map((u) => u.customer)}::bigint[],
                ${uses.map((u) => u.reason)}::text[])
    WITH ORDINALITY AS u (membership, attendance, customer, reason, nth) ORDER BY u.nth`;
};

function recordUse({ work, attendance, event, customer, choice }: Use): void {
  const membership = choice.chosen!;
  const uses_left = choice.left === null ? null : choice.left - 1;
  const of = { attendance, event, customer, uses_left };
  work.record(customerMembershipFeed.used, membership, { customer_membership: membership, ...of });
  work.effect('membership_used', 'customermembership', membership, of);
}

/** A membership that begins with its first use, and the days that result. */
interface Beginning extends Pick<Use, 'work' | 'customer'> {
  readonly id: number;
  readonly start: string;
  readonly end: string | null;
  /** previous last day, if it was fixed */
  readonly endBefore: string | null;
}

function beginningOf({ work, customer, known, choice }: Use): Beginning[] {
  const id = choice.chosen!;
  const days = beginning(known, id);
  const endBefore = known.candidates.find((c) => c.id === id)!.end;
  return days ? [{ work, customer, id, ...days, endBefore }] : [];
}

const begin = (begun: readonly Beginning[]): Sql => {
  const [{ work }] = begun;
  return sql`
    UPDATE customer_membership cm SET start_date = b.starts, expiration_date = b.ends, updated_at = ${instant(work.now)}
    FROM unnest(${begun.map((b) => b.id)}::bigint[], ${begun.map((b) => b.start)}::date[],
      ${begun.map((b) => b.end)}::date[]) AS b (id, starts, ends)
    WHERE cm.provider_id = ${work.providerId} AND cm.id = b.id`;
};

function recordBeginning({ work, id, customer, start, end, endBefore }: Beginning): void {
  work.record(customerMembershipFeed.activated, id, { customer_membership: id, customer, start_date: start });
  work.audit({
    action: 'membership activation',
    object: 'customermembership',
    objectId: id,
    before: { start_date: null, expiration_date: endBefore },
    after: { start_date: start, expiration_date: end },
  });
}
