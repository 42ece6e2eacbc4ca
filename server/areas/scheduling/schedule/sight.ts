/** What the caller may not see or touch, before any rule of booking is asked: for bookings, and for seats that are held. */
import { askerOf, type CustomerAround, type EventAround } from './facts.ts';
import { checkTeaches } from './marking.ts';
import { invalid, notFound, Problem } from '../../../kernel/base/problem.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { mayActForFamily } from '../../people/customers/index.ts';
import { payers } from './payer.ts';
import { resolveWindow } from './rules/window.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Permissions that take bookings of any event. */
export const BOOKS_EVERYWHERE = ['attendances', 'manage_events', 'pos'] as const;

/** A seat that somebody asks for, for one customer. */
export interface Seeking {
  readonly work: Work;
  readonly customer: number;
  /** the seat is held already: all this was asked when it was */
  readonly held?: boolean;
  /** the program books for the customer, who gets what they could book without staff */
  readonly asCustomer?: boolean;
  /** the event was made for this very call, which has looked at who may see the offer */
  readonly made?: boolean;
  /**
   * the seat belongs to something that is booked whole, such as a course: its area has checked who may see it and when it
   * can be booked, so neither is asked of each event
   */
  readonly part?: boolean;
}

/** Staff and machines book what customers can't see, and outside of the window, unless it is for a customer's own plan. */
export const byStaff = ({ work: { viewer }, asCustomer = false }: Seeking): boolean =>
  viewer.mode === 'provider' && !asCustomer;

/** All who must be known: those who get the seats, and those who ask. */
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

/** Costs a question only for staff who have no general permission. */
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

/** As the policy of the event says it. */
function isShown(
  { hidden, membersOnly, onDemand, windowFacts }: EventAround,
  me: CustomerAround,
  who: CustomerAround,
  at: number,
): boolean {
  const calendarOpensAt =
    resolveWindow(windowFacts, askerOf(me))?.calendarOpensAt ?? windowFacts.calendarOpensAt ?? -Infinity;
  return (
    !hidden &&
    !onDemand &&
    (!membersOnly || [me, who].some(({ known }) => payers.filled.showsToMember(known))) &&
    calendarOpensAt <= at
  );
}

const isInvolved = ({ attendance, spot }: CustomerAround) =>
  spot !== null || (attendance !== null && attendance.status !== 'not_registered');
