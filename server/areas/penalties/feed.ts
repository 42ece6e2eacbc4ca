import { id, listOf, oneOf, ref, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';
import { INFRACTIONS } from './rules/sequences.ts';

const system = { object: 'membership_penalty_system' };
const message = { object: 'membership_penalty_message' };
const strike = { object: 'membership_strike' };
const penalty = { object: 'membership_penalty' };

const ofSystem = { membership_penalty_system: id() };
const ofMessage = { membership_penalty_message: id() };
const changed = listOf(text());

export const systemCreated = feedItemKind('membership_penalty_system.created', { ...system, description: 'There are rules for what late cancellations and absences cost.', payload: ofSystem });
export const systemUpdated = feedItemKind('membership_penalty_system.updated', { ...system, description: 'A penalty system changed; `changed` names the properties.', payload: { ...ofSystem, changed } });
export const systemArchived = feedItemKind('membership_penalty_system.archived', { ...system, description: 'A penalty system counts no more infractions.', payload: ofSystem });

export const messageCreated = feedItemKind('membership_penalty_message.created', { ...message, description: 'There is a message about infractions or penalties.', payload: ofMessage });
export const messageUpdated = feedItemKind('membership_penalty_message.updated', { ...message, description: 'A message about infractions or penalties changed; `changed` names the properties.', payload: { ...ofMessage, changed } });
export const messageDeleted = feedItemKind('membership_penalty_message.deleted', { ...message, description: 'A message about infractions or penalties is sent no more.', payload: ofMessage });

const ofStrike = { membership_strike: id(), customer_membership: ref('customermembership'), customer: id(), attendance: id().nullable(), type: oneOf(INFRACTIONS) };

export const strikeRecorded = feedItemKind('membership_strike.recorded', {
  ...strike,
  description: 'Somebody cancelled late, or did not come, what a membership with a penalty system paid for. An absence that is marked again is told again.',
  payload: ofStrike,
});
export const strikeForgiven = feedItemKind('membership_strike.forgiven', { ...strike, description: 'Staff forgave a late cancellation or an absence; it stays forgiven.', payload: ofStrike });
export const strikeRemoved = feedItemKind('membership_strike.removed', {
  ...strike,
  description: 'A strike counts no more: the mark was corrected, the event was cancelled, the booking was taken out, or staff voided the penalty that it led to.',
  payload: { ...ofStrike, reason: oneOf(['corrected', 'event_cancelled', 'booking_dropped', 'voided']) },
});

const ofPenalty = { membership_penalty: id(), customer_membership: ref('customermembership'), membership_penalty_system: id() };

export const penaltyCreated = feedItemKind('membership_penalty.created', { ...penalty, description: 'There was one infraction too many: the amount will be charged on its day, unless it is voided before.', payload: ofPenalty });
export const penaltyCharged = feedItemKind('membership_penalty.charged', { ...penalty, description: 'The day of a penalty has come: it is owed.', payload: ofPenalty });
export const penaltyVoided = feedItemKind('membership_penalty.voided', { ...penalty, description: 'A penalty that was not charged yet was taken back.', payload: ofPenalty });

export const FEED = [
  systemCreated, systemUpdated, systemArchived, messageCreated, messageUpdated, messageDeleted,
  strikeRecorded, strikeForgiven, strikeRemoved, penaltyCreated, penaltyCharged, penaltyVoided,
];
