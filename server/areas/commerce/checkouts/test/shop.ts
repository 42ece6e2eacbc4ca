/** A store whose orders are checked out and paid for, for tests. */
import { after, before } from 'node:test';
import { CheckoutWorld } from './world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { StoreWorld } from '../../store/test/world.ts';

export interface Shop {
  readonly world: World;
  readonly c: CheckoutWorld;
  readonly s: StoreWorld;
}

/** Returns one shop for all tests of a file. Its contents exist once the tests run. */
export function shop(how: Parameters<typeof startWorld>[0] = {}): Shop {
  const made = {} as { -readonly [K in keyof Shop]: Shop[K] };
  before(async () => {
    made.world = await startWorld(how);
    made.c = await CheckoutWorld.of(made.world);
    made.s = await StoreWorld.of(made.world);
  });
  after(async () => {
    await made.s.owner.end();
    await made.c.close();
  });
  return made;
}
