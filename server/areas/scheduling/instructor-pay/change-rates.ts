/** Pay rates of instructors: listing, creating and changing them. */
import { boolean, date, id, listOf, moneyText, oneOf, refs } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { COUNTED_STATUSES, tierProblem, type Tier } from './rules/pay.ts';
import { filter, staffWith, listAndGet } from '../../../kernel/api/endpoint.ts';
import { instructorPayRate, SCOPES, type RateRow } from './pay-rate.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { json, raw, sql } from '../../../kernel/base/db/sql.ts';
import { lookAgainSince } from './progress.ts';
import { rateAmount, sentTiers, type SentTier } from './amounts.ts';
import { instructorPayRateFeed } from './feed.ts';
import { readRates } from './facts.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = instructorPayRate.fields;
const UNCHANGED = 'If left out, it stays as it is';

const optional = {
  tiers: sentTiers().optional().describe(`${f.tiers.spec.description} ${UNCHANGED}; a new rate has none.`),
  counted_statuses: listOf(oneOf(COUNTED_STATUSES), { max: COUNTED_STATUSES.length })
    .optional()
    .describe(`${f.counted_statuses.spec.description} ${UNCHANGED}; for a new rate, \`attended\` and \`registered\`.`),
  counts_comped: boolean()
    .optional()
    .describe(`${f.counts_comped.spec.description} ${UNCHANGED}; true for a new rate.`),
  pays_empty_sessions: boolean()
    .optional()
    .describe(`${f.pays_empty_sessions.spec.description} ${UNCHANGED}; true for a new rate.`),
  minimum_pay: moneyText().nullable().optional(),
  maximum_pay: moneyText().nullable().optional(),
  instructors: refs('instructor', { max: 1000 }).optional(),
  offering_types: refs('offering_type', { max: 1000 }).optional(),
  venues: refs('venue', { max: 1000 }).optional(),
  starts_on: date()
    .nullable()
    .optional()
    .describe(
      `The first day of the sessions that it is for. Null for all earlier ones too. ${UNCHANGED}; for a new rate, today.`,
    ),
  ends_on: date().nullable().optional(),
  archived: boolean().optional(),
};

const body = { name: f.name, type: f.type, base: moneyText().describe(f.base.spec.description!), ...optional };

type Values = Partial<ValueOf<typeof body>>;

export type NewRate = Values & Required<Pick<Values, 'name' | 'type' | 'base'>>;

const amountOf = (property: string, sent: string | null | undefined, { tenant }: Work): number | null | undefined =>
  typeof sent === 'string' ? rateAmount(property, sent, tenant.currency) : sent;

function columnsOf(work: Work, values: Values) {
  const { base, tiers, minimum_pay, maximum_pay, instructors: _i, offering_types: _o, venues: _v, ...plain } = values;
  return {
    ...plain,
    base_minor: amountOf('base', base, work) ?? undefined,
    tiers: tiers && tiersOf(tiers, work),
    minimum_minor: amountOf('minimum_pay', minimum_pay, work),
    maximum_minor: amountOf('maximum_pay', maximum_pay, work),
  };
}

function tiersOf(sent: readonly SentTier[], work: Work): Tier[] {
  const tiers = sent.map(({ lower_bound, upper_bound, per_customer_amount }, n) => ({
    from: lower_bound,
    to: upper_bound ?? null,
    minor: rateAmount(`tiers.${n}.per_customer_amount`, per_customer_amount, work.tenant.currency),
  }));
  const problem = tierProblem(tiers);
  if (problem) throw invalid(`tiers.${problem.at}`, problem.text);
  return tiers;
}

/** Refuses values that the database would refuse by an unnamed constraint. */
function check({ minimum_minor: least, maximum_minor: most, starts_on: first, ends_on: last }: Partial<RateRow>): void {
  if (typeof least === 'number' && typeof most === 'number' && least > most)
    throw invalid('maximum_pay', 'Must not be less than minimum_pay.');
  if (typeof first === 'string' && typeof last === 'string' && first > last)
    throw invalid('ends_on', 'Must not be before starts_on.');
}

async function link(work: Work, rate: number, values: Values): Promise<void> {
  for (const [name, { table, parent, child }] of Object.entries(SCOPES)) {
    const ids = values[name as keyof typeof SCOPES];
    if (ids) await replaceLinks(work, table, { column: parent, id: rate }, { column: child, ids });
  }
}

/** Creates a rate and returns its id. */
export async function createRate(work: Work, values: NewRate): Promise<number> {
  const { starts_on: startsOn = wallAt(work.now, work.tenant.zone).date } = values;
  const { tiers = [], ...columns } = columnsOf(work, values);
  const row = { ...columns, starts_on: startsOn };
  check(row);
  const rate = await insertRow(work, 'instructor_pay_rate', {
    counted_statuses: ['attended', 'registered'],
    counts_comped: true,
    pays_empty_sessions: true,
    ...row,
    tiers: json(tiers),
  });
  await link(work, rate, values);
  await lookAgainSince(work, startsOn);
  work.record(instructorPayRateFeed.created, rate, { instructor_pay_rate: rate });
  return rate;
}

/** Changes a rate. `stored`: its current row, locked. Values that are sent back unchanged change nothing. */
async function changeRate(work: Work, stored: RateRow, values: Values): Promise<void> {
  const changed = changedNames(values);
  if (changed.length === 0) return;
  const { tiers, ...columns } = columnsOf(work, values);
  check({ ...stored, ...definedOf(columns) });
  const rate = async (): Promise<string> => json(await readRates(work, sql`r.id = ${stored.id}`));
  const before = await rate();
  await updateRow(work, 'instructor_pay_rate', stored.id, { ...columns, tiers: tiers && json(tiers) });
  await link(work, stored.id, values);
  if ((await rate()) === before) return;
  await updateRow(work, 'instructor_pay_rate', stored.id, { version: stored.version + 1 });
  await lookAgainSince(work, values.starts_on === undefined ? stored.starts_on : values.starts_on);
  work.record(instructorPayRateFeed.updated, stored.id, { instructor_pay_rate: stored.id, changed });
}

const definedOf = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Rates that name one of these, or none of this kind. */
const forOneOf = ({ table, parent, child }: (typeof SCOPES)[keyof typeof SCOPES]) =>
  filter(listOf(id()), (t, ids) => {
    const links = raw(`SELECT FROM ${table} l WHERE l.provider_id = ${t}.provider_id AND l.${parent} = ${t}.id`);
    return sql`(NOT EXISTS (${links}) OR EXISTS (${links} AND ${raw(`l.${child}`)} = ANY(${ids}::bigint[])))`;
  });

const who = staffWith('super_admin', 'revenue');

export const rateEndpoints = [
  ...listAndGet(instructorPayRate, {
    path: '/instructor_pay_rates',
    summary: 'List instructor pay rates',
    get: 'Get an instructor pay rate',
    description: 'A filter for instructors, offering types or venues also finds the rates that are for all of them.',
    who,
    filters: {
      instructors: forOneOf(SCOPES.instructors),
      offering_types: forOneOf(SCOPES.offering_types),
      venues: forOneOf(SCOPES.venues),
      archived: filter(boolean(), (t, wanted) => sql`${raw(t)}.archived = ${wanted}::boolean`),
    },
    sort: {
      id: { by: (t) => raw(`${t}.id`) },
      name: { by: (t) => raw(`${t}.name`) },
      starts_on: { by: (t) => raw(`${t}.starts_on`) },
    },
  }),
  ...changes(instructorPayRate, {
    path: '/instructor_pay_rates',
    noun: 'instructor pay rate',
    who: staffWith('super_admin'),
    body,
    create: {
      description:
        'If several rates cover a session, one that names the instructor wins, then one that names the offering type, then one that names the venue, then the one that began later. Sessions that no rate covered until now are calculated in the background.',
      run: ({ work, body: values }) => createRate(work, values as NewRate),
    },
    update: {
      description:
        'Pay that was calculated already stays as it is. To calculate open sessions again by the rate as it is now, use `POST /instructor_pay_items/recalculate`.',
      run: ({ work, target, body: values }) => changeRate(work, target as unknown as RateRow, values as Values),
    },
  }),
];
