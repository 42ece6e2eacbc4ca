/** Limits on what the changes of an assistant do in a day. Pure. */
import { counted, effectAmount, peopleIn, type EffectLike } from './effect-lines.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';

/** Money in minor units. */
export interface Use {
  readonly messages: number;
  readonly amount: number;
}

/** Null: no limit. Money in minor units. */
export interface DailyLimits {
  readonly messages: number | null;
  readonly amount: number | null;
}

const SENDS = new Set(['message_sent', 'notice_sent', 'invitations_sent', 'send', 'schedule']);

/** A broadcast is one effect, with its number of recipients. */
const messagesIn = (effect: EffectLike): number => {
  const { recipients } = effect.detail;
  return typeof recipients === 'number' ? recipients : peopleIn(effect);
};

/** Effects that move money. Those of sales and invoices repeat the amount of a payment. */
const MOVES_MONEY = new Set(['payment', 'refund', 'credit', 'charge', 'price_given_back', 'session_credited']);

function amountMoved(effect: EffectLike, currency: string): number {
  const amount = Math.abs(effectAmount(effect, currency) ?? 0);
  if (effect.effect !== 'credit_note') return MOVES_MONEY.has(effect.effect) ? amount : 0;
  // The rest is an effect of its own: the refund.
  return amount - (parseDecimal(`${effect.detail.to_refund}`, currency) ?? 0);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Returns what a change with these effects does. Money in and money out both count. */
export const countUse = (effects: readonly EffectLike[], currency: string): Use => ({
  messages: sum(
    counted(effects)
      .filter(({ effect }) => SENDS.has(effect))
      .map(messagesIn),
  ),
  amount: sum(effects.map((effect) => amountMoved(effect, currency))),
});

/** Returns the limit that a change would exceed; null: none. A change that uses nothing is never refused. */
export function exceededLimit(limits: DailyLimits, used: Use, added: Use): keyof Use | null {
  const exceeds = (name: keyof Use): boolean =>
    added[name] > 0 && limits[name] !== null && used[name] + added[name] > limits[name];
  return exceeds('messages') ? 'messages' : exceeds('amount') ? 'amount' : null;
}
