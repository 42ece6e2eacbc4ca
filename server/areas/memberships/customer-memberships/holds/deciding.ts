/** Credits and charges of a hold, decided for the current state of the membership. */
import { daysOf, type HoldRow } from './hold-row.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { chargedNow, priceLines, type Charged, type Price } from '../../../pricing/fees/index.ts';
import { currentPeriod, leftIn, partOfLine, Worths, type Worth } from '../worth.ts';
import { decide, type Decided, type OtherHold, type Usage } from './rules/payment.ts';
import { isValid, isWaiting } from '../../../money/account-entries/index.ts';
import { isWithin, type Days } from './rules/hold.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import { wordingFor } from './wording.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The settings of a hold in addition to its days. */
export interface Manner {
  readonly prorateUsage: boolean;
  readonly disableProrates: boolean;
  readonly extendExpirations: boolean;
}

export const toManner = (row: HoldRow): Manner => ({
  prorateUsage: row.prorate_usage,
  disableProrates: row.disable_prorates,
  extendExpirations: row.extend_expirations,
});

interface Deciding {
  /** last day of the membership, with the hold */
  readonly end: string | null;
  /** current version of the hold, which is excluded from the other holds */
  readonly replaces?: HoldRow;
  /** absent until its bookings are settled: `decideHolds` then decides with the actual usage */
  readonly usage?: Usage;
}

/**
 * Returns a hold for the rules. One with `disable_prorates` doesn't affect payments: it lowers the value of no period.
 */
const otherHold = (row: HoldRow): OtherHold => ({
  ...daysOf(row),
  prorates: row.prorate_usage && !row.disable_prorates,
});

export interface ForHold {
  readonly decided: Decided;
  /** including fees and taxes; null if nothing is charged */
  readonly charge: Charged | null;
  /** billed amount that a credit is a part of */
  readonly worth: Worth | null;
}

/** Placeholder until `decideHolds` runs, once the bookings of its days are settled. */
export const undecided = (work: Work): Decided => ({
  strategy: 'none',
  price: 0,
  start: null,
  reactivation: null,
  resolution: {
    type: 'none',
    amount: 0,
    due_date: null,
    credit: 0,
    charge: 0,
    explanation: storedTexts(work).say('hold.undecided'),
  },
});

/** Decides the charge and the credit for a hold of these days, in the current state. */
export async function decideFor(
  work: Work,
  owned: Owned,
  days: Days,
  { disableProrates, prorateUsage }: Manner,
  { end, replaces, usage }: Deciding,
): Promise<ForHold> {
  const { cycle } = owned;
  const others = owned.holds.filter((hold) => hold.id !== replaces?.id);
  const common = {
    usage: usage ?? null,
    disableProrates,
    prorateUsage,
    end,
    hold: days,
    others: others.map(otherHold),
    wording: wordingFor(work),
  };
  const { currency } = work.tenant;
  if (cycle === null) {
    const nothing = {
      begins: { price: 0, worth: 0, left: 0 },
      back: { price: 0, billed: false, part: () => 0 },
    };
    return {
      decided: decide({ ...common, ...nothing, cycle, start: owned.start_date ?? days.start }),
      charge: null,
      worth: null,
    };
  }
  const worths = new Worths(work, owned, replaces?.charge_entry_id);
  const first = currentPeriod(owned, days.start);
  const begins = owned.start_date! > first.start ? owned.start_date! : first.start;
  const worth = await worths.ofPeriod(
    first,
    isWithin(begins, days) || others.some((hold) => isWithin(begins, daysOf(hold))),
  );
  const before = replaces?.resolution.start?.start_date === begins ? replaces : undefined;
  const own = await ownCredit(work, before);
  // The price was decided on the day on which the hold began: credits since then only lower what is left. If the credit
  // was waiting for the bill of its period, the price was only an expectation.
  const stays = before?.held_at && before.resolution.price > 0 && !own?.waits;
  const kept = stays ? before.resolution.price : worth.amount;
  const back = days.end === null ? first : currentPeriod(owned, addDays(days.end, 1));
  const line = await worths.line(back);
  let charge: Price | null = null;
  const decided = decide({
    ...common,
    cycle,
    start: owned.start_date!,
    begins: {
      price: kept > 0 ? kept : (await worths.price(first)).total,
      worth: kept,
      left: leftIn(worth) + (own && isOf(own, worth) ? own.amount : 0) - creditsOf(others, begins, worth),
    },
    back: {
      price: priceLines([line]).lines[0].total,
      billed: await worths.isBilled(back),
      part: (of) => (charge = partOfLine(line, of)).total,
    },
  });
  return { decided, charge: charge && chargedNow(charge, currency), worth };
}

interface OwnCredit extends Record<string, unknown> {
  readonly amount: number;
  readonly line: number | null;
  readonly entry: number | null;
  readonly waits: boolean;
}

/** Returns the existing credit of this hold, which is being decided again. */
async function ownCredit({ tx, providerId }: Work, hold: HoldRow | undefined): Promise<OwnCredit | undefined> {
  if (!hold?.credit_entry_id) return undefined;
  return tx.one<OwnCredit>(sql`
    SELECT e.amount_minor AS amount, e.returns_line_id AS line, e.returns_entry_id AS entry, ${isWaiting('e')} AS waits
    FROM account_entry e
    WHERE e.provider_id = ${providerId} AND e.id = ${hold.credit_entry_id} AND ${isValid('e')}`);
}

const isOf = ({ line, entry }: OwnCredit, { of }: Worth): boolean =>
  of !== null && ('line' in of ? of.line === line : of.entry === entry);

/** Returns the credits of other holds for a period that is not billed yet; once it is, they count against the bill. */
const creditsOf = (others: readonly HoldRow[], begins: string, { of }: Worth): number =>
  of !== null
    ? 0
    : others.reduce((sum, { resolution: { start } }) => (start?.start_date === begins ? sum + start.credit : sum), 0);
