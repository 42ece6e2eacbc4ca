/** Shows the consequences of a hold or an end to the person who has to agree to them. */
import { amountIn, dateIn, momentIn } from '../../../../kernel/base/languages/times.ts';
import type { AccountWritten as Written, Business } from '../../frame/index.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

export type Follows =
  | { readonly what: 'moved'; readonly from: string; readonly to: string }
  | {
      readonly what: 'credit' | 'charge' | 'credit_voided' | 'charge_voided';
      /** in minor units */
      readonly amount: number;
      readonly dueOn: string | null;
    }
  | {
      readonly what: 'booking_cancelled' | 'booking_kept';
      readonly name: string;
      readonly startsAt: number;
      readonly zone: string;
    };

/** Returns one line of the preview. */
export function followsText({ site }: Visit<Business>, { say, reader }: Written, follows: Follows): string {
  switch (follows.what) {
    case 'moved':
      return say('hold.moved', { from: dateIn(reader.locale, follows.from), to: dateIn(reader.locale, follows.to) });
    case 'booking_cancelled':
    case 'booking_kept':
      return say(`hold.${follows.what}`, {
        name: follows.name,
        when: momentIn(reader.locale, follows.startsAt, follows.zone),
      });
    default: {
      const amount = amountIn(reader.locale, { minor: follows.amount, currency: site.tenant.currency });
      const when = follows.dueOn === null ? '' : dateIn(reader.locale, follows.dueOn);
      return say(`hold.${follows.what}`, follows.dueOn === null ? { amount } : { amount, when });
    }
  }
}
