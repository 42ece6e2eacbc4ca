import { defineProblems, Problem } from '../../../kernel/base/problem.ts';

export const FEED_PROBLEMS = defineProblems({
  feed_items_gone: {
    status: 410,
    type: 'not_found_error',
    means:
      'Items after this number are no longer kept, so the client would miss them without knowing. The message says where to continue.',
  },
});

/**
 * Refuses to continue after a number if items that follow it are gone. A client without a position asks for items after
 * 0 and begins with the oldest one that is kept.
 */
export function checkKept(after: number, gone: number): void {
  if (after > 0 && after < gone)
    throw new Problem(
      FEED_PROBLEMS.feed_items_gone,
      `Feed items up to number ${gone} are no longer kept. Copy your data anew, and continue with after=${gone}.`,
    );
}
