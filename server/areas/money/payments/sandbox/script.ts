/** Endpoint that triggers events at the sandbox: what a bank or a customer would do. */
import { answer, outside, staffWith, type OutsideCall } from '../../../../kernel/api/endpoint.ts';
import { openPaymentContext } from '../context.ts';
import { deliverMessages } from './messages.ts';
import { EVENTS, play, type SandboxEvent } from './play.ts';
import { id, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { notFound, Problem } from '../../../../kernel/base/problem.ts';
import { PAYMENT_STATES } from '../rules/states.ts';
import { readPayment, readProcessor } from '../rows.ts';

const NAME = 'POST /sandbox/payments/{id}';
const names = Object.keys(EVENTS) as SandboxEvent[];

async function find({ db, tenant: { providerId } }: OutsideCall, text: string) {
  const payment = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
  return db.looking(providerId, async (tx) => {
    const row = await readPayment({ tx, providerId }, payment);
    if (!row) throw notFound();
    return { row, processor: (await readProcessor({ tx, providerId }, row.payment_processor_id))! };
  });
}

export const sandboxEndpoints = [
  outside({
    path: '/sandbox/payments/{id}',
    summary: 'Let something happen to a payment of the sandbox',
    description: 'Does what a bank or a customer would do. Only for payments of a processor of the kind `sandbox`.',
    who: staffWith('super_admin'),
    dryRun: 'It happens at the sandbox, which is a service of its own.',
    body: {
      event: oneOf(names).describe(names.map((name) => `\`${name}\`: ${EVENTS[name]}`).join(' ')),
      message: oneOf(['sent', 'lost'])
        .default('sent')
        .describe('`lost`: the sandbox sends no message about it, so the service learns of it only when it asks.'),
    },
    problems: ['conflict', 'not_found'],
    returns: answer({ payment: id(), status: oneOf(PAYMENT_STATES) }),
    run: async (call) => {
      const { row, processor } = await find(call, call.params.id);
      if (processor.kind !== 'sandbox') throw new Problem('conflict', 'This is not a payment of the sandbox.');
      await play(
        openPaymentContext(call, processor),
        `payment-${row.id}`,
        call.body.event,
        call.body.message === 'lost',
      );
      const { event, message } = call.body;
      await call.transact(async (work) =>
        work.audit({ action: NAME, object: 'payment', objectId: row.id, before: null, after: { event, message } }),
      );
      await deliverMessages(call, processor.id);
      const { row: after } = await find(call, call.params.id);
      return { payment: after.id, status: after.status };
    },
  }),
];
