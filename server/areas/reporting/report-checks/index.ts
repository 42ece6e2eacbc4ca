import { reportCheckEngine } from './engine.ts';
import { reportCheckFeed } from './feed.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { checkReports } from './check.ts';
export { checkInvariants } from './invariants.ts';

export const reportChecks: Area = {
  name: 'report_checks',
  description: 'Checks every night whether reports agree with the ledger, the bookings and each other.',
  tables: TABLES,
  feed: [reportCheckFeed],
  engines: [reportCheckEngine],
};
