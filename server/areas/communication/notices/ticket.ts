/** Fields of a booking's email besides time and place: instructor, payment, cancellation deadline and links. */
import { amountIn, momentIn } from '../../../kernel/base/languages/times.ts';
import { bookingPath, readAhead } from '../../scheduling/schedule/index.ts';
import { paidBy, type PaidBy } from '../../commerce/checkouts/index.ts';
import { saying } from './messages.ts';
import { usesLeftOn } from '../../memberships/customer-memberships/index.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { EventFacts } from './event-facts.ts';
import type { NoticeValues } from '../../../kernel/work/unit/notices.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Reads what the email says, and returns it for a reader. */
export async function ticketOf(
  work: Work,
  event: EventFacts,
  customer: number,
): Promise<(reader: Reader) => NoticeValues> {
  const { tx, providerId, installation, tenant } = work;
  const paid = (await paidBy(tx, providerId, { event: event.id, customers: [customer], status: 'registered' })).get(
    customer,
  );
  const left = paid?.kind === 'visit' ? await leftOf(work, event, paid.customerMembership) : null;
  const lateFrom = (await readAhead(work, [event.id], customer)).get(event.id)?.lateFrom ?? event.starts_at;
  const page = `${installation.baseUrl}${bookingPath(installation.box, providerId, { event: event.id, customer })}`;
  return (reader) => {
    const say = saying(work, reader);
    return {
      paid: paid ? paidText(paid, left, { say, reader, currency: tenant.currency }) : null,
      receipt: hasReceipt(paid) ? say('receipt', { url: `${page}/receipt` }) : null,
      'cancel.until':
        // Cut-offs are whole minutes before the start: anything closer is none.
        event.starts_at - lateFrom < 60_000
          ? say('cancel.start')
          : work.now >= lateFrom
            ? say('cancel.late')
            : say('cancel.until', { until: momentIn(reader.locale, lateFrom, event.timezone) }),
      'cancel.url': page,
      'cancel.how': say('cancel.how', { url: page }),
      calendar: say('calendar', { url: `${page}/calendar.ics` }),
    };
  };
}

const leftOf = (work: Work, { offering_type, starts_at, timezone }: EventFacts, id: number): Promise<number | null> =>
  usesLeftOn(work, { id, offeringType: offering_type, on: wallAt(starts_at, timezone).date });

const hasReceipt = (paid: PaidBy | undefined): boolean => paid?.kind === 'price' && paid.invoice !== null;

function paidText(
  paid: PaidBy,
  left: number | null,
  {
    say,
    reader,
    currency,
  }: { readonly say: ReturnType<typeof saying>; readonly reader: Reader; readonly currency: string },
): string {
  if (paid.kind === 'unlimited') return say('paid.unlimited', { membership: paid.membership });
  if (paid.kind === 'visit') {
    const { membership } = paid;
    return left === null ? say('paid.unlimited', { membership }) : say('paid.visit', { membership, n: left });
  }
  return say(`paid.${paid.kind}`, { price: amountIn(reader.locale, { minor: paid.amount, currency }) });
}
