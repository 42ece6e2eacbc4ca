import { date, id, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const of = { recurring_reservation: id(), customer: id() };

export const reservationCreated = feedItemKind('recurring_reservation.created', {
  object: 'recurring_reservation',
  description: 'A recurring reservation was made. Each of its bookings has its own feed item.',
  payload: of,
});

export const reservationUpdated = feedItemKind('recurring_reservation.updated', {
  object: 'recurring_reservation',
  description: 'A recurring reservation was changed; `changed` names the properties.',
  payload: { ...of, changed: listOf(text()) },
});

export const reservationEnded = feedItemKind('recurring_reservation.ended', {
  object: 'recurring_reservation',
  description: 'A recurring reservation books nothing more.',
  payload: { ...of, reason: oneOf(['requested', 'completed', 'customer_deleted']) },
});

export const dateUnavailable = feedItemKind('recurring_reservation.date_unavailable', {
  object: 'recurring_reservation',
  description: 'A recurring reservation could not book one of its dates. `reasons` says why.',
  payload: { ...of, event: id().nullable(), date: date(), reasons: listOf(text()) },
});

export const FEED = [reservationCreated, reservationUpdated, reservationEnded, dateUnavailable];
