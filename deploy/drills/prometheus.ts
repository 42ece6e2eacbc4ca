/**
 * The Prometheus of the cell, with the rules of the deployment: shows whether an alert would have detected each drill.
 */
import assert from 'node:assert/strict';
import { until } from './wait.ts';
import type { Machine } from './machine.ts';

/** Scrape interval: a drill takes seconds, whereas production scrapes every 15. */
export const OFTEN = '2s';
const SEEN_MS = 30_000;

interface Answer {
  readonly data: { readonly result: readonly { readonly metric: { readonly alertname: string } }[] };
}

/** Returns the alerts whose condition held at any time since a moment, in epoch milliseconds. */
async function seenSince(machine: Machine, since: number): Promise<Set<string>> {
  const lasting = Math.max(1, Math.floor((Date.now() - since) / 1000));
  const query = `count by (alertname) (count_over_time(ALERTS[${lasting}s]))`;
  const answer = await fetch(`http://${machine.address}:9090/api/v1/query?query=${encodeURIComponent(query)}`);
  assert.equal(answer.status, 200, 'Prometheus answers');
  const { data } = (await answer.json()) as Answer;
  return new Set(data.result.map(({ metric }) => metric.alertname));
}

/** Checks that these alerts detected the drill. @throws Error if one did not since the given moment */
export async function checkSeen(machine: Machine, names: readonly string[], since: number): Promise<void> {
  await until(
    `the alerts ${names.join(', ')} see it`,
    async () => {
      const seen = await seenSince(machine, since);
      return names.every((name) => seen.has(name));
    },
    SEEN_MS,
  );
}
