/**
 * Charges for enrollments that staff make without a payment: one entry on the account of the customer for all sessions.
 */
import { addDays } from '../../../kernel/base/values/date.ts';
import { addEntry, openCharge, voidOpen } from '../../money/account-entries/index.ts';
import {
  chargedNow,
  toCharged,
  remainingParts,
  partsOf,
  priceLines,
  readFees,
  shareOf,
  type Charged,
} from '../../pricing/fees/index.ts';
import { sessionsText, type EnrollmentRow, type Series, type Session } from './facts.ts';
import { ENROLLMENT } from './account-reasons.ts';
import { RetryTransaction } from '../../../kernel/base/db/retry-transaction.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Enrolled {
  readonly enrollment: number;
  readonly customer: number;
  readonly series: Series;
  /** sessions of the enrollment, in order */
  readonly sessions: readonly Session[];
  /** minor units, before fees and taxes */
  readonly price: number;
}

/** Charges the price that a checkout would have at this moment, with fees and taxes. */
export async function chargeEnrollment(work: Work, enrolled: Enrolled): Promise<void> {
  const { enrollment, customer, series, sessions, price } = enrolled;
  const book = await readFees(work.tx, work.providerId);
  const priced = priceLines([{ ...book.on('course', series.venue), listPrice: price }]).lines[0];
  const [{ startsAt, zone }] = sessions;
  // The desk can take the payment until the day of the first session is over.
  const next = addDays(wallAt(startsAt, zone).date, 1);
  const today = wallAt(work.now, work.tenant.zone).date;
  await write(work, {
    enrollment,
    customer,
    charged: chargedNow(priced, work.tenant.currency),
    explanation: sessionsText(work, series.name, sessions.length, series.sessions.length),
    dueOn: next > today ? next : today,
  });
}

interface ToCharge {
  readonly enrollment: number;
  readonly customer: number;
  readonly charged: Charged;
  readonly explanation: string;
  readonly dueOn: string;
}

async function write(work: Work, { enrollment, customer, charged, explanation, dueOn }: ToCharge): Promise<void> {
  const entry = await addEntry(work, {
    customer,
    kind: 'charge',
    amount: charged.amount,
    charged,
    reason: ENROLLMENT,
    subject: enrollment,
    customerMembership: null,
    explanation,
    dueOn,
    period: null,
  });
  await updateRow(work, 'course_enrollment', enrollment, { account_entry_id: entry });
}

interface Reduction {
  readonly series: Series;
  /** minor units */
  readonly by: number;
  /** number of sessions that are still charged */
  readonly sessions: number;
  /** sentence for the customer */
  readonly why: string;
}

/** Replaces the open charge of an enrollment by one without the sessions that are not owed any more. */
export async function reduceCharge(
  work: Work,
  { id, customer_id: customer, account_entry_id: entry }: EnrollmentRow,
  { series, by, sessions, why }: Reduction,
): Promise<void> {
  const open = await openCharge(work, entry!);
  const voided = await voidOpen(work, [entry!], why);
  // An invoice took it in between, so a credit note has to credit the sessions.
  if (!open || voided.length === 0) throw new RetryTransaction('the charge was invoiced or voided in between');
  const { charged, dueOn } = open;
  if (by >= charged.amount) return;
  const parts = partsOf(charged);
  await write(work, {
    enrollment: id,
    customer,
    charged: toCharged(remainingParts(parts, [shareOf(parts, by)]), charged.fees),
    explanation: sessionsText(work, series.name, sessions, series.sessions.length),
    dueOn,
  });
}
