/** Sends signed webhooks to a sink as the service does, without a database: `bare-sender.ts URL N AT_ONCE`. */
import { bodyOf, headersOf, type Due } from '../../server/areas/platform/webhooks/engine/message.ts';
import { Outbound } from '../../server/kernel/base/http-out/outbound.ts';
import { randomBytes, randomUUID } from 'node:crypto';
// Declares the kinds of feed items.
import '../../server/app.ts';

const [url, n, atOnce] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const outbound = new Outbound({ allow: ['127.0.0.1/32'] });
const secrets = [randomBytes(32)];
let sent = 0;

async function send(): Promise<void> {
  while (sent < n) {
    const seq = ++sent;
    const now = Date.now();
    const due: Due = {
      id: seq,
      seq,
      kind: 'customer.created',
      message_id: randomUUID(),
      attempts: 0,
      failures: 0,
      body: null,
      created_at: now,
      object: 'customer',
      object_id: seq,
      payload: { customer: seq },
      occurred_at: now,
    };
    const body = bodyOf(due, 1, 'America/Toronto')!;
    const { status } = await outbound.send({
      url: `${url}/${seq % 4}`,
      headers: headersOf(due, body, secrets, ['service'], now),
      body,
    });
    if (status !== 204) throw new Error(`the sink answers ${status}`);
  }
}

const begin = Date.now();
await Promise.all(Array.from({ length: atOnce }, send));
process.send!((n * 1000) / (Date.now() - begin));
outbound.close();
process.disconnect!();
