/** Calculating fees and taxes: a request with a body, compared with the cheapest request of the service. */
import { headersFor, readFor } from '../reads.ts';
import { paired, type Report } from '../kit/report.ts';
import { prepare } from '../kit/load.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Installation, Server } from '../kit/installation.ts';
import type { Length } from '../kit/contest.ts';

/** A realistic number for a business with several taxes and fees. */
const FEES = 5;

export async function calculatorRow(
  report: Report,
  installation: Installation,
  server: Server,
  { turns, seconds }: Length,
): Promise<void> {
  const { db, provider } = installation;
  await db.transaction(provider, (tx) =>
    tx.run(sql`
      INSERT INTO purchase_fee (provider_id, name, kind, type, percentage, is_taxable, purchase_types)
      SELECT ${provider}::bigint, 'Tax ' || n, 'tax', 'percent', n, false, '{event}'
      FROM generate_series(1, ${FEES}::int) n`),
  );
  const headers = headersFor(installation, server);
  const body = { purchase_type: 'event', pre_tax_price: '40.00' };
  const calculation = prepare({ method: 'POST', path: '/api/v2/fees_calculator', headers, body });
  const cheapest = prepare({ method: 'GET', path: `/api/v2/providers/${provider}?fields=id`, headers });
  const ours = () => readFor(seconds, server, () => calculation);
  const theirs = () => readFor(seconds, server, () => cheapest);
  await ours();
  await theirs();
  report.add({
    name: `POST /fees_calculator with ${FEES} taxes, against GET /providers/{id}`,
    ...(await paired(turns, ours, theirs)),
    reach: 0.7,
    unit: '/s',
  });
  // Purchases of the other rows have no taxes.
  await db.transaction(provider, (tx) => tx.run(sql`DELETE FROM purchase_fee WHERE provider_id = ${provider}`));
}
