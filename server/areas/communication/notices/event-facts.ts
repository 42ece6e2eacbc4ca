/** An event as notices describe it. */
import type { EventKind } from '../../../kernel/base/values/words.ts';

export interface EventFacts {
  readonly id: number;
  readonly name: string;
  readonly offering_type: number;
  readonly kind: EventKind;
  readonly status: 'active' | 'cancelled';
  readonly timezone: string;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly cancelled_at: number | null;
  readonly reopened_at: number | null;
  readonly venue: string;
  readonly address: Record<string, string | number | null> | null;
  readonly online: boolean;
  /** names; null: nobody */
  readonly instructors: string | null;
  readonly business: string;
  readonly contact_email: string | null;
}
