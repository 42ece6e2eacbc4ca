/** Enrollment in a run of a course: without a payment, or through a checkout. */
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Ask } from '../../frame/index.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** Code of the refusal until a payment is made. */
const TO_PAY = 'course_payment_required';

/** Returns true if the customer is enrolled, false if a payment is needed first. @throws Problem any other refusal */
export async function enrollUnlessToPay(tx: Transaction, ask: Ask, series: number, customer: number): Promise<boolean> {
  try {
    await tx.attempt(() =>
      ask('POST /course_date_series/{id}/enroll', {
        params: { id: series },
        query: { fields: 'id' },
        body: { customer },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === TO_PAY) return false;
    throw error;
  }
}

/** Returns the item of a checkout that pays for it. */
export const itemOf = (series: number, customer: number) => ({
  item_type: 'CRS_DRP',
  course_date_series: series,
  customer,
});
