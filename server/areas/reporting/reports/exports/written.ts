/** The sources of files: the reports, and those available only as a file. */
import { bulkResults } from './bulk-results.ts';
import { reportNamed } from '../schedules/writes.ts';
import type { Report } from '../report.ts';

export const writtenAs = (name: string): Report | undefined =>
  name === bulkResults.name ? bulkResults : reportNamed(name);
