import { may, type Business } from '../app/business.ts';

/** Whether somebody may see requests for substitutes, and ask and offer for themselves. */
export const takesPart = (business: Pick<Business, 'permissions'>): boolean =>
  may(business, 'manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances');
