import { calculateJob, sweepEnded } from './job.ts';
import { coverage } from './coverage.ts';
import { FEED } from './feed.ts';
import { findItems, instructorPayItem } from './pay-item.ts';
import { instructorPayPeriod, periodEndpoints } from './pay-period.ts';
import { instructorPayRate } from './pay-rate.ts';
import { payReader } from './reader.ts';
import { rateEndpoints } from './change-rates.ts';
import { recalculate } from './recalculate.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { calculateEnded } from './job.ts';
export { PAY_TYPES } from './rules/pay.ts';
export { createRate, type NewRate } from './change-rates.ts';
export { printTiers, shownTiers } from './amounts.ts';

export const instructorPay: Area = {
  name: 'instructor_pay',
  description: 'Pay of instructors for the sessions that they teach: rates, amounts, and their calculation.',
  tables: TABLES,
  resources: [instructorPayRate, instructorPayItem, instructorPayPeriod],
  endpoints: [...rateEndpoints, coverage, ...findItems, recalculate, ...periodEndpoints],
  feed: FEED,
  readers: [payReader],
  jobs: [calculateJob],
  sweep: sweepEnded,
};
