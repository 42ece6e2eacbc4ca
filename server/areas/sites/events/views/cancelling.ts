/** Texts about the cancellation deadline of a booking, and the consequences of a late cancellation. */
import { amountIn, dayIn, momentIn } from '../../../../kernel/base/languages/times.ts';
import { startOfDay } from '../../../../kernel/base/values/zone.ts';
import type { At } from '../../frame/index.ts';
import type { EventView, LateCancellation, Participant } from '../event-view.ts';
import type { Paid } from '../../../commerce/checkouts/index.ts';
import type { Written } from '../messages.ts';

interface Limit {
  /** time from which a cancellation counts as late, in epoch milliseconds */
  readonly lateFrom: number;
}

/** Returns true if there is a cut-off. Cut-offs are whole minutes before the start: anything closer is none. */
export const hasCutOff = ({ lateFrom }: Limit, { startsAt }: Pick<EventView, 'startsAt'>): boolean =>
  startsAt - lateFrom >= 60_000;

/** Returns the text for people who have not booked; null: the only limit is the start. */
export function cancelText(
  { say, reader }: Written,
  view: Pick<EventView, 'startsAt' | 'zone' | 'lateFrom'>,
  now: number,
  limit: Limit = view,
): string | null {
  if (!hasCutOff(limit, view)) return null;
  const until = momentIn(reader.locale, limit.lateFrom, view.zone);
  return say(now >= limit.lateFrom ? 'cancel.would_be_late' : 'cancel.until', { until });
}

/** Returns the texts for people who have booked: the deadline, and what a cancellation now returns or costs. */
export function whileBooked(one: Participant, view: EventView, { site, now }: At, written: Written): string[] {
  const { say, reader } = written;
  const money = one.paid && moneyText(one.paid, now < one.lateFrom ? 'back' : 'lost', site, written);
  const texts = (deadline: string) => (money === null ? [deadline] : [deadline, money]);
  if (!hasCutOff(one, view)) return texts(say('cancel.until_start'));
  const until = momentIn(reader.locale, one.lateFrom, view.zone);
  if (now < one.lateFrom) return texts(say('cancel.until', { until }));
  return texts([say('cancel.is_late', { until }), ...followsText(one.follows, site.tenant, written)].join(' '));
}

/** Returns what a cancellation returns (`back`) or loses (`lost`). */
export function moneyText(
  paid: Paid,
  how: 'back' | 'lost',
  { tenant: { currency } }: At['site'],
  { say, reader }: Written,
): string {
  return paid.kind === 'visit'
    ? say(`money.${how}_visit`, { membership: paid.membership })
    : say(`money.${how}_${paid.kind}`, { price: amountIn(reader.locale, { minor: paid.amount, currency }) });
}

function followsText(
  follows: LateCancellation | null,
  { zone, currency }: At['site']['tenant'],
  { say, reader }: Written,
): string[] {
  if (follows === null) return [];
  const { infractions: n, free, days, penalty } = follows;
  if (penalty === null) return [say('cancel.costs_nothing', { free, days, n })];
  const price = amountIn(reader.locale, { minor: penalty.amount, currency });
  return [say('cancel.costs', { price, day: dayIn(reader.locale, startOfDay(penalty.dueOn, zone), zone) })];
}
