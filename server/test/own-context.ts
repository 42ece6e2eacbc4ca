/** The service's own work on the world of a test, without a worker: what its readers, jobs and engines are given. */
import { findTenant } from '../areas/platform/providers/index.ts';
import { pino } from 'pino';
import { Metrics } from '../kernel/metrics.ts';
import { Tenants } from '../kernel/access/tenants.ts';
import type { DispatchOptions } from '../kernel/feed/read-portion.ts';
import type { World } from './world.ts';

export function ownContext(world: World): DispatchOptions {
  const { db, registry, installation } = world.app;
  return {
    db,
    registry,
    installation,
    tenants: new Tenants(db, findTenant),
    metrics: new Metrics(db),
    log: pino({ level: 'silent' }),
    now: () => world.now,
  };
}
