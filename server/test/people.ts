/**
 * People with accounts, profiles and access tokens of an application: real credentials, for tests over all kinds of
 * callers.
 */
import { randomUUID } from 'node:crypto';
import { createCustomer, type NewCustomer } from '../areas/people/customers/index.ts';
import { createStaffMember, type StaffPermission } from '../areas/people/staff/index.ts';
import { newApplication, type TestApplication } from './worlds/oauth-world.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { startAuthorization, type Tokens } from '../areas/people/applications/index.ts';
import type { World } from './world.ts';

export interface Held extends Tokens {
  readonly userId: number;
  readonly authorizationId: number;
}

/** Logs people in through one application, which reaches every business. */
export class People {
  readonly #world: World;
  readonly application: TestApplication;

  private constructor(world: World, application: TestApplication) {
    this.#world = world;
    this.application = application;
  }

  static async of(world: World): Promise<People> {
    const application = await newApplication(world);
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE application SET installation_wide = true WHERE provider_id = ${world.harbour}
          AND id = ${application.id}`,
      ),
    );
    return new People(world, application);
  }

  /** Creates an account without a profile; request its tokens after adding the profiles that it needs. */
  async account(): Promise<number> {
    const email = `${randomUUID()}@example.com`;
    const row = await this.#world.app.db.acrossTenants('a test makes an account', (tx) =>
      tx.one<{ id: number }>(
        sql`INSERT INTO user_account (email, email_key, email_confirmed_at) VALUES (${email}, ${email}, now())
          RETURNING id`,
      ),
    );
    return row!.id;
  }

  staffMember(
    userId: number,
    permissions: readonly StaffPermission[],
    providerId = this.#world.harbour,
  ): Promise<number> {
    const granted = Object.fromEntries(permissions.map((p) => [p, true]));
    return this.#world.work(providerId, (work) =>
      createStaffMember(work, {
        user_id: userId,
        first_name: 'Kim',
        last_name: 'Reyes',
        email: `${randomUUID()}@example.com`,
        permissions: granted,
      }),
    );
  }

  customer(userId: number, values: Partial<NewCustomer> = {}, providerId = this.#world.harbour): Promise<number> {
    return this.#world.work(providerId, (work) =>
      createCustomer(work, {
        user_id: userId,
        first_name: 'Ada',
        last_name: 'Byron',
        email: `${randomUUID()}@example.com`,
        ...values,
      }),
    );
  }

  /** Returns the application's tokens once the person has granted access. */
  async tokens(
    userId: number,
    { scopes = ['read_write'], providerIds = null as readonly number[] | null, secondFactor = false } = {},
  ): Promise<Held> {
    const { harbour, now, app } = this.#world;
    const tokens = await app.db.acrossTenants('a test lets an application in', (tx) =>
      startAuthorization(tx, app.installation, now, {
        providerId: harbour,
        applicationId: this.application.id,
        userId,
        scopes,
        providerIds,
        secondFactor,
      }),
    );
    return { ...tokens, userId };
  }
}
