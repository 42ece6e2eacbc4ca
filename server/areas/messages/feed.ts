import { id, oneOf } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual'] as const;

/** The address itself is not told: whoever may see it reads the suppression. */
const about = { suppression: id(), reason: oneOf(SUPPRESSION_REASONS) };

export const suppressionCreated = feedItemKind('suppression.created', { object: 'suppression', description: 'An address is written to no more.', payload: about });
export const suppressionDeleted = feedItemKind('suppression.deleted', { object: 'suppression', description: 'An address may be written to again.', payload: about });
