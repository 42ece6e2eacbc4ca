/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness(
    'offering_type',
    'offering_type_category',
    'offering_type_instructor',
    'offering_type_registration_timeline',
    'offering_type_room',
    'registration_timeline',
    'registration_timeline_membership',
  ),
  registration_timeline_customer: deleted('registration_timelines'),
};
