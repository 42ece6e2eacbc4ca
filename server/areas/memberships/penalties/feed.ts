import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { INFRACTIONS } from './rules/sequences.ts';

const system = { object: 'membership_penalty_system' };
const message = { object: 'membership_penalty_message' };
const strike = { object: 'membership_strike' };
const penalty = { object: 'membership_penalty' };

const ofSystem = { membership_penalty_system: id() };
const ofMessage = { membership_penalty_message: id() };
const changed = listOf(text());

export const systemCreated = feedItemKind('membership_penalty_system.created', {
  ...system,
  description: 'A penalty system was created: rules for what late cancellations and absences cost.',
  payload: ofSystem,
});
export const systemUpdated = feedItemKind('membership_penalty_system.updated', {
  ...system,
  description: 'A penalty system was changed; `changed` names the properties.',
  payload: { ...ofSystem, changed },
});
export const systemArchived = feedItemKind('membership_penalty_system.archived', {
  ...system,
  description: 'A penalty system was archived and counts no more infractions.',
  payload: ofSystem,
});

export const messageCreated = feedItemKind('membership_penalty_message.created', {
  ...message,
  description: 'A message about infractions or penalties was created.',
  payload: ofMessage,
});
export const messageUpdated = feedItemKind('membership_penalty_message.updated', {
  ...message,
  description: 'A message about infractions or penalties was changed; `changed` names the properties.',
  payload: { ...ofMessage, changed },
});
export const messageDeleted = feedItemKind('membership_penalty_message.deleted', {
  ...message,
  description: 'A message about infractions or penalties was deleted.',
  payload: ofMessage,
});

const ofStrike = {
  membership_strike: id(),
  customer_membership: ref('customermembership'),
  customer: id(),
  attendance: id().nullable(),
  type: oneOf(INFRACTIONS),
};

export const strikeRecorded = feedItemKind('membership_strike.recorded', {
  ...strike,
  description:
    'A customer cancelled late or did not show up for a booking paid for by a membership with a penalty system. An absence that is marked again is recorded again.',
  payload: ofStrike,
});
export const strikeForgiven = feedItemKind('membership_strike.forgiven', {
  ...strike,
  description: 'Staff forgave a late cancellation or an absence. It stays forgiven.',
  payload: ofStrike,
});
export const strikeRemoved = feedItemKind('membership_strike.removed', {
  ...strike,
  description:
    'A strike no longer counts: the attendance was corrected, the event was cancelled, the booking was removed, or staff voided the penalty that it led to.',
  payload: { ...ofStrike, reason: oneOf(['corrected', 'event_cancelled', 'booking_dropped', 'voided']) },
});

const ofPenalty = {
  membership_penalty: id(),
  customer_membership: ref('customermembership'),
  membership_penalty_system: id(),
};

export const penaltyCreated = feedItemKind('membership_penalty.created', {
  ...penalty,
  description:
    'There was one infraction too many. The amount will be charged on its due date, unless it is voided before.',
  payload: ofPenalty,
});
export const penaltyCharged = feedItemKind('membership_penalty.charged', {
  ...penalty,
  description: 'The due date of a penalty has come, and it is now owed.',
  payload: ofPenalty,
});
export const penaltyVoided = feedItemKind('membership_penalty.voided', {
  ...penalty,
  description: 'A penalty that had not been charged yet was voided.',
  payload: ofPenalty,
});

export const FEED = [
  systemCreated,
  systemUpdated,
  systemArchived,
  messageCreated,
  messageUpdated,
  messageDeleted,
  strikeRecorded,
  strikeForgiven,
  strikeRemoved,
  penaltyCreated,
  penaltyCharged,
  penaltyVoided,
];
