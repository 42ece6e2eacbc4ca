import { id, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { INFRACTIONS } from './rules/sequences.ts';

export const membershipPenaltySystemFeed = feedKinds(
  'membership_penalty_system',
  { membership_penalty_system: id() },
  {
    created: 'A penalty system was created: rules for what late cancellations and absences cost.',
    updated: 'A penalty system was changed; `changed` names the properties.',
    archived: 'A penalty system was archived and counts no more infractions.',
  },
);

export const membershipPenaltyMessageFeed = feedKinds(
  'membership_penalty_message',
  { membership_penalty_message: id() },
  {
    created: 'A message about infractions or penalties was created.',
    updated: 'A message about infractions or penalties was changed; `changed` names the properties.',
    deleted: 'A message about infractions or penalties was deleted.',
  },
);

export const membershipStrikeFeed = feedKinds(
  'membership_strike',
  {
    membership_strike: id(),
    customer_membership: ref('customermembership'),
    customer: id(),
    attendance: id().nullable(),
    type: oneOf(INFRACTIONS),
  },
  {
    recorded:
      'A customer cancelled late or did not show up for a booking paid for by a membership with a penalty system. An absence that is marked again is recorded again.',
    forgiven: 'Staff forgave a late cancellation or an absence. It stays forgiven.',
    removed: {
      description:
        'A strike no longer counts: the attendance was corrected, the event was cancelled, the booking was removed, or staff voided the penalty that it led to.',
      payload: { reason: oneOf(['corrected', 'event_cancelled', 'booking_dropped', 'voided']) },
    },
  },
);

export const membershipPenaltyFeed = feedKinds(
  'membership_penalty',
  { membership_penalty: id(), customer_membership: ref('customermembership'), membership_penalty_system: id() },
  {
    created:
      'There was one infraction too many. The amount will be charged on its due date, unless it is voided before.',
    charged: 'The due date of a penalty has come, and it is now owed.',
    voided: 'A penalty that had not been charged yet was voided.',
  },
);

export const FEED = [
  membershipPenaltySystemFeed,
  membershipPenaltyMessageFeed,
  membershipStrikeFeed,
  membershipPenaltyFeed,
];
