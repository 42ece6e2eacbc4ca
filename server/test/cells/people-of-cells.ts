/** Two cells, and people who have an account in one of them. */
import { randomUUID } from 'node:crypto';
import { createUser, type AccountDoor, type AtBusiness } from '../../areas/people/identity/index.ts';
import { PageClient, type PageAnswer } from '../pages/page-client.ts';
import { sql, type Sql } from '../../kernel/base/db/sql.ts';
import { startCells, type Cells, type CellsOptions } from './cells-world.ts';
import type { World } from '../world.ts';

export const PASSWORD = 'quiet otter seven lanterns';

const PATIENT_MS = 60_000;

export interface Person {
  readonly id: number;
  readonly email: string;
}

export class PeopleOfCells {
  readonly all: Cells;
  #addresses = 0;

  private constructor(all: Cells) {
    this.all = all;
  }

  static async start(options: CellsOptions = {}): Promise<PeopleOfCells> {
    const all = await startCells({ worker: true, ...options });
    for (const { world } of all.cells) {
      // A busy machine is not an unreachable cell; a front that is shut down refuses immediately.
      const ring = world.app.installation.cells!;
      const ask = ring.ask.bind(ring);
      ring.ask = (cell, question, asked) => ask(cell, question, asked, PATIENT_MS);
    }
    return new PeopleOfCells(all);
  }

  world(cell: number): World {
    return this.all.cell(cell).world;
  }

  door(cell: number): AccountDoor {
    return this.world(cell).app.accounts;
  }

  /** Returns a different origin each time, so that no test slows another down. */
  somewhere(cell: number): AtBusiness {
    return { address: `198.51.100.${++this.#addresses}`, agent: 'Test/1.0', providerId: this.world(cell).harbour };
  }

  /** Creates an account that only this cell has. */
  async newPerson(cell: number): Promise<Person> {
    const email = `${randomUUID().slice(0, 8)}@example.com`;
    const id = await this.door(cell).db.acrossTenants('a test has an account', (tx) =>
      createUser(tx, { email, password: PASSWORD, firstName: 'Ada' }),
    );
    return { id, email };
  }

  rows<T = Record<string, any>>(cell: number, query: Sql): Promise<T[]> {
    return this.door(cell).db.acrossTenants('a test looks at accounts', (tx) => tx.rows<T>(query));
  }

  async account(cell: number, id: number): Promise<Record<string, any> | undefined> {
    return (await this.rows(cell, sql`SELECT * FROM user_account WHERE id = ${id}`))[0];
  }

  /** Creates a super admin of this cell's business. */
  async newStaff(cell: number, { email, userId = null }: { email: string; userId?: number | null }): Promise<number> {
    const { harbour } = this.world(cell);
    const [{ id }] = await this.rows<{ id: number }>(
      cell,
      sql`INSERT INTO staff (provider_id, user_id, first_name, last_name, email, permissions)
        VALUES (${harbour}, ${userId}, 'Ada', 'Byron', ${email}, '{super_admin}') RETURNING id`,
    );
    return id;
  }

  /** Logs somebody in with a browser at the business of this cell. */
  async browserOf(cell: number, { email }: Pick<Person, 'email'>, password = PASSWORD): Promise<PageClient> {
    const browser = new PageClient(this.world(cell).url);
    const { status, text } = await this.logInWith(browser, cell, { email }, password);
    if (status !== 303) throw new Error(`they could not log in: ${status} ${text}`);
    return browser;
  }

  async logInWith(
    browser: PageClient,
    cell: number,
    { email }: Pick<Person, 'email'>,
    password = PASSWORD,
  ): Promise<PageAnswer> {
    const page = `/account/${this.world(cell).harbour}/log-in`;
    await browser.get(page);
    return browser.post(page, { email, password, return_to: '', keep: '' });
  }

  /** Returns the same browser, with requests to this cell. */
  at(cell: number, browser: PageClient): PageClient {
    const there = new PageClient(this.world(cell).url);
    for (const [name, value] of browser.cookies) there.cookies.set(name, value);
    return there;
  }

  /** Returns true if the browser is logged in, as this cell sees it. */
  async isIn(cell: number, browser: PageClient): Promise<boolean> {
    const { status, headers, text } = await this.at(cell, browser).get(this.profile(cell));
    if (status === 200) return true;
    if (status === 303 && headers.get('location')!.includes('/log-in')) return false;
    throw new Error(`an answer that says neither: ${status} ${text}`);
  }

  profile = (cell: number): string => `/account/${this.world(cell).harbour}/profile`;

  close(): Promise<void> {
    return this.all.close();
  }
}
