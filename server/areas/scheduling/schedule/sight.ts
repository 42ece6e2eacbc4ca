/** Checks of what the viewer may see and change, before any rule of booking: for bookings and held seats. */
import { toAsker, type CustomerAround, type EventAround } from './bookings/facts.ts';
import { checkTeaches } from './attendance/marking.ts';
import { invalid, notFound, Problem } from '../../../kernel/base/problem.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { mayActForFamily } from '../../people/customers/index.ts';
import { payers } from './bookings/payer-port.ts';
import { resolveWindow } from './rules/window.ts';
import type { Place } from './rules/booking.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Permissions to book any event. */
export const BOOKS_EVERYWHERE = ['attendances', 'manage_events', 'pos'] as const;

/** A request for a seat for one customer. */
export interface Seeking {
  readonly work: Work;
  readonly customer: number;
  /** kind of place; absent for that of the customer's spot or held seat, or else one at the venue */
  readonly place?: Place;
  /** true if the seat is already held: all this was checked then */
  readonly held?: boolean;
  /** true if the program books for the customer, under the rules for customers without staff */
  readonly asCustomer?: boolean;
  /** true if the event was created for this request, which has checked the visibility of the offer */
  readonly made?: boolean;
  /**
   * true if the seat belongs to a purchase that is booked as a whole, such as a course: its area has checked its
   * visibility and its booking window, so neither is checked for each event
   */
  readonly part?: boolean;
}

/**
 * Returns true if staff rules apply: staff and machines can book events that customers can't see, and outside of the
 * window, except as part of a customer's own plan.
 */
export const byStaff = ({ work: { viewer }, asCustomer = false }: Seeking): boolean =>
  viewer.mode === 'provider' && !asCustomer;

/**
 * Returns true if requirements refuse the booking: staff, and plans that the program carries out without the customer,
 * book anyway. People with a seat settled them when they got it.
 */
export const mustSettle = ({ work: { viewer }, held = false }: Seeking): boolean => viewer.mode !== 'provider' && !held;

/** Returns all customers whose facts are needed: those who get the seats, and those who send the requests. */
export const involvedIn = (all: readonly Seeking[]): number[] => [
  ...new Set(
    all.flatMap(({ work: { viewer }, customer }) =>
      viewer.customerId === null ? [customer] : [customer, viewer.customerId],
    ),
  ),
];

export function refuseSight(
  around: EventAround,
  who: CustomerAround | undefined,
  seeking: Seeking,
  customers: ReadonlyMap<number, CustomerAround>,
): Problem | null {
  const { work, customer, held = false, made = false, part = false } = seeking;
  if (held || part || byStaff(seeking))
    return who ? null : invalid('customer', `There is no customer with the id ${customer}.`);
  const me = customers.get(work.viewer.customerId ?? customer);
  const shown = me && who && (made || isShown(around, me, who, work.now) || isInvolved(me) || isInvolved(who));
  if (!shown) return notFound();
  return mayActForFamily(me, who);
}

/** Refuses events out of reach. Needs a query only for staff without a general permission. */
export async function refuseReach(
  { work, held = false, part = false }: Seeking,
  event: number,
): Promise<Problem | null> {
  const { viewer } = work;
  if (held || part || viewer.mode !== 'provider' || may(viewer, ...BOOKS_EVERYWHERE)) return null;
  try {
    await checkTeaches(work, event, ...BOOKS_EVERYWHERE);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Returns the same as the policy of the event. */
function isShown(
  { hidden, membersOnly, onDemand, windowFacts }: EventAround,
  me: CustomerAround,
  who: CustomerAround,
  at: number,
): boolean {
  const calendarOpensAt =
    resolveWindow(windowFacts, toAsker(me))?.calendarOpensAt ?? windowFacts.calendarOpensAt ?? -Infinity;
  return (
    !hidden &&
    !onDemand &&
    (!membersOnly || [me, who].some(({ known }) => payers.filled.showsToMember(known))) &&
    calendarOpensAt <= at
  );
}

const isInvolved = ({ attendance, spot }: CustomerAround) =>
  spot !== null || (attendance !== null && attendance.status !== 'not_registered');
