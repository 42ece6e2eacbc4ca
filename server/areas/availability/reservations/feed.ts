import { date, id, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const recurringReservationFeed = feedKinds(
  'recurring_reservation',
  { recurring_reservation: id(), customer: id() },
  {
    created: 'A recurring reservation was made. Each of its bookings has its own feed item.',
    updated: 'A recurring reservation was changed; `changed` names the properties.',
    ended: {
      description: 'A recurring reservation books nothing more.',
      payload: { reason: oneOf(['requested', 'completed', 'customer_deleted']) },
    },
    date_unavailable: {
      description: 'A recurring reservation could not book one of its dates. `reasons` says why.',
      payload: { event: id().nullable(), date: date(), reasons: listOf(text()) },
    },
  },
);

export const FEED = [recurringReservationFeed];
