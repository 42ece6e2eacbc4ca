/** Prometheus of the cell, with the rules of the deployment: whether each drill would have been noticed. */
import assert from 'node:assert/strict';
import { until } from './wait.ts';
import type { Machine } from './machine.ts';

/** A drill takes seconds, where production asks every 15. */
export const OFTEN = '2s';
const SEEN_MS = 30_000;

interface Answer {
  readonly data: { readonly result: readonly { readonly metric: { readonly alertname: string } }[] };
}

/** The alerts whose condition held at any time since a moment, ms since the epoch. */
async function seenSince(machine: Machine, since: number): Promise<Set<string>> {
  const lasting = Math.max(1, Math.floor((Date.now() - since) / 1000));
  const query = `count by (alertname) (count_over_time(ALERTS[${lasting}s]))`;
  const answer = await fetch(`http://${machine.address}:9090/api/v1/query?query=${encodeURIComponent(query)}`);
  assert.equal(answer.status, 200, 'Prometheus answers');
  const { data } = (await answer.json()) as Answer;
  return new Set(data.result.map(({ metric }) => metric.alertname));
}

/** @throws Error when one of these alerts did not see what has happened since a moment */
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
