import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';

const object = 'substitute_request';
const of = { substitute_request: id(), event: id() };

export const requestCreated = feedItemKind('substitute_request.created', {
  object,
  description: 'An instructor can’t teach an event and asks for a substitute.',
  payload: { ...of, instructor: id() },
});

export const requestWithdrawn = feedItemKind('substitute_request.withdrawn', {
  object,
  description: 'An instructor no longer asks for a substitute and teaches the event.',
  payload: { ...of, instructor: id() },
});

export const requestDeclined = feedItemKind('substitute_request.declined', {
  object,
  description: 'A manager declined a request for a substitute. The instructor still teaches the event.',
  payload: { ...of, instructor: id() },
});

export const requestOffered = feedItemKind('substitute_request.offered', {
  object,
  description: 'An instructor offered to teach an event in somebody’s place. A manager decides.',
  payload: { ...of, instructor: id() },
});

export const offerTakenBack = feedItemKind('substitute_request.offer_taken_back', {
  object,
  description: 'An instructor no longer offers to teach an event in somebody’s place.',
  payload: { ...of, instructor: id() },
});

export const requestFilled = feedItemKind('substitute_request.filled', {
  object,
  description: 'A substitute was found: `instructor` teaches the event now.',
  payload: { ...of, instructor: id() },
});

export const FEED = [requestCreated, requestWithdrawn, requestDeclined, requestOffered, offerTakenBack, requestFilled];
