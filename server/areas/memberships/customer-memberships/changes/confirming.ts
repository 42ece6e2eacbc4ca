/** The payments that are still due after a cancellation, and the confirmations that customers keep. */
import { billedAhead } from '../renewals/rules/renewal.ts';
import { ENDING_NOTICES } from './notice-types.ts';
import { ENDINGS } from './messages.ts';
import { expectBills } from '../billers.ts';
import { goesOn } from '../rules/status.ts';
import { priceLines, type LineToPrice } from '../../../pricing/fees/index.ts';
import { readOwned, type Owned } from '../owned.ts';
import { renewing } from '../renewals/renew.ts';
import { spokenAmount, spokenDateIn } from '../../../../kernel/base/languages/spoken.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { NoticeValues } from '../../../../kernel/work/unit/notices.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A payment that is due: its day, and its amount in minor units, including fees and taxes. */
interface Payment {
  readonly due_date: string;
  readonly amount_minor: number;
}

const totalOf = (line: LineToPrice): number => priceLines([line]).lines[0].total;

/**
 * Returns the payments until the last day: those of periods that have begun and are not billed yet, and of later ones.
 */
async function paymentsLeft(work: Work, owned: Owned): Promise<Payment[]> {
  if (owned.renews_on === null || !goesOn(owned)) return [];
  const { due, line } = await expectBills(work, owned.id);
  const begun = [...due].map(([start, price]) => ({ due_date: start, amount_minor: totalOf(line(start, price, 0)) }));
  const later = [...billedAhead(renewing(owned))].map(({ period: { start } }, ahead) => ({
    due_date: start,
    amount_minor: totalOf(line(start, owned.billed_price_minor, ahead)),
  }));
  return [...begun, ...later].filter(({ amount_minor: amount }) => amount > 0);
}

/** Returns the amount that is due on this day, including fees and taxes. */
export async function nextPayment(work: Work, owned: Owned, on: string): Promise<number> {
  const payment = (await paymentsLeft(work, owned)).find(({ due_date }) => due_date === on);
  return payment?.amount_minor ?? owned.billed_price_minor;
}

/** Reports the payments that are still due, and sends a customer who cancelled their membership a confirmation. */
export async function confirmCancelled(work: Work, id: number): Promise<void> {
  const owned = await readOwned(work, id);
  const payments = await paymentsLeft(work, owned);
  for (const payment of payments) work.effect('payment_due', 'customermembership', id, { ...payment });
  await confirm(work, owned, 'ends', (reader) => ({
    'membership.last_day': spokenDateIn(reader, owned.expiration_date!),
    payments: paymentsIn(work, reader, payments),
  }));
}

export async function confirmReactivated(work: Work, id: number): Promise<void> {
  const owned = await readOwned(work, id);
  const [next] = await paymentsLeft(work, owned);
  await confirm(work, owned, 'continues', (reader) => ({ payments: nextIn(work, reader, next) }));
}

async function confirm(
  work: Work,
  owned: Owned,
  what: keyof typeof ENDING_NOTICES,
  values: (reader: Reader) => NoticeValues,
): Promise<void> {
  if (work.viewer.mode !== 'customer') return;
  const { providerId, installation, tx } = work;
  const { name } = (await tx.one<{ name: string }>(
    sql`SELECT name FROM membership WHERE provider_id = ${providerId} AND id = ${owned.membership_id}`,
  ))!;
  await work.registry.notifier.notify(work, [
    {
      type: ENDING_NOTICES[what],
      customer: owned.customer_id,
      key: `${owned.id}:${work.now}`,
      values: (reader) => ({
        'membership.name': name,
        'membership.url': `${installation.baseUrl}/account/${providerId}/profile/memberships/${owned.id}/end`,
        ...values(reader),
      }),
    },
  ]);
}

const paymentTexts = (work: Work, reader: Reader, { due_date: day, amount_minor: minor }: Payment) => ({
  amount: spokenAmount(reader, { minor, currency: work.tenant.currency }),
  day: spokenDateIn(reader, day),
});

function paymentsIn(work: Work, reader: Reader, payments: readonly Payment[]): string {
  const say = ENDINGS.for(reader, work.tenant.words);
  const last = payments.at(-1);
  if (last === undefined) return say('payments.none');
  return say('payments.last', { n: payments.length, ...paymentTexts(work, reader, last) });
}

const nextIn = (work: Work, reader: Reader, next: Payment | undefined): string => {
  const say = ENDINGS.for(reader, work.tenant.words);
  return next === undefined ? say('payments.none') : say('payments.next', paymentTexts(work, reader, next));
};
