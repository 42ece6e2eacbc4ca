/** Booking a run of a course: without paying, or by what is put into a checkout. */
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Ask } from '../../accounts/index.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** The refusal that means: it has to be paid first. */
const TO_PAY = 'course_payment_required';

/** Returns whether they are enrolled; false: it has to be paid first. @throws Problem if it is refused for another reason */
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

/** The item of a checkout that pays for it. */
export const itemOf = (series: number, customer: number) => ({
  item_type: 'CRS_DRP',
  course_date_series: series,
  customer,
});
