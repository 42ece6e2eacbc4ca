/** Memberships that customers have elsewhere, with their remaining uses. */
import { changeMoved } from './changed-memberships.ts';
import { customersOf } from './people.ts';
import {
  dateIn,
  isIssue,
  issueOf,
  rejected,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import {
  chargesAhead,
  decideMoved,
  planAt,
  productsFor,
  usesLimit,
  writeMoved,
  type Decided,
  type MovedState,
} from '../../../memberships/customer-memberships/index.ts';
import { LONGEST_ID, recall, remember } from '../remembered.ts';
import { countryOf } from './business.ts';
import { isSamePeriod, readPeriod } from './rules/period.ts';
import { readAmount } from './rules/amount.ts';
import { readUses } from './rules/uses.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Product } from '../../../memberships/memberships/index.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

/** Days from today whose charges a check lists. */
const CHARGE_DAYS = 40;

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
  const fresh = wanted.filter(({ key }) => !known.has(key));
  // After the import, uses are counted here: an older file must not reset them.
  const again = wanted.flatMap((one) => (known.has(one.key) ? [{ ...one, id: known.get(one.key)! }] : []));
  for (const [line, outcome] of await changeMoved(portion, again)) outcomes.set(line, outcome);
  const ids = await writeMoved(
    work,
    fresh.map(({ decided }) => decided),
  );
  for (const [i, { row, issues, decided }] of fresh.entries())
    outcomes.set(row.line, {
      fate: 'created',
      object: ids[i],
      issues,
      charges: chargesAhead(work, decided, CHARGE_DAYS),
    });
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
  const country = await countryOf(work);
  return rows.flatMap((row) => {
    const read = readOne(portion, row, customers.get(row.line)!, { products, country });
    if (!isIssue(read)) return [read];
    outcomes.set(row.line, rejected(read));
    return [];
  });
}

function readOne(
  portion: Portion,
  row: CsvRow,
  customer: number | Issue,
  { products, country }: { products: Awaited<ReturnType<typeof productsFor>>; country: string },
): Wanted | Issue {
  const { work } = portion;
  const at = (property: string) => templateOf(portion, property);
  const name = textIn(at('membership'), row);
  const state = stateIn(portion, 'status', row);
  if (state === null) return issueOf(at('status'), row, 'has no known meaning');
  if (state === 'left_out') return issueOf(at('status'), row, 'means that the row is left out');
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
  const next = dateIn(portion, at('next_renewal'), row);
  const renewal = isIssue(next) ? null : next;
  const usesLeft = usesIn(portion, row, product.product);
  if (isIssue(usesLeft)) return usesLeft;
  const left: Issue[] = isIssue(next) ? [next] : [];
  const paid = textIn(at('price'), row);
  const amount = paid === null ? null : readAmount(paid, { currency: work.tenant.currency, country });
  // A cell that can't be read is left out: the plan's own price is never wrong by a factor.
  if (amount === undefined)
    left.push(issueOf(at('price'), row, `is not one amount in ${work.tenant.currency}, so the price here applies`));
  const ahead = renewal !== null && renewal >= wallAt(work.now, work.tenant.zone).date;
  if (renewal !== null && !ahead) left.push(issueOf(at('next_renewal'), row, 'is in the past, so it is left out'));
  const price = amount?.minor ?? null;
  const named = textIn(at('billing_period'), row);
  const billing = named === null ? undefined : readPeriod(named, { counted: true });
  if (named !== null && billing === undefined)
    left.push(issueOf(at('billing_period'), row, 'is not a billing period, so it is left out'));
  const every = billing ?? amount?.every ?? null;
  const fitting = product.plans.filter(
    ({ periodUnit: unit, periodLength: length }) => every === null || isSamePeriod(every, { unit, length }),
  );
  if (every !== null && product.plans.length > 0 && fitting.length === 0)
    return issueOf(at(billing ? 'billing_period' : 'price'), row, 'is a period at which no payment plan here bills');
  const plan = planAt(fitting, price);
  const decided = decideMoved(work, {
    state: (state ?? 'running') as MovedState,
    customer,
    product: product.product,
    plan,
    startDate,
    billedFrom: ahead ? renewal : null,
    expirationDate,
    usesLeft,
    price,
  });
  if ('reason' in decided) return issueOf(at(decided.property) ?? at('membership'), row, decided.reason);
  const own = textIn(at('external_id'), row);
  if ((own?.length ?? 0) > LONGEST_ID)
    return issueOf(at('external_id'), row, `is longer than ${LONGEST_ID} characters`);
  const key = own ?? [customer, name.toLowerCase().slice(0, 256), startDate ?? '', expirationDate ?? ''].join('|');
  if (plan !== null && startDate === null && !ahead)
    left.push(issueOf(undefined, row, 'has no start date, so its billing periods are counted from today'));
  const over = decided.state === 'ended' && state !== 'ended';
  const reason = `has ended, on ${decided.values.expiration_date}: it is kept as history`;
  const issues = [...left, ...(over ? [issueOf(at('expiration_date') ?? at('membership'), row, reason)] : [])];
  return { row, key, decided, issues };
}

/** A pass with this many times the uses that it is sold with is a sign for something else. */
const MAX_TIMES = 10;

/** Returns the uses that are left; null for those that the membership is sold with. */
function usesIn(portion: Portion, row: CsvRow, product: Product): number | null | Issue {
  const template = templateOf(portion, 'uses_left');
  const limit = usesLimit(product);
  const text = textIn(template, row);
  if (text === null) return null;
  const uses = readUses(text);
  if (uses === undefined) {
    const meaning = stateIn(portion, 'uses_left', row);
    if (meaning === 'left_out') return issueOf(template, row, 'means that the row is left out');
    if (meaning === null) return issueOf(template, row, 'is not a number of uses, and has no known meaning');
    return meaning === 'none_left' && limit !== null ? 0 : null;
  }
  if (limit !== null && uses > limit * MAX_TIMES)
    return issueOf(template, row, `is far more than the ${limit} uses of "${product.name}"`);
  return uses;
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
