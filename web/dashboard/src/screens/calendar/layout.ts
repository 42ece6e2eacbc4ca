/** The layout of events in a day: overlapping events are placed next to each other. */

export interface Span {
  /** in minutes */
  readonly from: number;
  /** after `from` */
  readonly to: number;
}

export interface Place {
  /** index of the lane from the side where reading begins; 0 is the first */
  readonly lane: number;
  /** number of lanes that it spans */
  readonly wide: number;
  /** number of lanes of its group: the events that it overlaps with, directly or through others */
  readonly lanes: number;
}

/**
 * Returns a place for each span, in their order. Spans that overlap never share a lane, there are never more lanes than
 * spans that overlap at one moment, and each spans the free lanes next to it. O(n log n) for n spans, times the lanes.
 */
export function layOut(spans: readonly Span[]): Place[] {
  const order = spans.map((_, i) => i).toSorted((a, b) => spans[a].from - spans[b].from || spans[b].to - spans[a].to);
  const places: Place[] = [];
  let group: number[] = [];
  let until = -Infinity;
  const close = (): void => {
    placeGroup(spans, group, places);
    group = [];
  };
  for (const i of order) {
    if (spans[i].from >= until) close();
    group.push(i);
    until = Math.max(until, spans[i].to);
  }
  close();
  return places;
}

/** Places one group, whose spans overlap in a chain; `group` is ordered by start. */
function placeGroup(spans: readonly Span[], group: readonly number[], places: Place[]): void {
  const lanes: number[][] = [];
  const laneOf = new Map<number, number>();
  for (const i of group) {
    const free = lanes.findIndex((lane) => spans[lane.at(-1)!].to <= spans[i].from);
    const lane = free === -1 ? lanes.length : free;
    (lanes[lane] ??= []).push(i);
    laneOf.set(i, lane);
  }
  const overlaps = (lane: readonly number[], { from, to }: Span): boolean =>
    lane.some((other) => spans[other].from < to && from < spans[other].to);
  for (const i of group) {
    const lane = laneOf.get(i)!;
    let end = lane + 1;
    while (end < lanes.length && !overlaps(lanes[end], spans[i])) end++;
    places[i] = { lane, wide: end - lane, lanes: lanes.length };
  }
}
