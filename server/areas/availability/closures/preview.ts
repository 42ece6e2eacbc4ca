/** Previews a job in a dry run: runs the same function, with all portions in one transaction that is rolled back. */
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Kind<P> {
  readonly many: (work: Work, ids: readonly number[], parameters: P) => Promise<ReadonlyMap<number, string>>;
}

export async function previewed<P>(
  work: Work,
  { many }: Kind<P>,
  ids: readonly number[],
  parameters: P,
): Promise<void> {
  const against = ids.length === 0 ? new Map<number, string>() : await many(work, ids, parameters);
  for (const [event, because] of against) work.effect('left_alone', 'event', event, { because });
}
