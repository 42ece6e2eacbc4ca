/** Balances of customers at the former product: account credit that they can spend, and debts. */
import { countryOf } from './business.ts';
import { customersOf } from './people.ts';
import {
  dateIn,
  isIssue,
  issueOf,
  rejected,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { amountText } from '../../../../kernel/base/values/money.ts';
import { readSigned } from './rules/amount.ts';
import { recall, remember } from '../remembered.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { writeOpening, type Opening } from '../../../money/account-entries/index.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

interface Wanted {
  readonly row: CsvRow;
  /** of one source, a customer has one balance */
  readonly key: string;
  readonly opening: Opening;
}

const NOTHING = 'nothing';

export const writeBalances: WriteRows = async (portion) => {
  const { work, rows, source } = portion;
  const outcomes: Outcomes = new Map();
  const customers = await customersOf(portion);
  const country = await countryOf(work);
  const read = rows.flatMap((row): Wanted[] => {
    const customer = customers.get(row.line)!;
    const opening = isIssue(customer) ? customer : openingIn(portion, row, { customer, country });
    if (opening === NOTHING) outcomes.set(row.line, { fate: 'unchanged', object: null, issues: [] });
    else if (isIssue(opening)) outcomes.set(row.line, rejected(opening));
    else return [{ row, key: String(opening.customer), opening }];
    return [];
  });
  const wanted = await onceEach(portion, read, outcomes);
  const known = await recall(
    work,
    'account_entry',
    source,
    wanted.map(({ key }) => key),
  );
  const stored = await storedOpenings(portion, [...known.values()]);
  const fresh = wanted.filter(({ key }) => !known.has(key));
  for (const { row, key, opening } of wanted) {
    const id = known.get(key);
    if (id === undefined) continue;
    const before = stored.get(id);
    const isSame = before?.kind === opening.kind && before.amount === opening.amount;
    const issues = isSame ? [] : [issueOf(columnOf(portion, opening), row, DIFFERS)];
    outcomes.set(row.line, { fate: 'unchanged', object: id, issues });
  }
  const ids = await writeOpening(
    work,
    fresh.map(({ opening }) => opening),
  );
  for (const [i, { row, opening }] of fresh.entries())
    outcomes.set(row.line, {
      fate: 'created',
      object: ids[i],
      issues: [],
      sum: { of: opening.kind === 'credit' ? 'credit' : 'debt', minor: opening.amount },
    });
  await remember(
    work,
    'account_entry',
    source,
    fresh.map(({ key }, i) => [key, ids[i]]),
  );
  return outcomes;
};

const DIFFERS = 'differs from the balance that was imported, which stays: charge or credit the account instead';

const columnOf = (portion: Portion, { kind }: Opening) =>
  templateOf(portion, kind === 'credit' ? 'credit' : 'debt') ??
  templateOf(portion, 'credit') ??
  templateOf(portion, 'debt');

/** Returns the balance of a row, or the cell that can't be read; a balance of 0 is nothing. */
function openingIn(
  portion: Portion,
  row: CsvRow,
  { customer, country }: { readonly customer: number; readonly country: string },
): Opening | Issue | typeof NOTHING {
  const { currency, zone } = portion.work.tenant;
  const amounts: number[] = [];
  for (const [property, sign] of [
    ['credit', 1],
    ['debt', -1],
  ] as const) {
    const template = templateOf(portion, property);
    const text = textIn(template, row);
    if (text === null) continue;
    const minor = readSigned(text, { currency, country });
    if (minor === undefined) return issueOf(template, row, `is not one amount in ${currency}`);
    if (minor !== 0) amounts.push(sign * minor);
  }
  if (amounts.length === 0) return NOTHING;
  const [balance, second] = amounts;
  if (second !== undefined)
    return issueOf(
      templateOf(portion, 'debt'),
      row,
      `stands beside a credit of ${amountText({ minor: balance, currency })}: correct one of the two`,
    );
  const day = dateIn(portion, templateOf(portion, 'date'), row);
  if (isIssue(day)) return day;
  const today = wallAt(portion.work.now, zone).date;
  if (day !== null && day > today) return issueOf(templateOf(portion, 'date'), row, 'is in the future');
  return { customer, kind: balance > 0 ? 'credit' : 'charge', amount: Math.abs(balance), day: day ?? today };
}

async function storedOpenings(
  { work: { tx, providerId } }: Portion,
  ids: readonly number[],
): Promise<Map<number, Pick<Opening, 'kind' | 'amount'>>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.rows<{ id: number } & Pick<Opening, 'kind' | 'amount'>>(
    sql`SELECT id, kind, amount_minor AS amount FROM account_entry
      WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function onceEach(portion: Portion, wanted: readonly Wanted[], outcomes: Outcomes): Promise<Wanted[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    wanted.map(({ key }) => key),
    [],
  );
  return wanted.filter(({ row, key, opening }) => {
    const line = seen.own.get(key) ?? earlier.own.get(key);
    if (line === undefined) seen.own.set(key, row.line);
    else
      outcomes.set(
        row.line,
        rejected(issueOf(columnOf(portion, opening), row, `is another balance of the customer in line ${line}`)),
      );
    return line === undefined;
  });
}
