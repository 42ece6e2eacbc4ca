/** What the caller may not see or touch, before any rule of booking is asked: for bookings, and for seats that are held. */
import { askerOf, type CustomerAround, type EventAround } from './facts.ts';
import { checkTeaches } from './marking.ts';
import { invalid, notFound, Problem } from '../../../kernel/api/problem.ts';
import { may } from '../../../kernel/access/viewer.ts';
import { mayActForFamily } from '../../people/customers/index.ts';
import { payers } from './payer.ts';
import { resolveWindow } from './rules/window.ts';
import type { Work } from '../../../kernel/work.ts';

/** Permissions that take bookings of any event. */
export const BOOKS_EVERYWHERE = ['attendances', 'manage_events', 'pos'] as const;

/** A seat that somebody asks for, for one customer. */
export interface Seeking {
  readonly work: Work;
  readonly customer: number;
  /** the seat is held already: all this was asked when it was */
  readonly held?: boolean;
  /** the event was made for this very call, which has looked at who may see the offer */
  readonly made?: boolean;
}

/** All who must be known: those who get the seats, and those who ask. */
export const involvedIn = (all: readonly Seeking[]): number[] => [
  ...new Set(
    all.flatMap(({ work: { viewer }, customer }) =>
      viewer.customerId === null ? [customer] : [customer, viewer.customerId],
    ),
  ),
];

export const hasSeat = (attendance: CustomerAround['attendance']): boolean =>
  attendance !== null && ['registered', 'attended', 'no_show'].includes(attendance.status);

export function refuseSight(
  around: EventAround,
  who: CustomerAround | undefined,
  { work: { viewer, now }, customer, held = false, made = false }: Seeking,
  customers: ReadonlyMap<number, CustomerAround>,
): Problem | null {
  if (held || viewer.mode === 'provider')
    return who ? null : invalid('customer', `There is no customer with the id ${customer}.`);
  const me = customers.get(viewer.customerId!);
  if (!me || !who || !(made || isShown(around, me, who, now) || isInvolved(me) || isInvolved(who))) return notFound();
  return mayActForFamily(me, who);
}

/** Costs a question only for staff who have no general permission. */
export async function refuseReach({ work, held = false }: Seeking, event: number): Promise<Problem | null> {
  const { viewer } = work;
  if (held || viewer.mode !== 'provider' || may(viewer, ...BOOKS_EVERYWHERE)) return null;
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
