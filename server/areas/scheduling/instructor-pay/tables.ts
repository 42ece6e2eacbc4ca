/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

/** Instructors are staff: the only data about customers are numbers of attendances. */
export const TABLES: Tables = ofBusiness(
  'instructor_pay_item',
  'instructor_pay_period',
  'instructor_pay_progress',
  'instructor_pay_rate',
  'instructor_pay_rate_instructor',
  'instructor_pay_rate_offering_type',
  'instructor_pay_rate_venue',
);
