/** Where events stand in a day: those that overlap stand beside each other. */

export interface Span {
  /** minutes */
  readonly from: number;
  /** after `from` */
  readonly to: number;
}

export interface Place {
  /** of the lanes, from the side where reading begins: 0 is the first */
  readonly lane: number;
  /** how many lanes it takes */
  readonly wide: number;
  /** of those that it overlaps with, directly or by others between them */
  readonly lanes: number;
}

/**
 * A place for each span, in their order. Spans that overlap never share a lane, no more lanes are made than overlap at one
 * moment, and each takes the lanes beside it that stay free. In n log n for n spans, times the lanes.
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

/** Those of one group overlap in a chain; `group` is in the order of their beginnings. */
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
