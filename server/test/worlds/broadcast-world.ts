/** Broadcasts for tests: drafts, customers who agreed to news, and the results of both. */
import assert from 'node:assert/strict';
import { iso } from '../schedule-world.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { until } from '../storm.ts';
import type { ApiAnswer, World } from '../world.ts';

export const BROADCASTS = '/communication/broadcast_messages';

export const toCustomers = (query: object) => ({ query_type: 'customer', query });

/** Creates a customer who agreed to news by email and text message. */
export const newReader = (world: World, over: Parameters<World['newCustomer']>[0] = {}): Promise<number> =>
  world.newCustomer({ is_opted_into_broadcast_messages: true, is_opted_into_sms_marketing: true, ...over });

export async function withNumber(world: World, customer: number, over: object = {}): Promise<string> {
  const full_number = `+1416555${String(customer).padStart(4, '0')}`;
  const given = {
    full_number,
    enabled: true,
    verified_at: iso(world.now),
    created_at: iso(world.now),
    updated_at: iso(world.now),
    ...over,
  };
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`INSERT INTO sms_account (provider_id, customer_id, country, phone_number, full_number, enabled,
      verified_at, created_at, updated_at)
      VALUES (${world.harbour}, ${customer}, 'CA', '416', ${given.full_number}, ${given.enabled}, ${given.verified_at},
        ${given.created_at}, ${given.updated_at})`),
  );
  return given.full_number;
}

const content = (over: object) => ({
  message: 'Dear {{customer.first_name|friend}}, come to the pier.',
  use_case: 'marketing',
  channel: 'email',
  subject: 'News from {{business.name}}',
  ...over,
});

/** Creates a draft and returns it. */
export async function draft(world: World, over: object): Promise<any> {
  const made = await world.post(BROADCASTS, { as: world.machine, body: content(over) });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

export const send = (
  world: World,
  { id, message, use_case, channel, subject }: any,
  { over = {}, as = world.machine, query = '' } = {},
): Promise<ApiAnswer> =>
  world.post(`${BROADCASTS}/${id}/send${query}`, { as, body: { message, use_case, channel, subject, ...over } });

/** Creates a draft, sends it, and returns the response. */
export async function sent(world: World, over: object, as?: string): Promise<any> {
  const answer = await send(world, await draft(world, over), { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

export const read = async (world: World, id: number): Promise<any> =>
  (await world.get(`${BROADCASTS}/${id}?expand=delivery_counts`, { as: world.machine })).body;

export const becomes = (world: World, id: number, status: string): Promise<any> =>
  until(`broadcast ${id} is ${status}`, async () =>
    (await read(world, id)).status === status ? read(world, id) : null,
  );

/** Returns the feed items of a broadcast, in order. */
export const told = (world: World, id: number): Promise<string[]> =>
  world.work(world.harbour, async ({ tx }) =>
    (
      await tx.rows<{ kind: string }>(
        sql`SELECT kind FROM feed_item WHERE provider_id = ${world.harbour} AND object = 'broadcast_message'
          AND object_id = ${id} ORDER BY id`,
      )
    ).map((i) => i.kind.split('.')[1]),
  );

/** Returns the messages of a broadcast by customer. */
export const messagesOf = (world: World, id: number): Promise<Map<number, any>> =>
  world.work(world.harbour, async ({ tx }) => {
    const rows = await tx.rows(
      sql`SELECT customer_id, status, reason, send_at, sent_at, text_part, recipient FROM message
        WHERE provider_id = ${world.harbour} AND broadcast_id = ${id}`,
    );
    return new Map(rows.map((m) => [m.customer_id, m]));
  });
