/**
 * What whoever runs the service asks it: does it live, can it serve, what does it count; and what it says of itself.
 */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { publish } from './published.ts';
import type { Metrics } from '../metrics.ts';
import type { Registry } from './registry.ts';

export interface OperationsOptions {
  db: Database;
  metrics: Metrics;
  registry: Registry;
  /** whether this process runs its jobs; null: they are others' */
  jobsRun: () => boolean | null;
}

export function operations(http: FastifyInstance, { db, metrics, registry, jobsRun }: OperationsOptions): void {
  publish(http, registry);
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    try {
      await db.ping();
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
    const { diskFull, commitsWaiting } = db.trouble;
    if (diskFull) return reply.code(503).send({ status: 'the disk of the database is full' });
    if (jobsRun() === false) return reply.code(503).send({ status: 'jobs do not run' });
    // Who reads can still be served: taken away from the proxy, nobody would be.
    return commitsWaiting > 0
      ? { status: 'ready', warning: 'the database does not confirm changes' }
      : { status: 'ready' };
  });
  http.get('/metrics', async (_request, reply) => reply.type('text/plain; version=0.0.4').send(await metrics.text()));
}
