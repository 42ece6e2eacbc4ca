/**
 * Two businesses of the service, each with its own Stripe account at the stand-in, and a payee: a payment is put on the
 * customer's account, unless the object is no longer available.
 */
import { driveAll } from '../../engine.ts';
import { keepMethod } from '../../keep-method.ts';
import { ownContext } from '../../../../../test/own-context.ts';
import { payees, type Payee } from '../../payees.ts';
import { post } from '../../../ledger/index.ts';
import { sql } from '../../../../../kernel/base/db/sql.ts';
import { startPayment, type NewPayment } from '../../start.ts';
import { startWorld, type World } from '../../../../../test/world.ts';
import { StripeStandIn } from './stand-in.ts';
import { tokenOf } from '../methods.ts';
import { tryPayment } from '../../sync.ts';
import type { Account } from './account.ts';
import type { CardName } from './cards.ts';
import type { Messages } from './messages.ts';
import type { Outside } from '../../context.ts';
import type { PaymentRow } from '../../rows.ts';
import { DEFAULT_WORDS } from '../../../../../kernel/base/values/words.ts';

export interface Business {
  readonly provider: number;
  /** machine token */
  readonly token: string;
  readonly key: string;
  readonly secret: string;
  /** id of the payment processor */
  readonly processor: number;
  readonly account: Account;
  readonly messages: Messages;
  readonly customer: number;
}

/** A payee that sells objects, and refuses the money for those that are sold out. */
export class Shop implements Payee {
  readonly name = 'test_shop';
  readonly description = 'What tests sell.';
  readonly resource = 'customer';
  /** ids of the objects that are no longer available */
  readonly soldOut = new Set<number>();
  /** number of calls of `paid`, by the id of the payment */
  readonly paidFor = new Map<number, number>();
  readonly failedFor = new Map<number, number>();
  /** number of the next calls that end as if the process had been killed */
  crashes = 0;

  async lock(): Promise<void> {
    if (this.crashes > 0 && this.crashes-- > 0) throw new Error('killed');
  }

  async paid(...[work, payment]: Parameters<Payee['paid']>): ReturnType<Payee['paid']> {
    if (this.soldOut.has(payment.about)) return { taken: false, why: 'Somebody else was faster.' };
    await post(work, {
      kind: 'test_payment',
      about: { object: 'payment', id: payment.id },
      explanation: 'Paid.',
      lines: [
        { account: 'clearing', detail: String(payment.processor), amount: payment.amount },
        { account: 'unapplied', customer: payment.payer, amount: -payment.amount },
      ],
    });
    this.paidFor.set(payment.id, (this.paidFor.get(payment.id) ?? 0) + 1);
    return { taken: true };
  }

  async failed(...[, payment]: Parameters<Payee['failed']>): Promise<void> {
    this.failedFor.set(payment.id, (this.failedFor.get(payment.id) ?? 0) + 1);
  }

  async giveBack(...[, payment]: Parameters<Payee['giveBack']>): Promise<number> {
    return payment.id;
  }
}

export class StripeWorld {
  readonly world: World;
  readonly standIn: StripeStandIn;
  readonly shop: Shop;
  readonly harbour: Business;
  readonly meadow: Business;

  private constructor(world: World, standIn: StripeStandIn, shop: Shop, harbour: Business, meadow: Business) {
    this.world = world;
    this.standIn = standIn;
    this.shop = shop;
    this.harbour = harbour;
    this.meadow = meadow;
  }

  static async start(): Promise<StripeWorld> {
    const world = await startWorld({ own: true, env: { OUTBOUND_ALLOW: '127.0.0.1/32' } });
    const standIn = world.closing(await new StripeStandIn().listen());
    standIn.now = () => world.now;
    const shop = new Shop();
    const harbour = await connect(world, standIn, world.harbour, world.machine, 'harbour');
    const meadow = await connect(world, standIn, world.meadow, world.meadowMachine, 'meadow');
    const made = new StripeWorld(world, standIn, shop, harbour, meadow);
    made.sell();
    return made;
  }

  /** Connects the payee. Creating a registry connects the areas of the service, so call this afterwards. */
  sell(): void {
    payees.connect([...payees.items.filter(({ name }) => name !== this.shop.name), this.shop]);
  }

  close(): Promise<void> {
    return this.world.close();
  }

  get both(): readonly Business[] {
    return [this.harbour, this.meadow];
  }

  outside({ provider }: Business): Outside {
    const { db, registry, installation } = this.world.app;
    const currency = provider === this.world.harbour ? 'CAD' : 'GBP';
    const zone = provider === this.world.harbour ? 'America/Toronto' : 'Europe/London';
    return {
      db,
      registry,
      installation,
      tenant: { providerId: provider, zone, currency, words: DEFAULT_WORDS },
      now: this.world.now,
    };
  }

  /** Starts a payment, calls Stripe once, and returns its id. */
  async begin(business: Business, over: Partial<NewPayment> = {}): Promise<number> {
    const id = await this.start(business, over);
    await tryPayment(this.outside(business), id);
    return id;
  }

  /** Saves a card, as if from an earlier payment of the customer. Returns the id of the method. */
  async saveCard({ provider, processor, account, customer }: Business, name: CardName): Promise<number> {
    const saved = account.saveCard(name);
    const token = tokenOf(saved.customer, saved.method);
    const id = await this.world.work(provider, (work) =>
      keepMethod(
        work,
        { customer_id: customer, payment_processor_id: processor },
        { type: 'credit_card', token, ownerToken: saved.customer },
      ),
    );
    return id!;
  }

  /** Starts a payment without calling Stripe: writes only the row. */
  start(business: Business, over: Partial<NewPayment> = {}): Promise<number> {
    return this.world.work(business.provider, (work) =>
      startPayment(work, {
        processor: business.processor,
        payer: business.customer,
        amount: 2500,
        payee: { name: this.shop.name, id: 1 },
        description: 'Yoga on Monday',
        returnTo: 'https://book.example.com/back',
        cancelTo: 'https://book.example.com/gave-up',
        ...over,
      }),
    );
  }

  async row({ provider }: Business, id: number): Promise<PaymentRow> {
    const rows = await this.rows<PaymentRow>(provider, 'payment', id);
    return rows[0];
  }

  rows<T extends Record<string, unknown>>(
    provider: number,
    table: 'payment' | 'payment_refund' | 'payment_dispute',
    payment: number,
  ) {
    return this.world.app.db.looking(provider, (tx) =>
      tx.rows<T>(
        table === 'payment'
          ? sql`SELECT * FROM payment WHERE provider_id = ${provider} AND id = ${payment}`
          : table === 'payment_refund'
            ? sql`SELECT * FROM payment_refund WHERE provider_id = ${provider} AND payment_id = ${payment} ORDER BY id`
            : sql`SELECT * FROM payment_dispute WHERE provider_id = ${provider} AND payment_id = ${payment}
              ORDER BY id`,
      ),
    );
  }

  /** Processes everything that is due now, until nothing is. */
  async drive(): Promise<void> {
    const own = ownContext(this.world);
    while (await driveAll(own));
  }

  /** Moves the time, and processes all that becomes due. */
  async pass(ms: number): Promise<void> {
    this.world.setNow(this.world.now + ms);
    await this.drive();
  }

  /** Returns the balance at Stripe by our ledger, in minor units. */
  async clearing({ provider, processor }: Business): Promise<number> {
    const found = await this.world.app.db.looking(provider, (tx) =>
      tx.one<{ amount: number }>(
        sql`SELECT coalesce(sum(amount_minor), 0)::bigint AS amount FROM ledger_line
            WHERE provider_id = ${provider} AND account = 'clearing' AND detail = ${String(processor)}`,
      ),
    );
    return found!.amount;
  }
}

/** Returns the balance of a business at Stripe: payments, less refunds and disputes. */
export function moneyAt({ objects }: Account): number {
  const sum = (object: string, amount: string, where: (one: Record<string, any>) => boolean) =>
    objects.all(object, where).reduce((all, one) => all + one[amount], 0);
  return (
    sum('charge', 'amount', () => true) -
    sum('refund', 'amount', ({ status }) => status !== 'failed') -
    sum('dispute', 'amount', ({ status }) => status !== 'won')
  );
}

async function connect(
  world: World,
  standIn: StripeStandIn,
  provider: number,
  token: string,
  name: string,
): Promise<Business> {
  const key = `sk_test_${name}0000000000`;
  const secret = `whsec_${name}0000000000`;
  const { body } = await world.post('/payment_processors', {
    as: token,
    body: {
      kind: 'stripe',
      name: 'Card',
      settings: { secret_key: key, webhook_secret: secret, api_url: standIn.url },
    },
  });
  const account = standIn.account(key);
  const messages = standIn.messages(key);
  messages.endpoints.push({ url: `${world.url}/payment_messages/${provider}/${body.id}`, secret });
  const customer = await world.newCustomer({}, provider);
  return { provider, token, key, secret, processor: body.id, account, messages, customer };
}
