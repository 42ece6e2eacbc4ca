/** Credits and charges of a hold, as account entries of the customer who owns the membership. */
import { isDeepStrictEqual } from 'node:util';
import {
  addEntries,
  isValid,
  voidEntries,
  type AccountReason,
  type NewEntry,
} from '../../../money/account-entries/index.ts';
import { currentPeriod, chargePart, Worths, type Worth } from '../worth.ts';
import type { PeriodFacts } from './rules/payment.ts';
import type { ForHold } from './deciding.ts';
import { HOLD, REACTIVATION } from '../account-reasons.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import { wordingFor } from './wording.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Days } from './rules/hold.ts';
import type { HoldRow } from './hold-row.ts';
import type { Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

type Entries = Pick<HoldRow, 'credit_entry_id' | 'charge_entry_id'>;

/**
 * Stores the decision as a credit and a charge, and returns the columns with their ids. An entry that is unchanged
 * stays; any other is voided and replaced. An entry that staff voided is final for its billing period.
 */
export async function settleMoney(
  work: Work,
  owned: Owned,
  days: Days,
  { decided: { start, reactivation, resolution }, charge: charged, worth }: ForHold,
  { credit_entry_id, charge_entry_id, resolution: decidedBefore }: Entries & Pick<HoldRow, 'resolution'>,
): Promise<Entries> {
  const { credit, charge } = resolution;
  const wording = wordingFor(work);
  const entry = (
    kind: NewEntry['kind'],
    reason: AccountReason,
    amount: number,
    of: PeriodFacts,
    dueOn: string,
  ): NewEntry => ({
    customer: owned.customer_id,
    kind,
    amount,
    reason,
    subject: owned.id,
    customerMembership: owned.id,
    explanation: wording.amount(kind, amount, of),
    dueOn,
    period: { start: of.start_date, end: of.end_date },
  });
  const sides = [
    {
      before: credit_entry_id,
      explainsTheSame: isDeepStrictEqual(creditFacts(decidedBefore.start), creditFacts(start)),
      wanted:
        credit === 0 ? null : { ...entry('credit', HOLD, credit, start!, days.start), returns: worth?.of ?? undefined },
    },
    {
      before: charge_entry_id,
      explainsTheSame: isDeepStrictEqual(chargeFacts(decidedBefore.reactivation), chargeFacts(reactivation)),
      wanted:
        charge === 0
          ? null
          : {
              ...entry('charge', REACTIVATION, charge, reactivation!, reactivation!.due_date!),
              charged: charged ?? undefined,
            },
    },
  ];
  const stored = await readStored(work, known(sides.map(({ before }) => before)));
  const stale = sides.filter(({ before, wanted, explainsTheSame }) => {
    const entry = stored.get(before);
    return !(isFinal(entry, wanted) || (explainsTheSame && saysTheSame(entry, wanted)));
  });
  await voidEntries(work, known(stale.map(({ before }) => before)), storedTexts(work).say('hold.changed'));
  const wanted = known(stale.map((side) => side.wanted));
  const added = await addEntries(work, await withParts(work, owned, days, wanted, worth, charge_entry_id));
  const [creditId, chargeId] = sides.map((side) => {
    if (!stale.includes(side)) return side.before;
    return side.wanted && added[wanted.indexOf(side.wanted)];
  });
  return { credit_entry_id: creditId, charge_entry_id: chargeId };
}

/**
 * The facts that the explanation of a charge names. The text itself is not compared: it is in the language of the
 * business, and an entry stays when that changes.
 */
const chargeFacts = (period: PeriodFacts | null): unknown =>
  period && [
    period.start_date,
    period.end_date,
    period.max_uses === null ? [period.held_days, period.total_days] : [period.prorated_max_uses, period.max_uses],
  ];

/** The facts that the explanation of a credit names. */
const creditFacts = (period: PeriodFacts | null): unknown =>
  period && [chargeFacts(period), period.max_uses === null ? null : period.used_count];

/** Adds to the credit its share of each fee and tax that is left on the bill, after the previous credit was voided. */
async function withParts(
  work: Work,
  owned: Owned,
  days: Days,
  wanted: readonly NewEntry[],
  worth: Worth | null,
  ownCharge: number | null,
): Promise<NewEntry[]> {
  const credit = wanted.find(({ kind }) => kind === 'credit');
  if (!credit || !worth || worth.fees.length === 0) return [...wanted];
  const now =
    worth.of === null
      ? worth
      : await new Worths(work, owned, ownCharge).ofPeriod(currentPeriod(owned, days.start), true);
  const charged = chargePart(now, credit.amount);
  return wanted.map((one) => (one === credit ? { ...one, charged } : one));
}

const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

interface Stored {
  readonly id: number;
  readonly valid: boolean;
  readonly amount_minor: number;
  readonly due_on: string;
  readonly period_start: string | null;
  readonly fees_minor: number;
  readonly of_line: number | null;
  readonly of_entry: number | null;
}

async function readStored({ tx, providerId }: Work, ids: readonly number[]): Promise<Map<number | null, Stored>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.rows<Stored>(sql`
    SELECT e.id, ${isValid('e')} AS valid, e.amount_minor, e.due_on, e.period_start, e.fees_minor,
      e.returns_line_id AS of_line, e.returns_entry_id AS of_entry FROM account_entry e
    WHERE e.provider_id = ${providerId} AND e.id = ANY(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns true for an entry that staff voided: a hold that voids its own entry names another one, or none, in the same
 * transaction. Without a wanted entry, it stays named too, so that nothing brings it back later.
 */
const isFinal = (is: Stored | undefined, wanted: NewEntry | null): boolean =>
  is !== undefined && !is.valid && (wanted === null || is.period_start === wanted.period!.start);

const saysTheSame = (is: Stored | undefined, wanted: NewEntry | null): boolean =>
  is !== undefined &&
  is.valid &&
  wanted !== null &&
  is.amount_minor === wanted.amount &&
  is.due_on === wanted.dueOn &&
  is.of_line === (wanted.returns && 'line' in wanted.returns ? wanted.returns.line : null) &&
  is.of_entry === (wanted.returns && 'entry' in wanted.returns ? wanted.returns.entry : null) &&
  (wanted.charged === undefined || is.fees_minor === sumOf(wanted.charged.fees)) &&
  is.period_start === wanted.period!.start;

const sumOf = (fees: readonly { readonly amount: number }[]): number =>
  fees.reduce((sum, { amount }) => sum + amount, 0);
