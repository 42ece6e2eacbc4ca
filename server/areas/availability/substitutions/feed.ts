import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';

export const substituteRequestFeed = feedKinds(
  'substitute_request',
  { substitute_request: id(), event: id(), instructor: id() },
  {
    created: 'An instructor can’t teach an event and asks for a substitute.',
    withdrawn: 'An instructor no longer asks for a substitute and teaches the event.',
    declined: 'A manager declined a request for a substitute. The instructor still teaches the event.',
    offered: 'An instructor offered to teach an event in somebody’s place. A manager decides.',
    offer_taken_back: 'An instructor no longer offers to teach an event in somebody’s place.',
    filled: 'A substitute was found: `instructor` teaches the event now.',
  },
);

export const FEED = [substituteRequestFeed];
