/**
 * The scene of payments by card: callers pay, cancel and refund while the bank decides, its messages arrive in any
 * order, twice or never, and engines ask it. What came of it is compared once nothing is in progress any more.
 */
import assert from 'node:assert/strict';
import { chance } from '../storm.ts';
import { contradictions, type Charge, type Purchase } from './model/till.ts';
import { driveAll } from '../../areas/money/payments/engine.ts';
import { newProduct } from '../../areas/commerce/store/test/seeds.ts';
import { openPaymentContext, type Outside } from '../../areas/money/payments/context.ts';
import { ownContext } from '../own-context.ts';
import { play, type SandboxEvent } from '../../areas/money/payments/sandbox/play.ts';
import { Problem } from '../../kernel/base/problem.ts';
import { readProcessor } from '../../areas/money/payments/rows.ts';
import { signatureOf, SIGNATURE } from '../../areas/money/payments/sandbox/sandbox.ts';
import { sql, type Sql } from '../../kernel/base/db/sql.ts';
import { takeMessage } from '../../areas/money/payments/take-message.ts';
import { newCustomers } from '../schedule-world.ts';
import { cents, decimal, type Scene } from './scene.ts';

interface Till {
  readonly price: number;
  readonly purchases: number;
  /** seed of the messages that never arrive */
  readonly lost: number;
}

type TillStep =
  | { readonly do: 'pay'; readonly purchase: number; readonly scenario: string }
  | { readonly do: 'cancel'; readonly purchase: number }
  | { readonly do: 'refund'; readonly purchase: number; readonly amount: number }
  | { readonly do: 'bank'; readonly purchase: number; readonly event: SandboxEvent }
  | { readonly do: 'deliver'; readonly message: number; readonly times: number }
  | { readonly do: 'drive' }
  /** returns the status of the checkout */
  | { readonly do: 'look'; readonly purchase: number };

const SCENARIOS = ['success', 'success', 'declined', 'extra_step', 'late', 'late_silent', 'unheard', 'refund_pending'];
const EVENTS = ['succeed', 'succeed', 'fail', 'complete_refunds'] as const;
const DAY_MS = 86_400_000;
/** After this many days, the service has asked about everything. */
const DAYS = 9;

export const TILL: Scene<Till, TillStep> = {
  name: 'till',
  model: null,
  start: (dice) => ({ price: 1000, purchases: 3, lost: dice.below(1_000_000) }),
  step(dice, { purchases }) {
    const [purchase, roll] = [dice.below(purchases), dice.below(100)];
    if (roll < 35) return { do: 'pay', purchase, scenario: dice.of(SCENARIOS) };
    if (roll < 43) return { do: 'cancel', purchase };
    if (roll < 55) return { do: 'refund', purchase, amount: 100 + 100 * dice.below(5) };
    if (roll < 70) return { do: 'bank', purchase, event: dice.of(EVENTS) };
    if (roll < 85) return { do: 'deliver', message: dice.below(10), times: 1 + dice.below(2) };
    return { do: 'drive' };
  },
  async prepare(stage, { price, purchases, lost }) {
    const { world } = stage;
    const rows = <T extends object>(query: Sql): Promise<T[]> =>
      world.work(world.harbour, ({ tx }) => tx.rows<T & Record<string, unknown>>(query)) as Promise<T[]>;
    const card = await stage.card();
    const { variant } = await newProduct(world, { stock: purchases, price: decimal(price) });
    const customers = await newCustomers(world, purchases);
    const checkouts: string[] = [];
    for (const customer of customers) {
      const { id } = await stage.made('POST', '/checkouts', { customer });
      await stage.made('POST', `/checkouts/${id}/add_item`, { store_product_variant: variant });
      checkouts.push(id);
    }
    const wasSold = customers.map(() => false);
    const refunded = customers.map(() => 0);
    const processor = (await world.work(world.harbour, ({ tx }) =>
      readProcessor({ tx, providerId: world.harbour }, card),
    ))!;
    const serverOf = (caller: number) => stage.servers[caller % stage.servers.length].app!;
    const outsideOf = async (caller: number): Promise<Outside> => {
      const { db, registry, installation } = serverOf(caller);
      const { now } = world;
      const tenant = (await ownContext({ app: serverOf(caller), now }).tenants.of(world.harbour))!;
      return { db, registry, installation, tenant, now };
    };
    const drive = (caller: number) => driveAll(ownContext({ app: serverOf(caller), now: world.now }));
    /** Payments of a purchase, the latest first. */
    const paymentsOf = (purchase: number) =>
      rows<{ id: number; status: string }>(
        sql`SELECT id, status FROM payment WHERE provider_id = ${world.harbour} AND payee = 'checkout'
          AND payee_id = ${Number(checkouts[purchase])} ORDER BY id DESC`,
      );
    /** Takes the messages from the sandbox, so that only the scene delivers them. */
    const takeMessages = () =>
      rows(sql`UPDATE sandbox_message SET next_at = NULL WHERE provider_id = ${world.harbour} AND next_at IS NOT NULL`);
    const [{ first }] = await rows<{ first: number }>(
      sql`SELECT coalesce(max(id), 0)::bigint AS first FROM sandbox_message WHERE provider_id = ${world.harbour}`,
    );
    const messages = () =>
      rows<{ id: number; body: string }>(
        sql`SELECT id, body FROM sandbox_message WHERE provider_id = ${world.harbour} AND id > ${first} ORDER BY id`,
      );
    const deliver = async (caller: number, { id, body }: { id: number; body: string }): Promise<void> => {
      const outside = await outsideOf(caller);
      const raw = Buffer.from(JSON.stringify({ id: `sandbox_message_${id}`, ...JSON.parse(body) }));
      const headers = { [SIGNATURE]: signatureOf(openPaymentContext(outside, processor), raw) };
      const taken = await takeMessage(outside, card, { body: raw, headers });
      assert.ok(taken === 'applied' || taken === 'known', taken);
    };
    /** Plays an event, if it can happen now. */
    const happen = async (caller: number, payment: number, event: SandboxEvent): Promise<boolean> => {
      const context = openPaymentContext(await outsideOf(caller), processor);
      return play(context, `payment-${payment}`, event).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem) return false;
          throw error;
        },
      );
    };
    const act = async (step: TillStep, caller: number): Promise<string | null> => {
      const ask = (method: string, path: string, body?: object) => stage.ask(caller, method, path, body);
      switch (step.do) {
        case 'pay': {
          const { purchase, scenario } = step;
          const answer = await ask('POST', `/checkouts/${checkouts[purchase]}/pay`, {
            payment_processor: card,
            scenario,
          });
          assert.ok(answer.status < 500, answer.text);
          if (answer.body.status === 'completed') wasSold[purchase] = true;
          return answer.body.status ?? answer.body.code;
        }
        case 'cancel': {
          const answer = await ask('DELETE', `/checkouts/${checkouts[step.purchase]}`);
          assert.ok(answer.status < 500, answer.text);
          return answer.status < 300 ? 'cancelled' : answer.body.code;
        }
        case 'refund': {
          const [payment] = await paymentsOf(step.purchase);
          if (!payment) return null;
          const body = { amount: decimal(step.amount), reason: 'You were ill.' };
          const answer = await ask('POST', `/payments/${payment.id}/refund`, body);
          assert.ok(answer.status < 500, answer.text);
          if (answer.status < 300) refunded[step.purchase] += step.amount;
          return answer.status < 300 ? 'refunded' : answer.body.code;
        }
        case 'bank': {
          const [payment] = await paymentsOf(step.purchase);
          return payment && (await happen(caller, payment.id, step.event)) ? step.event : null;
        }
        case 'deliver': {
          await takeMessages();
          const all = await messages();
          if (all.length === 0) return null;
          const one = all[step.message % all.length];
          await Promise.all(Array.from({ length: step.times }, (_, n) => deliver(caller + n, one)));
          return `delivered ${one.id}`;
        }
        case 'drive':
          await takeMessages();
          await drive(caller);
          return 'driven';
        case 'look': {
          const answer = await ask('GET', `/checkouts/${checkouts[step.purchase]}`);
          return answer.body.status ?? answer.body.code;
        }
      }
    };
    /** The bank decides, other messages arrive or are lost, and the service asks until it knows everything. */
    const end = async (): Promise<void> => {
      const dice = chance(lost);
      for (let purchase = 0; purchase < purchases; purchase++)
        for (const { id } of await paymentsOf(purchase)) await happen(0, id, dice.of(['succeed', 'fail']));
      await takeMessages();
      for (const one of (await messages()).toReversed()) if (dice.below(3) > 0) await deliver(dice.below(2), one);
      for (let day = 0; day < DAYS; day++) {
        for (let purchase = 0; purchase < purchases; purchase++)
          for (const { id } of await paymentsOf(purchase)) await happen(0, id, 'complete_refunds');
        await takeMessages();
        world.setNow(world.now + DAY_MS);
        // Two engines at a time, as of two processes.
        while ((await Promise.all([drive(0), drive(1)])).includes(true)) await takeMessages();
      }
    };
    return Object.assign(act, {
      async ended(): Promise<readonly string[]> {
        await end();
        const all: Purchase[] = [];
        for (const [n, id] of checkouts.entries()) {
          const payments = (await paymentsOf(n)).map((payment) => payment.id);
          const { body } = await stage.ask(0, 'GET', `/checkouts/${id}`);
          const { body: bills } = await stage.ask(0, 'GET', `/invoices?payer=${customers[n]}`);
          all.push({
            price,
            status: body.status,
            invoices: bills.results
              .filter((one: any) => !one.is_credit_note)
              .map((one: any) => ({ total: cents(one.total_amount_due), due: cents(one.outstanding_amount) })),
            refunded: refunded[n],
            wasSold: wasSold[n],
            charges: await rows<Charge>(
              sql`SELECT c.state, c.amount_minor::int AS amount, (SELECT coalesce(sum(r.amount_minor), 0)::int
                  FROM sandbox_refund r WHERE r.provider_id = c.provider_id AND r.charge_id = c.id
                    AND r.state <> 'failed') AS returned
                FROM sandbox_charge c WHERE c.provider_id = ${world.harbour}
                  AND c.key = ANY(${payments.map((payment) => `payment-${payment}`)}::text[])`,
            ),
          });
        }
        const { body } = await stage.ask(0, 'GET', `/store/product_variants/${variant}?fields=stock`);
        return contradictions(all, { before: purchases, after: body.stock });
      },
    });
  },
};
