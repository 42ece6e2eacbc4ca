/** What files are written of: the reports, and what is a file alone. */
import { bulkResults } from './bulk-results.ts';
import { reportNamed } from '../schedules/writes.ts';
import type { Report } from '../report.ts';

export const writtenAs = (name: string): Report | undefined =>
  name === bulkResults.name ? bulkResults : reportNamed(name);
