/** A counter with cash drawers, for tests. Everything goes through the interface. */
import assert from 'node:assert/strict';
import { CheckoutWorld } from '../../checkouts/test/world.ts';
import { WATER } from './quick.ts';
import type { World } from '../../../../test/world.ts';

type Body = Record<string, unknown>;

export class CounterWorld {
  readonly c: CheckoutWorld;
  /** id of a card terminal */
  readonly terminal: number;
  /** id of a cash drawer */
  readonly drawer: number;

  private constructor(c: CheckoutWorld, terminal: number, drawer: number) {
    this.c = c;
    this.terminal = terminal;
    this.drawer = drawer;
  }

  static async of(world: World): Promise<CounterWorld> {
    const c = await CheckoutWorld.of(world);
    return new CounterWorld(c, await newProcessor(world, {}), await newProcessor(world, { cash_drawer: 'yes' }));
  }

  get world(): World {
    return this.c.world;
  }

  close(): Promise<void> {
    return this.c.close();
  }

  async done(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.c.ask(method, path, body, as);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  refused(method: string, path: string, body?: Body, as?: string): Promise<any> {
    return this.c.refused(method, path, body, as);
  }

  newDrawer(): Promise<number> {
    return newProcessor(this.world, { cash_drawer: 'yes' });
  }

  /** Opens a session of the drawer with this float and returns its id. */
  async open(float = '50.00', drawer = this.drawer, as?: string): Promise<number> {
    const body = { payment_processor: drawer, opening_float: float };
    return (await this.done('POST', '/counter/cash_sessions', body, as)).id;
  }

  session(id: number, as?: string): Promise<any> {
    return this.done('GET', `/counter/cash_sessions/${id}`, undefined, as);
  }

  closeSession(id: number, counted: string, difference_reason?: string): Promise<any> {
    return this.done('POST', `/counter/cash_sessions/${id}/close`, { counted, difference_reason });
  }

  sell(body: Body, as?: string): Promise<any> {
    return this.done('POST', '/counter/sales', { items: [WATER], ...body }, as);
  }

  /** Sells one quick item for this amount, in cash. */
  sellFor(amount: string, drawer = this.drawer): Promise<any> {
    return this.sell({
      items: [{ ...WATER, unit_price: amount }],
      payments: [{ payment_processor: drawer }],
    });
  }
}

async function newProcessor(world: World, settings: Body): Promise<number> {
  const made = await world.post('/payment_processors', {
    as: world.machine,
    body: { kind: 'offline', name: settings.cash_drawer ? 'Drawer' : 'Terminal', settings },
  });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}
