/**
 * The check that the reports of a business agree with its ledger, its bookings, the uses of its memberships, and each
 * other.
 */
import { commandOf } from '../reports/index.ts';
import { comparison, REPORT_CHECKS, type Reading } from './checks.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { businessTime } from '../../../kernel/work/unit/work.ts';
import { ownViewer } from '../../../kernel/work/access/viewer.ts';

export const ACTOR = 'report_checks';

/** Returns every difference in words; an empty list if there is none. `now` is the real time. */
export async function checkReports({ tx, providerId, tenant }: Reading, now: number): Promise<string[]> {
  const { currency, zone } = tenant;
  const asked = { viewer: ownViewer(providerId, ACTOR), around: { now: businessTime(tenant, now), zone }, filters: {} };
  const found: string[] = [];
  for (const check of REPORT_CHECKS) {
    const [{ rows }] = await tx.send([commandOf(comparison(check, providerId, asked), { asked })]);
    const text = (amount: string | null): string =>
      check.unit === 'money' ? `${formatDecimal({ minor: Number(amount), currency })} ${currency}` : amount!;
    for (const [key, expected, reported] of rows)
      found.push(`${check.name}: ${check.of(key!)}: ${text(expected)} expected, and ${text(reported)} in the report.`);
  }
  return found;
}
