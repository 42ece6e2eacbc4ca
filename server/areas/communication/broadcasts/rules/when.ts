/** When a deferred broadcast goes out: at one moment, or at a wall time that comes to each zone at another moment. */
import { instantOfWall } from '../../../../kernel/base/values/zone.ts';

export interface Deferral {
  /** epoch ms */
  readonly at: number | null;
  /** `YYYY-MM-DDTHH:MM:SS` on the clocks of each recipient */
  readonly local: string | null;
}

export const isDeferred = ({ at, local }: Deferral): boolean => at !== null || local !== null;

/** The first moment at which somebody in one of these zones gets it; null: immediately. */
export function begins({ at, local }: Deferral, zones: readonly string[]): number | null {
  if (local === null) return at;
  return Math.min(...zones.map((zone) => instantOfWall(local, zone)));
}

/** The last such moment. */
export function ends({ at, local }: Deferral, zones: readonly string[]): number | null {
  if (local === null) return at;
  return Math.max(...zones.map((zone) => instantOfWall(local, zone)));
}

/**
 * When somebody in this zone gets it. A time that their clocks skip moves on by what was skipped; of one that comes
 * twice it is the first.
 */
export const sendAt = ({ local }: Deferral, zone: string, now: number): number =>
  local === null ? now : Math.max(now, instantOfWall(local, zone));
