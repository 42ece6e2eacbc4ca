/** The connection test of a payment processor. */
import { answer, outside, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, instant, listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { openPaymentContext } from './context.ts';
import { processorOf } from './processors.ts';
import { readProcessor } from './rows.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ProcessorRow } from './rows.ts';

const idIn = (path: string): number => (/^[1-9]\d{0,14}$/.test(path) ? Number(path) : 0);

export const checkProcessor = outside({
  path: '/payment_processors/{id}/check',
  summary: 'Test the connection to a payment processor',
  description:
    'Asks the payment processor whether the key works, whether the account takes payments, and what customers can pay with there. Changes nothing.',
  who: staffWith('super_admin'),
  dryRun: 'It asks another service and changes nothing.',
  body: {},
  problems: ['conflict', 'not_found'],
  returns: answer({
    works: boolean().describe('The payment processor accepts the key.'),
    explanation: text().nullable().describe('Why it doesn’t work. Null if it does.'),
    account: text().nullable().describe('Name of the account there.'),
    is_test: boolean().describe('No money moves.'),
    takes_payments: boolean().describe('The account is set up to take payments.'),
    payment_methods: listOf(
      object({
        method: text().describe('As the payment processor calls it.'),
        name: text(),
        is_saved: boolean().describe(
          'It can be saved for later payments. For direct debits, the customer gives a mandate for them.',
        ),
      }),
    ).describe('Ways to pay for customers. They are set at the payment processor.'),
    has_webhook_secret: boolean().describe('Messages of the payment processor are accepted.'),
    last_message_at: instant().nullable().describe('When the last message of the payment processor arrived.'),
  }),
  run: async (call) => {
    const { db, tenant } = call;
    const { providerId } = tenant;
    const { row, last } = await db.looking(providerId, async (tx) => ({
      row: await readProcessor({ tx, providerId }, idIn(call.params.id)),
      last: await tx.one<{ at: number }>(sql`
        SELECT (extract(epoch FROM received_at) * 1000)::float8 AS at FROM payment_message
        WHERE provider_id = ${providerId} AND payment_processor_id = ${idIn(call.params.id)} ORDER BY id DESC LIMIT 1`),
    }));
    if (!row) throw notFound();
    const processor = processorOf((row as ProcessorRow).kind);
    if (processor.immediate)
      throw new Problem('conflict', 'Staff record these payments, so there is no connection to test.');
    const { works, why, account, isTest, takesPayments, methods } = await processor.check(
      openPaymentContext(call, row),
    );
    return {
      works,
      explanation: why,
      account,
      is_test: isTest,
      takes_payments: takesPayments,
      payment_methods: methods.map(({ key, name, isSaved }) => ({ method: key, name, is_saved: isSaved })),
      has_webhook_secret: row.secrets.some((name) => name !== 'secret_key'),
      last_message_at: last ? formatInstant(last.at, tenant.zone) : null,
    };
  },
});
