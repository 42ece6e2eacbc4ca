/**
 * Live updates from the business. One tab follows the event stream and forwards it to the others, because browsers open
 * few connections to one server.
 */
import type { FeedItem } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { queries } from './calls.ts';

/** Items that arrive within this time cause one read. */
const GATHER_MS = 150;

/** Returns the collection of a kind of resource, as in paths of the interface: `waitlist_spot` → `waitlist_spots`. */
export const collectionOf = (resource: string): string =>
  /[^aeiou]y$/.test(resource)
    ? `${resource.slice(0, -1)}ies`
    : /(s|x|ch)$/.test(resource)
      ? `${resource}es`
      : `${resource}s`;

/** Returns the collections that an item affects. */
export const touchedBy = ({ type, resources }: Pick<FeedItem, 'type' | 'resources'>): string[] =>
  [type.split('.')[0], ...Object.keys(resources)].map(collectionOf);

/** Collections that are computed from others: free times change with bookings and with the hours. */
const WORKED_OUT_OF: Readonly<Record<string, readonly string[]>> = {
  // Substitute requests and their candidates depend on the schedule and on working hours.
  substitute_requests: ['events', 'availability_schedules', 'instructors'],
  slots: ['events', 'availability_schedules', 'business_closures', 'instructors', 'venues'],
};

/** Returns the collections that an operation reads: for `GET /crm/workflow_runs` also `crm_workflow_runs`. */
export function collectionsIn(operation: string): string[] {
  const parts = operation.split('/').slice(1);
  return [
    ...parts,
    ...parts.slice(1).map((part, i) => `${parts[i]}_${part}`),
    ...parts.flatMap((part) => WORKED_OUT_OF[part] ?? []),
  ];
}

/** The maximum number of missed items that are examined. If there are more, everything is read again. */
const MISSED = 20;

/** The last item that this tab has received, by business. */
const received = new Map<number, number>();

type Listener = (item: FeedItem) => void;
const listeners = new Set<Listener>();

/** Subscribes to all items; the returned function unsubscribes. */
export function onHappening(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Follows a business until the signal aborts.
 *
 * `mayFollow`: true if the person may read the feed. `since`: items from this time on may be new to the tab; in
 * milliseconds
 */
export function follow(business: number, mayFollow: boolean, since: number, signal: AbortSignal): void {
  if (!mayFollow) return readNowAndThen(business, signal);
  const name = `rollcall ${business}`;
  const others = new BroadcastChannel(name);
  signal.addEventListener('abort', () => others.close());
  let touched = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readAgain = (): void => {
    const now = touched;
    touched = new Set();
    timer = undefined;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [of, operation] }) =>
        of === business && collectionsIn(String(operation)).some((one) => now.has(one)),
    });
  };
  const hear = (item: FeedItem): void => {
    received.set(business, item.id);
    for (const collection of touchedBy(item)) touched.add(collection);
    timer ??= setTimeout(readAgain, GATHER_MS);
    for (const listener of listeners) listener(item);
  };
  others.addEventListener('message', ({ data }) => hear(data as FeedItem));
  void navigator.locks
    .request(name, { signal }, async () => {
      for await (const item of clientOf(business).call('GET /feed_items/stream', {
        query: { after: received.get(business) ?? (await lastRead(business, since, signal)) },
        signal,
      })) {
        hear(item);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin
        others.postMessage(item);
      }
    })
    .catch(() => {
      // The permission was revoked, or the tab is closing.
      if (!signal.aborted) readNowAndThen(business, signal);
    });
}

/** Returns the last item from before this tab began to read. */
async function lastRead(business: number, since: number, signal: AbortSignal): Promise<number> {
  const { results } = await clientOf(business).call('GET /feed_items', {
    query: { sort: '-id', limit: MISSED },
    signal,
  });
  const before = results.find(({ timestamp }) => Date.parse(timestamp) < since);
  if (before) return before.id;
  if (results.length === MISSED) readEverythingAgain(business);
  return (results.at(-1)?.id ?? 1) - 1;
}

const readEverythingAgain = (business: number): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => of === business });

const NOW_AND_THEN_MS = 20_000;

/** Polls for people without access to the feed: reads the visible data again while the tab is visible. */
function readNowAndThen(business: number, signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') readEverythingAgain(business);
  }, NOW_AND_THEN_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
