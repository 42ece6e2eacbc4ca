/**
 * Decides when a deferred broadcast is sent: at one moment, or at a wall time that each zone reaches at a different
 * moment.
 */
import { instantOfWall } from '../../../../kernel/base/values/zone.ts';

export interface Deferral {
  /** epoch milliseconds */
  readonly at: number | null;
  /** `YYYY-MM-DDTHH:MM:SS` in the zone of each recipient */
  readonly local: string | null;
}

export const isDeferred = ({ at, local }: Deferral): boolean => at !== null || local !== null;

/** Returns the first moment at which somebody in one of these zones gets it; null: immediately. */
export function begins({ at, local }: Deferral, zones: readonly string[]): number | null {
  if (local === null) return at;
  return Math.min(...zones.map((zone) => instantOfWall(local, zone)));
}

/** Returns the last such moment. */
export function ends({ at, local }: Deferral, zones: readonly string[]): number | null {
  if (local === null) return at;
  return Math.max(...zones.map((zone) => instantOfWall(local, zone)));
}

/**
 * Returns when somebody in this zone gets it. A time that a clock change skips moves forward by the skipped time; of a
 * time that occurs twice, the first counts.
 */
export const sendAt = ({ local }: Deferral, zone: string, now: number): number =>
  local === null ? now : Math.max(now, instantOfWall(local, zone));
