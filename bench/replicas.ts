/**
 * What a replica takes off the primary: a page of 50 bookings by 16 callers, without and with a standby beside it. Shown is
 * the processor time that each server spends on one page, which says the same on a busy machine. Nothing is to be reached.
 *
 * node bin/rollcall.mjs run bench/replicas.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { beside } from '../server/test/storm.ts';
import { headersFor, LIST } from './reads.ts';
import { install, serve, vacuum, type Installation } from './installation.ts';
import { load, prepare } from './load.ts';
import { Pair } from '../server/test/pair.ts';

const SECONDS = 5;
const CALLERS = 16;
/** of `/proc/<pid>/stat`, ms */
const TICK = 10;
const say = (line: string) => process.stdout.write(`${line}\n`);

const statOf = (pid: string | number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** The process that all of a server are children of. */
async function postmasterOf(url: string): Promise<string> {
  const client = await beside(url);
  const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
  const parent = statOf(pid)[1];
  await client.end();
  return parent;
}

/** ms that the processes of a server have spent so far, those that ended included. */
function spentBy(postmaster: string): number {
  const own = statOf(postmaster);
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = statOf(pid);
        return stat[1] === postmaster ? [Number(stat[11]) + Number(stat[12])] : [];
      } catch {
        // It ended meanwhile, and counts with its parent.
        return [];
      }
    });
  const ended = [11, 12, 13, 14].reduce((sum, field) => sum + Number(own[field]), 0);
  return running.reduce((sum, ticks) => sum + ticks, ended) * TICK;
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
  const servers = [await postmasterOf(pair.primaryUrl), await postmasterOf(pair.standbyUrl)];
  for (const [name, env] of [
    ['without a replica', {}],
    ['with a replica   ', { REPLICA_URL: pair.standbyUrl }],
  ] as const) {
    const server = await serve(pair.primaryUrl, env);
    const request = prepare({ method: 'GET', path: LIST, headers: headersFor(installation, server) });
    const run = (seconds: number) => load({ url: server.url, connections: CALLERS, seconds, next: () => request });
    await run(2);
    const before = servers.map(spentBy);
    const { requests, errors, perSecond, p50, p99 } = await run(SECONDS);
    if (errors > 0) throw new Error(`${errors} requests were not answered`);
    const [primary, standby] = servers.map((pid, i) => ((spentBy(pid) - before[i]) / requests).toFixed(2));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const told = [...metrics.matchAll(/^rollcall_replica_reads_total\{outcome="(\w+)"\} (\d+)/gm)];
    say(
      `${name}: ${perSecond.toFixed(0)} pages/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; the primary spends ${primary} ms on a page, the standby ${standby} ms` +
        (told.length > 0 ? `; reads: ${told.map(([, outcome, n]) => `${outcome} ${n}`).join(', ')}` : ''),
    );
    await server.stop();
  }
} finally {
  await pair.remove();
}
