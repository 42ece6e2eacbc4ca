import { Problem } from '../../../kernel/base/problem.ts';
import type { NotNow } from './door.ts';

/** Returns the refusal for somebody who guesses too often, or while too many others do. */
export const notNow = (not: NotNow): Problem =>
  not.outcome === 'wait'
    ? new Problem(
        'rate_limited',
        `Too many attempts. Try again in ${not.seconds} s.`,
        {},
        { 'retry-after': String(not.seconds) },
      )
    : new Problem('unavailable', 'Too many people are logging in right now. Try again.', {}, { 'retry-after': '1' });
