/**
 * The load that a replica takes off the primary: a page of 50 bookings requested by 16 callers, with and without a
 * standby. Reports the processor time that each server spends on one page, which does not depend on how busy the
 * machine is. There is no target.
 *
 * node bin/rollcall.mjs run bench/replicas.ts
 */
import { beside } from '../server/test/storm.ts';
import { headersFor, LIST } from './reads.ts';
import { install, serve, vacuum, type Installation } from './kit/installation.ts';
import { load, prepare } from './kit/load.ts';
import { postmasterOf, usedByFamily } from './kit/meter.ts';
import { Pair } from '../server/test/processes/pair.ts';

const SECONDS = 5;
const CALLERS = 16;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function postmasterAt(url: string): Promise<number> {
  const client = await beside(url);
  const postmaster = await postmasterOf(client);
  await client.end();
  return postmaster;
}

let installation!: Installation;
const pair = await Pair.start(
  async (url) => {
    installation = await install({ url: url.replace(/rollcall$/, 'postgres'), remove: async () => {} }, 'rollcall', {
      customers: 5000,
      events: 1000,
      attendances: 100_000,
    });
    await vacuum(url);
    await installation.remove();
  },
  { confirms: false },
);
try {
  const servers = [await postmasterAt(pair.primaryUrl), await postmasterAt(pair.standbyUrl)];
  for (const [name, env] of [
    ['without a replica', {}],
    ['with a replica   ', { REPLICA_URL: pair.standbyUrl }],
  ] as const) {
    const server = await serve(pair.primaryUrl, env);
    const request = prepare({ method: 'GET', path: LIST, headers: headersFor(installation, server) });
    const run = (seconds: number) => load({ url: server.url, connections: CALLERS, seconds, next: () => request });
    await run(2);
    const before = servers.map(usedByFamily);
    const { requests, errors, perSecond, p50, p99 } = await run(SECONDS);
    if (errors > 0) throw new Error(`${errors} requests were not answered`);
    const [primary, standby] = servers.map((pid, i) => ((usedByFamily(pid) - before[i]) / requests).toFixed(2));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const reads = [...metrics.matchAll(/^rollcall_replica_reads_total\{outcome="(\w+)"\} (\d+)/gm)];
    say(
      `${name}: ${perSecond.toFixed(0)} pages/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; the primary spends ${primary} ms on a page, the standby ${standby} ms` +
        (reads.length > 0 ? `; reads: ${reads.map(([, outcome, n]) => `${outcome} ${n}`).join(', ')}` : ''),
    );
    await server.stop();
  }
} finally {
  await pair.remove();
}
