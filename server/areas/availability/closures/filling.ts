/** Creates the events that series skipped on days that are open again: a part of undoing closures. */
import { makeLeftOut, seriesThrough, type Stretch } from '../../scheduling/schedule/index.ts';
import { previewed } from './preview.ts';
import { startBulkAction, type BulkKind } from '../../platform/bulk/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const fillSeries = {
  type: 'create_left_out_events',
  /** each series creates its events one after the other */
  portion: 25,
  many: async (work: Work, series: readonly number[], days: Stretch): Promise<ReadonlyMap<number, string>> => {
    await makeLeftOut(work, series, days);
    return new Map();
  },
} satisfies BulkKind;

/** Creates the skipped events. `venues`: those that are open again; null means all. */
export async function fillLeftOut(
  work: Work,
  days: Stretch,
  venues: readonly number[] | null,
  dryRun: boolean,
): Promise<void> {
  const series = await seriesThrough(work, days, venues);
  const ids = series.map(({ id }) => id);
  if (dryRun) await previewed(work, fillSeries, ids, days);
  else if (ids.length > 0) await startBulkAction(work, fillSeries, ids, days, [...new Set(series.map((s) => s.venue))]);
}
