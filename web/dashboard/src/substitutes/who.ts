import { may, type Business } from '../app/business.ts';

/** Returns true if the person may see requests for substitutes, and make requests and offers of their own. */
export const takesPart = (business: Pick<Business, 'permissions'>): boolean =>
  may(business, 'manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances');
