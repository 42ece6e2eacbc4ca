/** Checks that partitions are created ahead, and that old months are removed as the operator has configured. */
import { firstKept, nameOfMonth } from '../../kernel/base/db/schema/months.ts';
import { keptTables } from '../../kernel/work/retention/kept-table.ts';
import { partitionsOf } from '../../kernel/base/db/schema/partitions.ts';
import type { Check, Finding } from './doctor-finding.ts';

export const months: Check = async (client, _now, config) => {
  const {
    rows: [{ newest, month }],
  } = await client.query('SELECT newest_month() AS newest, month_number(now()) AS month');
  const findings: Finding[] = [];
  if (newest <= month)
    findings.push({
      wrong: `There is no partition for ${nameOfMonth(month + 1)} yet.`,
      remedy:
        'Start a worker: "rollcall start" (ROLE=all or ROLE=worker). Until then, what happens is kept with an earlier month.',
    });
  for (const table of keptTables(config.retention)) {
    const { attached, detached } = await partitionsOf(client, table.name);
    if (detached.length > 0)
      findings.push({
        wrong: `${detached.length} months of ${table.name} have been taken out and not been archived yet, from ${nameOfMonth(detached[0])} on.`,
        remedy: 'Look at the log of the worker: it says why the file could not be written. Nothing is lost.',
      });
    // The worker has one month of tolerance to remove it.
    if (table.months !== null && attached[0] < firstKept(month, table.months) - 1)
      findings.push({
        wrong: `${table.name} still has ${nameOfMonth(attached[0])}, although only ${table.months} months are kept.`,
        remedy: 'Start a worker, or look at its log: it says what has to stay and why.',
      });
  }
  return { findings };
};
