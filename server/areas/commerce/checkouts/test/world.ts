/** Checkouts, and what is sold in them, for tests. Everything through the interface. */
import assert from 'node:assert/strict';
import { beside } from '../../../../test/storm.ts';
import { MembershipWorld } from '../../../../test/membership-world.ts';
import { newEvent, newOffering, row } from '../../../../test/schedule-world.ts';
import type { ApiAnswer, World } from '../../../../test/world.ts';
import type pg from 'pg';

type Body = Record<string, unknown>;

export class CheckoutWorld {
  readonly world: World;
  readonly m: MembershipWorld;
  /** ids of payment processors */
  readonly sandbox: number;
  readonly desk: number;
  /** sees everything */
  readonly owner: pg.Client;

  private constructor(parts: Pick<CheckoutWorld, 'world' | 'm' | 'sandbox' | 'desk' | 'owner'>) {
    this.world = parts.world;
    this.m = parts.m;
    this.sandbox = parts.sandbox;
    this.desk = parts.desk;
    this.owner = parts.owner;
  }

  static async of(world: World): Promise<CheckoutWorld> {
    const processor = async (kind: string, name: string): Promise<number> => {
      const made = await world.post('/payment_processors', { as: world.machine, body: { kind, name } });
      assert.equal(made.status, 201, made.text);
      return made.body.id;
    };
    return new CheckoutWorld({
      world,
      m: await MembershipWorld.of(world),
      sandbox: await processor('sandbox', 'Card'),
      desk: await processor('offline', 'Cash'),
      owner: await beside(world.databaseUrl),
    });
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.world.close();
  }

  ask(method: string, path: string, body?: Body, as: string = this.world.machine): Promise<ApiAnswer> {
    return this.world.ask(method, path, { as, body });
  }

  async #done(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.ask(method, path, body, as);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  /** What a request that is refused says. */
  async refused(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.ask(method, path, body, as);
    assert.ok(answer.status >= 400, `${method} ${path} was not refused: ${answer.text}`);
    return { status: answer.status, ...answer.body };
  }

  /** An event of an offering of its own, without memberships that cover it. `price`: of a drop-in */
  async event({ price = '15.00', ...over }: Body & { price?: string } = {}): Promise<number> {
    const minor = Math.round(Number(price) * 100);
    const offering = await newOffering(this.world, { dropin_price_minor: minor });
    return (await newEvent(this.world, { ...this.m.place, offering }, over)).id;
  }

  /** An event that memberships of this world are for. */
  async memberEvent(over: Body = {}): Promise<number> {
    return (await newEvent(this.world, this.m.place, over)).id;
  }

  joiningFee(minor: number): Promise<number> {
    return row(this.world, 'joining_fee', { name: 'Welcome kit', amount_minor: minor });
  }

  async open(customer: number, body: Body = {}, as?: string): Promise<string> {
    return (await this.#done('POST', '/checkouts', { customer, ...body }, as)).id;
  }

  add(id: string, body: Body, as?: string): Promise<any> {
    return this.#done('POST', `/checkouts/${id}/add_item`, body, as);
  }

  get(id: string, as?: string): Promise<any> {
    return this.#done('GET', `/checkouts/${id}`, undefined, as);
  }

  pay(id: string, body: Body = {}, as?: string): Promise<any> {
    return this.#done('POST', `/checkouts/${id}/pay`, body, as);
  }

  patch(id: string, body: Body, as?: string): Promise<any> {
    return this.#done('PATCH', `/checkouts/${id}`, body, as);
  }

  read(path: string): Promise<any> {
    return this.#done('GET', path);
  }
}
