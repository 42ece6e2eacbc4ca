/** Feed items and effects of holds. */
import { customerMembershipHoldFeed, membershipHoldsFeed } from './feed.ts';
import { item, reportOwned, type Owned } from '../owned.ts';
import type { Days } from './rules/hold.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Reported {
  readonly effect: string;
  /** id of the hold */
  readonly hold: number;
  readonly days: Days;
}

const payloadOf = ({ id, customer_id: customer }: Owned, { hold, days: { start, end } }: Reported) => ({
  customer_membership_hold: hold,
  customer_membership: id,
  customer,
  start_date: start,
  end_date: end,
});

const reportEffect = (work: Work, owned: Owned, { effect, hold, days: { start, end } }: Reported): void =>
  work.effect(effect, 'customer_membership_hold', hold, {
    customer_membership: owned.id,
    start_date: start,
    end_date: end,
  });

/** Reports that a hold was created, ended or deleted. */
export function reportHold(
  work: Work,
  owned: Owned,
  reported: Reported & {
    readonly kind:
      | typeof customerMembershipHoldFeed.created
      | typeof customerMembershipHoldFeed.ended
      | typeof customerMembershipHoldFeed.deleted;
  },
): void {
  work.record(reported.kind, reported.hold, payloadOf(owned, reported));
  reportEffect(work, owned, reported);
}

export function reportUpdated(work: Work, owned: Owned, reported: Reported & { readonly changed: string[] }): void {
  work.record(customerMembershipHoldFeed.updated, reported.hold, {
    ...payloadOf(owned, reported),
    changed: reported.changed,
  });
  reportEffect(work, owned, reported);
}

/** Reports that the first day of a hold has begun. */
export const reportHeld = (work: Work, owned: Owned, hold: number): void =>
  reportOwned(work, owned, {
    items: [item(membershipHoldsFeed.held, { customer_membership_hold: hold })],
    effects: [['membership_held', { customer_membership_hold: hold }]],
  });

/** Reports that the last day of a hold has passed, or that somebody ended it. */
export const reportResumed = (work: Work, owned: Owned, hold: number): void =>
  reportOwned(work, owned, {
    items: [item(membershipHoldsFeed.resumed, { customer_membership_hold: hold })],
    effects: [['membership_resumed', { customer_membership_hold: hold }]],
  });
