/**
 * The service's background work on the world of a test, without a worker: the context for its readers, jobs and
 * engines.
 */
import assert from 'node:assert/strict';
import { findTenant } from '../areas/platform/providers/index.ts';
import { pino } from 'pino';
import { Metrics } from '../kernel/base/metrics.ts';
import { numberFeedItems } from '../kernel/work/feed/number.ts';
import { Tenants } from '../kernel/work/unit/tenants.ts';
import { readPortion, type DispatchOptions } from '../kernel/work/worker/read-portion.ts';
import type { FeedReader } from '../kernel/work/unit/feed-reader.ts';
import type { World } from './world.ts';

export function ownContext(world: Pick<World, 'app' | 'now'>): DispatchOptions {
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

/** Runs a feed reader over all items of Harbour so far, as a worker would. */
export async function readAll(world: World, reader: FeedReader): Promise<void> {
  // One round numbers a limited number of items, and other test files of the process may have left some.
  while ((await numberFeedItems(world.app.db)) > 0);
  const context = ownContext(world);
  for (let outcome = 'more'; outcome === 'more';) {
    outcome = await readPortion(context, reader, world.harbour);
    assert.notEqual(outcome, 'failed');
  }
}
