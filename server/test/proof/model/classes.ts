/**
 * Places of events with their waitlists, and the packs that pay for them. A place that becomes free goes on at once:
 * to the first who waits, or is reserved for them. A booking takes one use of the customer's pack, and returns it when
 * it is cancelled in time. All events are a week away, so every cancellation is in time.
 */
import { refused, type Model, type Outcome } from './model.ts';

export interface EventState {
  /** number of people who fit */
  readonly capacity: number;
  readonly booked: readonly number[];
  /** those for whom a place is reserved, the longest first */
  readonly reserved: readonly number[];
  /** those who wait, the first one first */
  readonly waiting: readonly number[];
}

export interface Classes {
  /** where a free place goes while people wait */
  readonly policy: 'promote' | 'reserve';
  readonly events: readonly EventState[];
  /** uses that are left, by customer; null: the events cost nothing */
  readonly uses: readonly number[] | null;
}

export type ClassStep =
  | { readonly do: 'book' | 'cancel' | 'join' | 'leave'; readonly event: number; readonly customer: number }
  | { readonly do: 'move'; readonly event: number; readonly to: number; readonly customer: number }
  | { readonly do: 'resize'; readonly event: number; readonly capacity: number }
  | { readonly do: 'look' | 'list'; readonly event: number }
  | { readonly do: 'count uses'; readonly customer: number }
  /** more time passes than customers have to claim a reserved place */
  | { readonly do: 'pass' };

const without = (people: readonly number[], one: number): readonly number[] => people.filter((other) => other !== one);

const taken = ({ booked, reserved }: EventState): number => booked.length + reserved.length;

const changed = (all: Classes, event: number, to: Partial<EventState>): Classes => ({
  ...all,
  events: all.events.map((one, index) => (index === event ? { ...one, ...to } : one)),
});

const withUses = (all: Classes, customer: number, more: number): Classes => ({
  ...all,
  uses: all.uses && all.uses.map((left, index) => (index === customer ? left + more : left)),
});

const canPay = ({ uses }: Classes, customer: number): boolean => uses === null || uses[customer] > 0;

/** Passes free places on, one after the other. Customers who can't pay any more lose their spot. */
function passedOn(all: Classes, event: number): Classes {
  const one = all.events[event];
  if (one.waiting.length === 0 || taken(one) >= one.capacity) return all;
  const [first, ...waiting] = one.waiting;
  if (!canPay(all, first)) return passedOn(changed(all, event, { waiting }), event);
  const next =
    all.policy === 'promote'
      ? withUses(changed(all, event, { waiting, booked: [...one.booked, first] }), first, -1)
      : changed(all, event, { waiting, reserved: [...one.reserved, first] });
  return passedOn(next, event);
}

/** Ends the spots of all who didn't claim their place, and passes the places on. */
const expired = (all: Classes): Classes =>
  all.events.reduce((next, _, event) => passedOn(changed(next, event, { reserved: [] }), event), all);

/** Books a place that the customer doesn't have yet. */
function booked(all: Classes, event: number, customer: number, answer: string): readonly Outcome<Classes>[] {
  const one = all.events[event];
  const isReserved = one.reserved.includes(customer);
  const isFull = !isReserved && taken(one) >= one.capacity;
  const reasons = [...(isFull ? ['full'] : []), ...(canPay(all, customer) ? [] : ['unpaid'])];
  if (reasons.length > 0) return refused(all, ...reasons);
  const to = {
    booked: [...one.booked, customer],
    reserved: without(one.reserved, customer),
    waiting: without(one.waiting, customer),
  };
  return [{ answer, state: withUses(changed(all, event, to), customer, -1) }];
}

/** Ends a booking. The use is returned before the place goes on. */
const freed = (all: Classes, event: number, customer: number): Classes =>
  withUses(changed(all, event, { booked: without(all.events[event].booked, customer) }), customer, +1);

const list = (people: readonly number[]): string => people.toSorted((a, b) => a - b).join(' ') || 'nobody';

export const CLASSES: Model<Classes, ClassStep> = {
  after(all, step) {
    if (step.do === 'pass') return [{ answer: 'passed', state: expired(all) }];
    if (step.do === 'count uses') return refused(all, `${all.uses![step.customer]} left`);
    const one = all.events[step.event];
    switch (step.do) {
      case 'look':
        return refused(all, `${one.booked.length} booked, ${one.waiting.length} waiting, ${one.capacity} places`);
      case 'list':
        return refused(all, list(one.booked));
      case 'resize':
        return taken(one) > step.capacity
          ? refused(all, 'too small')
          : [
              {
                answer: 'resized',
                state: passedOn(changed(all, step.event, { capacity: step.capacity }), step.event),
              },
            ];
      case 'book':
        return one.booked.includes(step.customer)
          ? refused(all, 'booked')
          : booked(all, step.event, step.customer, 'booked');
      case 'cancel':
        return one.booked.includes(step.customer)
          ? [{ answer: 'cancelled', state: passedOn(freed(all, step.event, step.customer), step.event) }]
          : refused(all, 'not booked');
      case 'join': {
        const { customer } = step;
        if (one.booked.includes(customer)) return refused(all, 'already booked');
        if (one.waiting.includes(customer) || one.reserved.includes(customer)) return refused(all, 'waits');
        const reasons = [
          ...(taken(one) < one.capacity ? ['not needed'] : []),
          ...(canPay(all, customer) ? [] : ['unpaid']),
        ];
        if (reasons.length > 0) return refused(all, ...reasons);
        return [{ answer: 'waits', state: changed(all, step.event, { waiting: [...one.waiting, customer] }) }];
      }
      case 'leave': {
        const { customer } = step;
        if (!one.waiting.includes(customer) && !one.reserved.includes(customer)) return refused(all, 'does not wait');
        const to = { waiting: without(one.waiting, customer), reserved: without(one.reserved, customer) };
        return [{ answer: 'left', state: passedOn(changed(all, step.event, to), step.event) }];
      }
      case 'move': {
        const { customer, event, to } = step;
        const reasons = [
          ...(one.booked.includes(customer) ? [] : ['not booked']),
          ...(all.events[to].booked.includes(customer) ? ['already booked'] : []),
        ];
        if (reasons.length > 0) return refused(all, ...reasons);
        return booked(freed(all, event, customer), to, customer, 'moved').map(({ answer, state }) =>
          answer === 'moved' ? { answer, state: passedOn(state, event) } : { answer, state: all },
        );
      }
    }
  },
};
