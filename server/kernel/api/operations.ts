/** What whoever runs the service asks it: does it live, can it serve, what does it count; and what it says of itself. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { publish } from './published.ts';
import type { Metrics } from '../metrics.ts';
import type { Registry } from './registry.ts';

export interface OperationsOptions {
  db: Database;
  metrics: Metrics;
  registry: Registry;
}

export function operations(http: FastifyInstance, { db, metrics, registry }: OperationsOptions): void {
  publish(http, registry);
  http.get('/', async (_request, reply) => reply.redirect('/docs'));
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    try {
      await db.ping();
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });
  http.get('/metrics', async (_request, reply) => reply.type('text/plain; version=0.0.4').send(await metrics.text()));
}
