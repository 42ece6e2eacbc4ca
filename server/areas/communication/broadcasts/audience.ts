/**
 * The recipients of a broadcast, and the reasons why others don't get it. One statement decides for the preview, for
 * the count before sending and for each portion that is written, with the same verdict that the ledger uses.
 */
import { addressNow, aroundMessage, SKIP_REASONS, verdictNow, type Channel } from '../messages/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { provider } from '../../../kernel/work/access/viewer.ts';
import { find, lookupContext, type Found, type Target } from './target.ts';
import type { NoticeType } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const EXCLUSIONS = [
  ...SKIP_REASONS.filter((r) => r !== 'outdated' && r !== 'withdrawn' && r !== 'quota'),
  'unsubscribed',
  'duplicate',
  'quota',
] as const;

export interface Addressed {
  readonly channel: Channel;
  readonly use_case: 'marketing' | 'general';
}

export const purposeOf = ({ use_case }: Pick<Addressed, 'use_case'>): 'marketing' | 'transactional' =>
  use_case === 'marketing' ? 'marketing' : 'transactional';

/** The notice type of broadcasts: customers turn it off like other kinds of messages, for themselves and by channel. */
export const BROADCAST: NoticeType = {
  number: 100,
  type: 'broadcast_message',
  description: 'A message that the business sends to many people at the same time',
  email: true,
  sms: true,
  optional: true,
  freeform: true,
  fields: [],
  subject: '',
  body: '',
  smsBody: '',
};

interface Narrower {
  /** condition for readers to include, over alias `r`; absent: all */
  readonly fresh?: Sql;
  /** condition for an address that is already taken, over alias `q`; absent: none is */
  readonly taken?: Sql;
}

/** Selects readers. As everywhere, the family's manager reads the messages for a child, see `readersOf`. */
const readers = (found: Sql): Sql => sql`
  SELECT DISTINCT coalesce(manager.id, child.id) AS id FROM (${found}) f
  JOIN customer child ON child.provider_id = ${provider} AND child.id = f.id
  LEFT JOIN customer manager ON child.family_role = 'child' AND manager.provider_id = child.provider_id
    AND manager.family_id = child.family_id
    AND manager.family_role = 'manager' AND manager.deleted_at IS NULL`;

/**
 * Selects everybody who reads messages for the customers that `found` selects (a column `id`), with address, names,
 * zone, and the reason for not getting the broadcast (null: they get it). Readers who share the address of an earlier
 * one are duplicates.
 */
export const judged = (
  found: Sql,
  { channel, use_case }: Addressed,
  { fresh = raw('true'), taken = raw('false') }: Narrower = {},
): Sql => sql`
  SELECT q.id, q.address, q.first_name, q.last_name, q.email, q.zone,
         CASE WHEN q.verdict IS NULL AND (q.nth > 1 OR ${taken}) THEN 'duplicate'
              WHEN q.verdict IN ('no_consent', 'suppressed') AND x.reason = 'unsubscribed' THEN 'unsubscribed'
              ELSE q.verdict END AS reason
  FROM (
    SELECT j.*, row_number() OVER (PARTITION BY lower(j.address), j.verdict IS NULL ORDER BY j.id) AS nth
    FROM (
      SELECT m.provider_id, m.customer_id AS id, c.first_name, c.last_name, c.email, ${addressNow} AS address,
        ${verdictNow} AS verdict, coalesce(v.timezone, b.timezone) AS zone
      FROM (
        SELECT ${provider}::bigint AS provider_id, r.id AS customer_id, NULL::bigint AS staff_id,
          ${channel}::text AS channel, ${purposeOf({ use_case })}::text AS purpose,
               ${BROADCAST.type}::text AS kind, false AS fixed_recipient, NULL::text AS recipient
        FROM (${readers(found)}) r WHERE ${fresh}
      ) m
      ${aroundMessage}
      JOIN provider b ON b.provider_id = m.provider_id
      LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id
    ) j
  ) q
  LEFT JOIN suppression x ON x.provider_id = q.provider_id AND x.channel = ${channel} AND x.address = lower(q.address)`;

/**
 * Selects `people` with the quota applied: the first `room` of them are reached, later ones exceed the quota. `room`
 * null: no quota.
 */
export const reachedWithin = (people: Sql, room: number | null): Sql =>
  room === null
    ? people
    : sql`SELECT w.id, w.address, w.first_name, w.last_name,
                 CASE WHEN w.reason IS NULL AND row_number() OVER
                   (PARTITION BY w.reason IS NULL ORDER BY w.id) > ${room}::bigint THEN 'quota'
                   ELSE w.reason END AS reason
          FROM (${people}) w`;

/** Selects everybody that the filters match, once. */
export const everybody = ({ from, customer }: Found): Sql => sql`SELECT DISTINCT ${customer} AS id FROM ${from}`;

export interface Counts {
  /** customers that the filters match */
  readonly customers: number;
  /** people who would read it: a child's manager in place of the child */
  readonly targeted: number;
  /** the targeted people who get it */
  readonly recipients: number;
  readonly excluded: readonly { readonly reason: string; readonly count: number }[];
}

/** Counts the audience. `room`: how many messages may be sent; null: no limit. */
export async function countAudience(
  work: Work,
  target: Target,
  addressed: Addressed,
  room: number | null = null,
): Promise<Counts> {
  const found = await find(lookupContext(work), target);
  const people = reachedWithin(judged(everybody(found), addressed), room);
  const by = await work.tx.rows<{ reason: string | null; n: number }>(
    sql`SELECT reason, count(*) AS n FROM (${people}) a GROUP BY reason ORDER BY reason`,
    found.input,
  );
  const all = await work.tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM (${everybody(found)}) a`, found.input);
  return countsOf(all!.n, by);
}

export function countsOf(
  customers: number,
  by: readonly { readonly reason: string | null; readonly n: number }[],
): Counts {
  const recipients = by.find(({ reason }) => reason === null)?.n ?? 0;
  const excluded = by.flatMap(({ reason, n }) => (reason === null ? [] : [{ reason, count: n }]));
  return { customers, targeted: by.reduce((sum, { n }) => sum + n, 0), recipients, excluded };
}

/** Adds two counts of disjoint groups of people. */
export function added(a: Counts, b: Counts): Counts {
  const reasons = new Map(a.excluded.map(({ reason, count }) => [reason, count]));
  for (const { reason, count } of b.excluded) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  return {
    customers: a.customers + b.customers,
    targeted: a.targeted + b.targeted,
    recipients: a.recipients + b.recipients,
    excluded: [...reasons].toSorted(([x], [y]) => (x < y ? -1 : 1)).map(([reason, count]) => ({ reason, count })),
  };
}

export const NOBODY: Counts = { customers: 0, targeted: 0, recipients: 0, excluded: [] };
