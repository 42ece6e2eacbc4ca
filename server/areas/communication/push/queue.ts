/** Queues messages to devices, in the transaction of their occasion; an engine sends them. */
import { communicationSettings } from '../messages/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface PushMessage {
  readonly customer: number;
  readonly title: string;
  readonly text: string;
  /** address that it opens: a page of this installation */
  readonly url: string;
  /** epoch milliseconds: after that, it is no longer news, and is not sent */
  readonly until: number;
  /** identifies the message, unique at the business: a device gets it once */
  readonly key: string;
}

const MAX_TITLE = 100;
const MAX_TEXT = 400;

/** Queues messages for all devices of these customers on which they agreed to it, if the business allows it. */
export async function queuePush(work: Work, all: readonly PushMessage[]): Promise<void> {
  if (all.length === 0 || !(await communicationSettings(work)).push_notifications) return;
  const of = <K extends keyof PushMessage>(name: K): PushMessage[K][] => all.map((one) => one[name]);
  await work.tx.run(sql`
    INSERT INTO push_message (provider_id, token_id, key, title, body, url, due_at, expires_at)
    SELECT p.provider_id, p.id, m.key, m.title, m.body, m.url, ${instant(work.realNow)}::timestamptz, m.until
    FROM unnest(${of('customer')}::bigint[], ${of('key')}::text[],
      ${of('title').map((title) => title.slice(0, MAX_TITLE))}::text[],
      ${of('text').map((text) => text.slice(0, MAX_TEXT))}::text[], ${of('url')}::text[],
      ${of('until').map((at) => instant(at))}::timestamptz[])
      AS m (customer, key, title, body, url, until)
    JOIN push_notification_token p ON p.provider_id = ${work.providerId} AND p.customer_id = m.customer AND p.enabled
    ORDER BY p.id, m.key
    ON CONFLICT (provider_id, token_id, key) DO NOTHING`);
}
