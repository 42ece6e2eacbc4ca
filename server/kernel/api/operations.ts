/** Endpoints for operators: is the process alive, can it serve, what are its metrics, and which release is it. */
import { RELEASE } from '../base/release.ts';
import fastify, { type FastifyInstance } from 'fastify';
import type { Database } from '../base/db/database.ts';
import type { Metrics } from '../base/metrics.ts';

interface Watched {
  db: Database;
  metrics: Metrics;
  /** whether this process runs its jobs; null: other processes run them */
  jobsRun: () => boolean | null;
  /** releases that have run in parallel for too long */
  releases: () => readonly string[] | null;
  /** other cells that don't respond */
  cellsAway: () => readonly number[];
}

/**
 * Returns a server for a process that serves nothing else, such as a worker, so that it can be monitored on a port of
 * its own.
 */
export function operationsAlone(watched: Watched): FastifyInstance {
  const http = fastify({ forceCloseConnections: true });
  operations(http, watched);
  return http;
}

/** Adds the endpoints to a server. */
export function operations(http: FastifyInstance, { db, metrics, jobsRun, releases, cellsAway }: Watched): void {
  http.get('/healthz', async () => ({ status: 'ok', version: RELEASE }));
  http.get('/readyz', async (_request, reply) => {
    try {
      await db.ping();
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
    const { diskFull, commitsWaiting } = db.trouble;
    if (diskFull) return reply.code(503).send({ status: 'the disk of the database is full' });
    if (jobsRun() === false) return reply.code(503).send({ status: 'jobs do not run' });
    const lost = db.replicas?.states.filter(({ trouble }) => trouble !== null) ?? [];
    const away = cellsAway();
    const mix = releases();
    const warnings = [
      // Reads can still be served: without this process in the proxy, nobody could be.
      ...(commitsWaiting > 0 ? ['the database does not confirm changes'] : []),
      ...lost.map(({ name, trouble }) => `the replica ${name} is not read from: ${trouble}`),
      ...(away.length > 0 ? [`these cells do not answer: ${away.join(', ')}`] : []),
      ...(mix ? [`processes of different releases are running: ${mix.join(', ')}`] : []),
    ];
    return warnings.length > 0 ? { status: 'ready', warnings } : { status: 'ready' };
  });
  http.get('/metrics', async (_request, reply) => reply.type('text/plain; version=0.0.4').send(await metrics.text()));
}
