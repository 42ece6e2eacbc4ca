/** Memberships that customers have elsewhere, with their remaining uses. */
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
import {
  decideMoved,
  planAt,
  productsFor,
  writeMoved,
  type Decided,
} from '../../../memberships/customer-memberships/index.ts';
import { LONGEST_ID, recall, remember } from '../remembered.ts';
import { readAmount } from './rules/amount.ts';
import { readUses } from './rules/uses.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

/** Prefixes of the statuses of memberships that have ended elsewhere. */
const ENDED = /^(?:expired|cancel|terminat|inactive|ended|completed|used up|gekündigt|abgelaufen|expiré|résilié)/i;
const PAUSED = /^(?:suspend|frozen|freeze|on hold|paused)/i;

interface Wanted {
  readonly row: CsvRow;
  readonly key: string;
  readonly decided: Decided;
  readonly issues: readonly Issue[];
}

export const writeMemberships: WriteRows = async (portion) => {
  const { work, source } = portion;
  const outcomes: Outcomes = new Map();
  const wanted = await onceEach(portion, await readAll(portion, outcomes), outcomes);
  const known = await recall(
    work,
    'customermembership',
    source,
    wanted.map(({ key }) => key),
  );
  const fresh: Wanted[] = [];
  for (const one of wanted) {
    const id = known.get(one.key);
    // After the import, uses are counted here: an older file must not reset them.
    if (id === undefined) fresh.push(one);
    else outcomes.set(one.row.line, { fate: 'unchanged', object: id, issues: one.issues });
  }
  const ids = await writeMoved(
    work,
    fresh.map(({ decided }) => decided),
  );
  for (const [i, { row, issues }] of fresh.entries())
    outcomes.set(row.line, { fate: 'created', object: ids[i], issues });
  await remember(
    work,
    'customermembership',
    source,
    fresh.map(({ key }, i) => [key, ids[i]]),
  );
  return outcomes;
};

async function readAll(portion: Portion, outcomes: Outcomes): Promise<Wanted[]> {
  const { work, rows } = portion;
  const column = templateOf(portion, 'membership');
  const customers = await customersOf(portion);
  const products = await productsFor(work, [
    ...new Set(rows.flatMap((row) => textIn(column, row)?.toLowerCase() ?? [])),
  ]);
  return rows.flatMap((row) => {
    const read = readOne(portion, row, customers.get(row.line)!, products);
    if (!isIssue(read)) return [read];
    outcomes.set(row.line, rejected(read));
    return [];
  });
}

function readOne(
  portion: Portion,
  row: CsvRow,
  customer: number | Issue,
  products: Awaited<ReturnType<typeof productsFor>>,
): Wanted | Issue {
  const { work } = portion;
  const at = (property: string) => templateOf(portion, property);
  const name = textIn(at('membership'), row);
  const status = textIn(at('status'), row) ?? '';
  if (ENDED.test(status)) return issueOf(at('status'), row, 'has ended there, so there is nothing to go on with');
  if (name === null) return issueOf(at('membership'), row, 'names no membership');
  if (isIssue(customer)) return customer;
  const product = products.get(name.toLowerCase());
  if (!product) return issueOf(at('membership'), row, 'is no membership here: create one with this name first');
  if (product === 'several') return issueOf(at('membership'), row, 'is the name of several memberships here');
  const [startDate, expirationDate] = [
    dateIn(portion, at('start_date'), row),
    dateIn(portion, at('expiration_date'), row),
  ];
  if (isIssue(startDate)) return startDate;
  if (isIssue(expirationDate)) return expirationDate;
  const [uses, amount] = [textIn(at('uses_left'), row), textIn(at('price'), row)];
  const usesLeft = uses === null ? null : readUses(uses);
  if (usesLeft === undefined) return issueOf(at('uses_left'), row, 'is not a number of uses');
  const price = amount === null ? null : readAmount(amount, work.tenant.currency);
  if (price === undefined) return issueOf(at('price'), row, `is not an amount in ${work.tenant.currency}`);
  const plan = planAt(product.plans, price);
  const decided = decideMoved(work, {
    customer,
    product: product.product,
    plan,
    startDate,
    expirationDate,
    usesLeft,
    price,
  });
  if ('reason' in decided) return issueOf(at(decided.property) ?? at('membership'), row, decided.reason);
  const own = textIn(at('external_id'), row);
  if ((own?.length ?? 0) > LONGEST_ID)
    return issueOf(at('external_id'), row, `is longer than ${LONGEST_ID} characters`);
  const key = own ?? [customer, name.toLowerCase().slice(0, 256), startDate ?? '', expirationDate ?? ''].join('|');
  const paused = PAUSED.test(status)
    ? [issueOf(at('status'), row, 'is on hold there. It is imported as active: put it on hold here')]
    : [];
  return { row, key, decided, issues: paused };
}

async function onceEach(portion: Portion, wanted: readonly Wanted[], outcomes: Outcomes): Promise<Wanted[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    wanted.map(({ key }) => key),
    [],
  );
  const column = templateOf(portion, 'external_id');
  return wanted.filter(({ row, key }) => {
    const line = seen.own.get(key) ?? earlier.own.get(key);
    if (line !== undefined) outcomes.set(row.line, rejected(issueOf(column, row, `is already in line ${line}`)));
    else seen.own.set(key, row.line);
    return line === undefined;
  });
}
