/** Finds customers by broadcast: by what a sent broadcast did, or by what a draft would do now. */
import { DESCRIPTIONS, reached, type Side } from './reached.ts';
import { everybody, judged } from './audience.ts';
import { fill, raw, sql, statement, type Sql } from '../../../kernel/base/db/sql.ts';
import { find, type Target } from './target.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';
import { may, provider, type Input } from '../../../kernel/work/access/viewer.ts';
import type { Filter } from '../../../kernel/api/endpoint.ts';
import type { Send } from '../../../kernel/base/db/sharing/batch.ts';

async function texts(send: Send, fragment: Sql, input: Input): Promise<(string | null)[][]> {
  const s = statement(fragment);
  return (await send([{ statement: s, values: fill(s.holes, input) }]))[0].rows;
}

const ids = (rows: (string | null)[][]): number[] => rows.map(([customer]) => Number(customer));

async function idsOf(broadcast: number, side: Side, asked: Input, send: Send): Promise<number[]> {
  const { viewer, now } = asked;
  // The recipients of a business's messages are visible to those who may write them; nobody else can find them out with
  // a filter.
  if (viewer.mode !== 'provider' || !may(viewer)) return [];
  const [row] = await texts(
    send,
    sql`SELECT b.status, b.channel, b.use_case, b.target_recipients, p.timezone FROM broadcast_message b JOIN provider p ON p.provider_id = b.provider_id
        WHERE b.provider_id = ${provider} AND b.id = ${broadcast}`,
    asked,
  );
  if (!row) return [];
  const [status, channel, use_case, target, zone] = row as string[];
  if (status !== 'draft' && status !== 'scheduled') return ids(await texts(send, reached(broadcast, side), asked));
  const found = await find({ viewer, now, zone, send }, JSON.parse(target) as Target);
  const who = judged(everybody(found), { channel: channel as 'email', use_case: use_case as 'general' });
  return ids(
    await texts(
      send,
      sql`SELECT a.id FROM (${who}) a WHERE a.reason IS ${raw(side === 'recipients' ? 'NULL' : 'NOT NULL')}`,
      found.input,
    ),
  );
}

const filterOf = (name: string, side: Side): Filter => ({
  field: id().optional().describe(`${DESCRIPTIONS[side]} Only for super admins. Others get no results.`),
  resolve: (input, send) => idsOf(input.query[name], side, input, send),
  where: (t, ids) => sql`${raw(t)}.id = ANY(${ids}::bigint[])`,
});

export const customerFilters = {
  broadcast_message_recipients: filterOf('broadcast_message_recipients', 'recipients'),
  broadcast_message_non_recipients: filterOf('broadcast_message_non_recipients', 'non_recipients'),
};
