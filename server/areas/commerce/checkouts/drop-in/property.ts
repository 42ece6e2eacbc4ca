import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { refBy } from '../../../../kernel/base/fields/kinds.ts';
import type { Properties } from '../../../../kernel/api/resource.ts';

const chargeOf = (t: string) => sql`(SELECT d.account_entry_id FROM booking_payment d
  WHERE d.provider_id = ${raw(t)}.provider_id AND d.attendance_id = ${raw(t)}.id AND d.given_back IS NULL)`;

export const attendanceProperties: Properties = {
  fields: {
    charge: refBy('account_entry', chargeOf)
      .nullable()
      .describe('The charge to the account, if staff booked without a payment, unless it was given back.'),
  },
};
