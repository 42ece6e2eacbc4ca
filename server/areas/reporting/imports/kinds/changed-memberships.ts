/**
 * Memberships of a file that were imported before. A later last day of a pass is followed, because nothing is billed by
 * it. Any other difference is listed and left as it is here.
 */
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { issueOf, templateOf, textIn, type Issue, type Outcome, type Portion } from './portion.ts';
import { lockAllOwned, moveExpirations, type Decided } from '../../../memberships/customer-memberships/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

export interface Again {
  readonly id: number;
  readonly row: CsvRow;
  readonly decided: Decided;
  readonly issues: readonly Issue[];
}

interface Stored extends Record<string, unknown> {
  readonly id: number;
  readonly customer_id: number;
  readonly membership_id: number;
  readonly membership_type: string;
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  readonly is_set_for_cancellation: boolean;
  readonly start_date: string | null;
  readonly expiration_date: string | null;
  readonly billed_price_minor: number | null;
}

interface Difference {
  readonly property: string;
  readonly reason: string;
}

const HERE = { active: 'active', hold: 'on hold', completed: 'ended', cancelled: 'cancelled' } as const;

const differsFrom = (here: string | null): string =>
  here === null ? 'is not set here, and stays so' : `differs from here (${here}), which stays`;

/** Returns what the file states differently; an empty cell states nothing. */
function findDifferences({ row, decided }: Again, stored: Stored, portion: Portion): Difference[] {
  const { now, tenant } = portion.work;
  const { customer, product, startDate, expirationDate, price } = decided;
  const here = stored.billed_price_minor;
  const priced = here === null ? null : formatDecimal({ minor: here, currency: tenant.currency });
  const isStated = textIn(templateOf(portion, 'status'), row) !== null;
  const all: readonly (readonly [property: string, differs: boolean, reason: string])[] = [
    ['customer_email', customer !== stored.customer_id, 'is another customer than here, and stays with that one'],
    ['membership', product.id !== stored.membership_id, 'is another membership than here, which stays'],
    ['start_date', startDate !== null && startDate !== stored.start_date, differsFrom(stored.start_date)],
    [
      'expiration_date',
      expirationDate !== null && expirationDate !== stored.expiration_date,
      differsFrom(stored.expiration_date),
    ],
    ['price', price !== null && price !== here, differsFrom(priced)],
    [
      'status',
      isStated && !isSameState(decided, stored, wallAt(now, tenant.zone).date),
      differsFrom(stored.is_set_for_cancellation ? 'ends with its last day' : HERE[stored.status]),
    ],
  ];
  return all.flatMap(([property, differs, reason]) => (differs ? [{ property, reason }] : []));
}

function isSameState(
  { state }: Decided,
  { status, is_set_for_cancellation: leaving, start_date: start }: Stored,
  today: string,
): boolean {
  if (state === 'ended') return status === 'completed' || status === 'cancelled';
  if (state === 'ending') return leaving || status === 'cancelled';
  // The hold of a membership begins with its first day at the earliest.
  if (state === 'paused') return status === 'hold' || (status === 'active' && start !== null && start > today);
  return status === 'active' && !leaving;
}

/** Returns true if only the last day differs, and moves to a later one without a period that would be billed. */
const isLonger = ({ decided }: Again, stored: Stored, different: readonly Difference[]): boolean =>
  different.length === 1 &&
  different[0].property === 'expiration_date' &&
  stored.membership_type !== 'recurring_plan' &&
  stored.status === 'active' &&
  !stored.is_set_for_cancellation &&
  decided.state === 'running' &&
  stored.expiration_date !== null &&
  decided.expirationDate! > stored.expiration_date;

/** Returns the results by line. */
export async function changeMoved(portion: Portion, again: readonly Again[]): Promise<Map<number, Outcome>> {
  const { work } = portion;
  const outcomes = new Map<number, Outcome>();
  if (again.length === 0) return outcomes;
  const rows = await work.tx.rows<Stored>(
    sql`SELECT id, customer_id, membership_id, membership_type, status, is_set_for_cancellation, start_date,
        expiration_date, billed_price_minor
      FROM customer_membership
      WHERE provider_id = ${work.providerId} AND id = ANY(${again.map(({ id }) => id)}::bigint[])`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const longer: Again[] = [];
  for (const one of again) {
    const before = stored.get(one.id);
    const different = before === undefined ? [] : findDifferences(one, before, portion);
    const follows = before !== undefined && isLonger(one, before, different);
    if (follows) longer.push(one);
    const left = follows
      ? []
      : different.map(({ property, reason }) => issueOf(templateOf(portion, property), one.row, reason));
    outcomes.set(one.row.line, {
      fate: follows ? 'changed' : 'unchanged',
      object: one.id,
      issues: [...one.issues, ...left],
    });
  }
  const to = new Map(longer.map(({ id, decided }) => [id, decided.expirationDate!]));
  const locked = longer.length === 0 ? [] : await lockAllOwned(work, [...to.keys()]);
  if (locked.length > 0)
    await moveExpirations(
      work,
      locked.map((owned) => ({ owned, to: to.get(owned.id)! })),
    );
  return outcomes;
}
