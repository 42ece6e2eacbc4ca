/** What the worker does for a business after days have passed, without a worker: two servers bill at the same time. */
import { billDueOf } from '../../areas/commerce/billing/engine.ts';
import { completeOver } from '../../areas/memberships/customer-memberships/renewals/complete.ts';
import { creditAccounts } from '../../areas/money/account-entries/credit.ts';
import { ownContext } from '../own-context.ts';
import { renewDue } from '../../areas/memberships/customer-memberships/renewals/renew.ts';
import { settleDue } from '../../areas/memberships/customer-memberships/index.ts';
import type { Stage } from './scene.ts';

const DAY_MS = 86_400_000;

/** Moves the clock, and does what is due then. Jobs of a business run one after the other; billing runs everywhere. */
export async function passDays(stage: Stage, days: number): Promise<void> {
  stage.world.setNow(stage.world.now + days * DAY_MS);
  for (const job of [settleDue, completeOver]) await stage.background(0, job);
  for (let isDue = true; isDue;) {
    await stage.background(0, renewDue);
    isDue = (await Promise.all(stage.servers.map((_, server) => bill(stage, server)))).includes(true);
  }
  for (const job of [settleDue, completeOver, creditAccounts]) await stage.background(1, job);
}

async function bill({ world, servers }: Stage, server: number): Promise<boolean> {
  const own = ownContext({ app: servers[server].app!, now: world.now });
  return billDueOf(own, (await own.tenants.of(world.harbour))!);
}
