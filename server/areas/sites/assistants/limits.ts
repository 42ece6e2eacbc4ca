/** Daily limits of an assistant, as its business set them. */
import { countUse, exceededLimit, type DailyLimits, type Use } from './rules/daily-limits.ts';
import { readDailyLimits } from '../../people/applications/index.ts';
import { usedToday, type Proposal } from './proposals.ts';
import type { EffectLike } from './rules/effect-lines.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface Exceeded {
  readonly limit: keyof Use;
  /** how many messages, or how much money in minor units */
  readonly most: number;
}

interface Change {
  readonly providerId: number;
  readonly proposal: Pick<Proposal, 'user_id' | 'application_id'>;
  readonly currency: string;
  /** epoch milliseconds at the business */
  readonly now: number;
}

/**
 * Returns the limit that a change with these effects would exceed; null: none. A machine token has no limits: an owner
 * confirms what it proposes.
 */
export async function findExceeded(
  tx: Transaction,
  effects: readonly EffectLike[],
  { providerId, proposal, currency, now }: Change,
): Promise<Exceeded | null> {
  const { application_id: application } = proposal;
  if (application === null) return null;
  const limits: DailyLimits | undefined = await readDailyLimits(tx, providerId, application);
  if (!limits || (limits.messages === null && limits.amount === null)) return null;
  const used = await usedToday(tx, providerId, proposal, now);
  const limit = exceededLimit(limits, used, countUse(effects, currency));
  return limit && { limit, most: limits[limit]! };
}
