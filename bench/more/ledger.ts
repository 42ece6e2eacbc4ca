/**
 * The ledger of a business with a million entries: time of the nightly check, and time and memory of the export of all
 * entries.
 */
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { differencesOf } from '../../server/commands/ledger.ts';
import { allProviders } from '../../server/commands/provider.ts';
import { install, vacuum, type Cluster, type Installation } from '../kit/installation.ts';
import { serve, type Served } from '../../server/test/processes/durable.ts';
import type { Report } from '../kit/report.ts';

export interface LedgerPlan {
  readonly entries: number;
}

const MAX_SECONDS = 30;
const MAX_GROWTH_MB = 64;
const LOOK_MS = 100;
/** Ledger entries of one sale: owed, earned, taxed and then paid. */
const OF_A_SALE = 5;
/** The first export lets the heap reach its usual size: only growth after that would be a leak. */
const FIRST_TO = '2023-06-30';

export async function ledgerRows(report: Report, cluster: Cluster, { entries }: LedgerPlan): Promise<void> {
  const installation = await install(cluster, 'ledger', { customers: 10_000, events: 10, attendances: 0 });
  try {
    await sell(installation, Math.round(entries / OF_A_SALE));
    await vacuum(installation.url);
    await check(report, installation, entries);
    await exported(report, installation, entries);
  } finally {
    await installation.remove();
  }
}

/**
 * Creates the sales of three years, each with its invoice and payment; every tenth is half paid. Triggers would run row
 * by row, so this writes directly what they would have updated.
 */
export async function sell({ url, provider, customers }: Installation, sales: number): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query('SET session_replication_role = replica');
    await owner.query(
      `INSERT INTO payment_processor (provider_id, id, kind, name) VALUES (${provider}, 1, 'offline', 'Cash')`,
    );
    await owner.query(`INSERT INTO purchase_fee
      (provider_id, id, name, kind, type, percentage, is_taxable, purchase_types)
      VALUES (${provider}, 1, 'VAT', 'tax', 'percent', 20, false, '{event}')`);
    await owner.query(`CREATE TEMP TABLE sale AS
      SELECT n, ${customers.first} + n % ${customers.n} AS customer,
        '2023-01-01T12:00Z'::timestamptz + n * interval '3 years' / ${sales} AS at,
        1000::bigint AS net, 200::bigint AS tax, CASE WHEN n % 10 = 0 THEN 600 ELSE 1200 END::bigint AS paid
      FROM generate_series(1, ${sales}) n`);
    await owner.query(`
      INSERT INTO invoice (provider_id, id, series, sequence, customer_id, status, about_object, about_id,
        issued_on, due_on,
        parties, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor,
        billed_minor, paid_minor,
        paid_at, created_at, updated_at)
      SELECT ${provider}, n, 'invoice', n, customer, CASE WHEN paid = 1200 THEN 'paid' ELSE 'open' END, 'checkout', n,
        at::date, at::date,
        '{}', net, 0, 0, net, tax, 0, net + tax, net + tax, paid, CASE WHEN paid = 1200 THEN at END, at, at FROM sale`);
    await owner.query(`INSERT INTO invoice_line
      (provider_id, id, invoice_id, position, type, description, customer_id, quantity, list_minor,
        discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor)
      SELECT ${provider}, n, n, 1, 'event_registration', 'Class', customer, 1, net, 0, 0, net, tax, 0, net + tax
      FROM sale`);
    await owner.query(`INSERT INTO invoice_line_fee
      (provider_id, id, invoice_id, line_id, purchase_fee_id, kind, name, explanation, amount_minor, percentage,
        is_taxable)
      SELECT ${provider}, n, n, n, 1, 'tax', 'VAT', '20% of 10.00', tax, 20, false FROM sale`);
    await owner.query(`
      INSERT INTO payment (provider_id, id, payment_processor_id, customer_id, amount_minor, payee, payee_id,
        description, status,
        return_to, cancel_to, succeeded_at, taken, created_at, updated_at)
      SELECT ${provider}, n, 1, customer, paid, 'invoice', n, 'Class', 'succeeded', '', '', at, true, at,
        at FROM sale`);
    await owner.query(`INSERT INTO invoice_charge
      (provider_id, id, invoice_id, payment_id, payment_processor_id, amount_minor, created_at)
      SELECT ${provider}, n, n, n, 1, paid, at FROM sale`);
    await owner.query(`INSERT INTO ledger_transaction
      (provider_id, id, kind, object, object_id, explanation, posted_at, posted_on)
      SELECT ${provider}, 2 * n + paying, CASE paying WHEN 0 THEN 'invoice_issued' ELSE 'invoice_payment_applied' END,
        CASE paying WHEN 0 THEN 'invoice' ELSE 'invoice_charge' END, n, 'Invoice INV-' || n, at, at::date
      FROM sale, generate_series(0, 1) paying ORDER BY n, paying`);
    await owner.query(`INSERT INTO ledger_line
      (provider_id, id, transaction_id, account, detail, customer_id, amount_minor)
      SELECT ${provider}, ${OF_A_SALE} * n + l.i, 2 * n + l.paying, l.account, l.detail,
        CASE WHEN l.account = 'receivable' THEN customer END, l.amount
      FROM sale, LATERAL (VALUES (0, 0, 'receivable', NULL, net + tax), (1, 0, 'revenue', 'event_registration', -net),
        (2, 0, 'tax', '1', -tax),
        (3, 1, 'clearing', '1', paid), (4, 1, 'receivable', NULL, -paid)) AS l (i, paying, account, detail, amount)
      ORDER BY n, l.i`);
    await owner.query(`INSERT INTO customer_balance (provider_id, customer_id, account, amount_minor)
      SELECT ${provider}, customer, 'receivable', sum(net + tax - paid) FROM sale GROUP BY customer`);
  } finally {
    await owner.end();
  }
}

async function check(report: Report, { db }: Installation, entries: number): Promise<void> {
  const businesses = await allProviders(db);
  const before = memoryOf(process.pid);
  let differences: string[] = [];
  let seconds = 0;
  const most = await memoryFor(process.pid, async () => {
    const began = performance.now();
    differences = await differencesOf(db, businesses);
    seconds = (performance.now() - began) / 1000;
  });
  report.add({
    name: `the nightly check of ${entries.toLocaleString('en')} ledger entries`,
    figure: seconds,
    reach: MAX_SECONDS,
    better: 'lower',
    unit: 's',
  });
  report.add({
    name: '  more memory of the process meanwhile',
    figure: most - before,
    reach: MAX_GROWTH_MB,
    better: 'lower',
    unit: 'MB',
  });
  report.add({ name: '  differences', figure: differences.length, reach: 0, better: 'lower' });
}

async function exported(report: Report, { url, token }: Installation, entries: number): Promise<void> {
  const server = await serve(url, { ROLE: 'server' });
  try {
    await download(server, token, FIRST_TO);
    const before = memoryOf(server.process.pid!);
    let lines = 0;
    let seconds = 0;
    const most = await memoryFor(server.process.pid!, async () => {
      const began = performance.now();
      lines = await download(server, token, '2026-12-31');
      seconds = (performance.now() - began) / 1000;
    });
    report.add({
      name: `the journal of ${entries.toLocaleString('en')} ledger entries as CSV`,
      figure: lines / seconds,
      unit: 'lines/s',
    });
    report.add({
      name: '  more memory of the server meanwhile',
      figure: most - before,
      reach: MAX_GROWTH_MB,
      better: 'lower',
      unit: 'MB',
    });
    report.add({ name: '  lines missing', figure: entries - lines, reach: 0, better: 'lower' });
  } finally {
    await server.end('SIGTERM');
  }
}

/** Returns the number of lines of the journal up to a day, without the heading. */
async function download({ url }: Served, token: string, to: string): Promise<number> {
  const answer = await fetch(`${url}/api/v2/ledger/journal?from=2022-12-31&to=${to}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`the journal answers ${answer.status}: ${await answer.text()}`);
  let lines = -1;
  for await (const part of answer.body!) for (const byte of part) if (byte === 10) lines++;
  return lines;
}

/** Returns the peak memory of the process during `act`. */
export async function memoryFor(pid: number, act: () => Promise<void>): Promise<number> {
  let most = memoryOf(pid);
  const watch = setInterval(() => (most = Math.max(most, memoryOf(pid))), LOOK_MS);
  await act().finally(() => clearInterval(watch));
  return most;
}

/** Returns the resident memory of the process in megabytes. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
