import type { CustomerAround } from './bookings/facts.ts';

export const hasSeat = (attendance: CustomerAround['attendance']): boolean =>
  attendance !== null && ['registered', 'attended', 'no_show'].includes(attendance.status);
