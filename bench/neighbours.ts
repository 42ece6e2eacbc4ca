/**
 * Bookings of one business while another sends as many requests as it can: for the deepest page that is allowed, sorted
 * by a column without an index.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bookFor, TURN } from './bookings.ts';
import { install, serve, type Cluster, type Installation, type Server, type Size } from './kit/installation.ts';
import { median } from './kit/report.ts';
import { pair, Stretches } from './kit/pairs.ts';
import type { GreedyOptions, GreedyReport } from './greedy.ts';
import type { Length } from './kit/contest.ts';
import type { Report } from './kit/report.ts';

const GREEDY_CONNECTIONS = 50;
/** The size of the greedy business, which a deep page must skip. */
const GREEDY: Size = { customers: 50_000, events: 1000, attendances: 100_000 };
const CALM: Size = { customers: 20_000, events: 1000, attendances: 20_000 };

/** Measures in turns with and without the greedy business, on one process with default settings. */
export async function neighbourRows(report: Report, cluster: Cluster, { turns, seconds }: Length): Promise<void> {
  const greedy = await install(cluster, 'neighbours', GREEDY);
  const calm = await install(cluster, 'neighbours', CALM);
  const server = await serve(greedy.url);
  try {
    const stretches = new Stretches(calm, CALM.attendances);
    const book = () => {
      const base = stretches.take(TURN);
      return bookFor(calm, server, { seconds, requests: TURN }, (i) => pair(calm, base + i));
    };
    await book(); // warm-up: compiles the code
    const ratios: { throughput: number; p99: number }[] = [];
    const alone: number[] = [];
    const beside: number[] = [];
    const lists: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const before = await book();
      const crowd = await startGreedy(server, greedy);
      const during = await book().finally(() => crowd.stop());
      const { perSecond, failed } = await crowd.report;
      if (failed > 0)
        throw new Error(`${failed} lists of the greedy business got no answer, or none that was foreseen`);
      ratios.push({ throughput: during.perSecond / before.perSecond, p99: during.p99 / before.p99 });
      alone.push(before.p99);
      beside.push(during.p99);
      lists.push(perSecond);
    }
    const name = `register beside ${GREEDY_CONNECTIONS} connections with the deepest sorted page at another business`;
    report.add({
      name: `${name}: throughput, of that when calm`,
      figure: median(ratios.map((r) => r.throughput)),
      reach: 0.6,
    });
    report.add({
      name: '  p99, against when calm',
      figure: median(beside),
      against: median(alone),
      ratio: median(ratios.map((r) => r.p99)),
      reach: 10,
      better: 'lower',
      unit: 'ms',
    });
    report.add({ name: '  pages that the other business got meanwhile', figure: median(lists), unit: '/s' });
  } finally {
    await server.stop();
    await Promise.all([greedy.remove(), calm.remove()]);
  }
}

/** Starts the greedy client in a separate process, so that it does not slow the client that measures. */
async function startGreedy(
  server: Server,
  { token }: Installation,
): Promise<{ stop(): void; report: Promise<GreedyReport> }> {
  const options: GreedyOptions = { url: server.url, token, connections: GREEDY_CONNECTIONS, rows: GREEDY.attendances };
  const child = fork(fileURLToPath(new URL('greedy.ts', import.meta.url)), [JSON.stringify(options)]);
  const said = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`the greedy business ended with ${code}`)));
    });
  await said(); // waits until its connections are busy
  const report = said() as Promise<GreedyReport>;
  report.catch(() => {});
  return { stop: () => child.send('stop'), report };
}
