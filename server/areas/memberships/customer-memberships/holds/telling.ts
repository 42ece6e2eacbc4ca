/** What is reported of holds: feed items and effects. */
import {
  holdUpdated,
  membershipHeld,
  membershipResumed,
  type holdCreated,
  type holdDeleted,
  type holdEnded,
} from './feed.ts';
import { item, reportOwned, type Owned } from '../owned.ts';
import type { Days } from './rules/hold.ts';
import type { Work } from '../../../../kernel/work.ts';

interface Told {
  readonly effect: string;
  /** id */
  readonly hold: number;
  readonly days: Days;
}

const payloadOf = ({ id, customer_id: customer }: Owned, { hold, days: { start, end } }: Told) => ({
  customer_membership_hold: hold,
  customer_membership: id,
  customer,
  start_date: start,
  end_date: end,
});

const tellEffect = (work: Work, owned: Owned, { effect, hold, days: { start, end } }: Told): void =>
  work.effect(effect, 'customer_membership_hold', hold, {
    customer_membership: owned.id,
    start_date: start,
    end_date: end,
  });

/** A hold was created, has ended or was deleted. */
export function tellHold(
  work: Work,
  owned: Owned,
  told: Told & { readonly kind: typeof holdCreated | typeof holdEnded | typeof holdDeleted },
): void {
  work.record(told.kind, told.hold, payloadOf(owned, told));
  tellEffect(work, owned, told);
}

export function tellUpdated(work: Work, owned: Owned, told: Told & { readonly changed: string[] }): void {
  work.record(holdUpdated, told.hold, { ...payloadOf(owned, told), changed: told.changed });
  tellEffect(work, owned, told);
}

/** The first day of a hold has come. */
export const tellHeld = (work: Work, owned: Owned, hold: number): void =>
  reportOwned(work, owned, {
    items: [item(membershipHeld, { customer_membership_hold: hold })],
    effects: [['membership_held', { customer_membership_hold: hold }]],
  });

/** The last day of a hold has passed, or somebody ended it. */
export const tellResumed = (work: Work, owned: Owned, hold: number): void =>
  reportOwned(work, owned, {
    items: [item(membershipResumed, { customer_membership_hold: hold })],
    effects: [['membership_resumed', { customer_membership_hold: hold }]],
  });
