/**
 * The dashboard for staff members with the permissions that a test gives them, in windows without Chromium.
 * `dashboard-browser.ts` has it in a real browser.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { build, SHIPPED } from '../built.ts';
import { createStaffMember, type StaffPermission } from '../../../people/staff/index.ts';
import { numberFeedItems } from '../../../../kernel/work/feed/number.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startSession } from '../../../people/identity/index.ts';
import { startWorld, type World, type WorldOptions } from '../../../../test/world.ts';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { Visit } from './window/visit.ts';
import { DeskWindow } from './window/desk-window.ts';
import { Untried } from './untried.ts';

export interface StaffWanted {
  /** absent: a super admin */
  readonly permissions?: readonly StaffPermission[];
  /** ids of the venues that they are limited to */
  readonly venues?: readonly number[];
  readonly providerId?: number;
  readonly firstName?: string;
}

export interface Colleague {
  readonly userId: number;
  readonly staffId: number;
  readonly email: string;
  /** of a running session */
  readonly cookie: string;
}

export class DashboardWorld {
  readonly world: World;
  protected readonly untried: Untried;

  constructor(world: World) {
    this.world = world;
    this.untried = new Untried(world.app.registry);
  }

  /** Starts the world. Call it in before(), and close() in after(). */
  static async start<T extends DashboardWorld>(this: new (world: World) => T, options: WorldOptions = {}): Promise<T> {
    await build(SHIPPED);
    return new this(await startWorld(options));
  }

  /** Creates a staff member of the business who is logged in. */
  async colleague({
    permissions = ['super_admin'],
    venues,
    providerId = this.world.harbour,
    firstName = 'Kim',
  }: StaffWanted = {}): Promise<Colleague> {
    const email = `${randomUUID()}@example.com`;
    const { app, now } = this.world;
    const userId = await app.db.acrossTenants('a test makes an account', async (tx) => {
      const row = await tx.one<{ id: number }>(
        sql`INSERT INTO user_account (email, email_key, email_confirmed_at) VALUES (${email}, ${email}, now())
          RETURNING id`,
      );
      return row!.id;
    });
    const staffId = await this.world.work(providerId, (work) =>
      createStaffMember(work, {
        user_id: userId,
        first_name: firstName,
        last_name: 'Reyes',
        email,
        permissions: Object.fromEntries(permissions.map((one) => [one, true])),
        ...(venues && { venues: [...venues] }),
      }),
    );
    const { token: cookie } = await app.db.acrossTenants('a test logs somebody in', (tx) =>
      startSession(tx, { userId, secondFactor: false, agent: 'test', now }),
    );
    return { userId, staffId, email, cookie };
  }

  /**
   * Opens a window of this person, without Chromium; absent: of a new super admin. `origin`: another address of the
   * service
   */
  async window(who?: Colleague, origin = this.world.url): Promise<DeskWindow> {
    const { cookie } = who ?? (await this.colleague());
    const window = new DeskWindow(origin, `rollcall_session=${cookie}`, this.untried.watched());
    await window.page.clock.setFixedTime(this.world.now);
    return window;
  }

  /** Calls the interface as a program with all permissions, and fails on a refusal. */
  async ask(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.world.ask(method, path, { as: this.world.machine, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  /** Numbers the feed items, as a worker does, so that pages that follow the feed receive them. */
  async publish(): Promise<void> {
    // A round is limited, and other files of the process may have left items of their own.
    while ((await numberFeedItems(this.world.app.db)) > 0);
  }

  /** Opens a screen, such as `today`, and waits until its heading is there. */
  async open(visitor: Visit, path: string, providerId = this.world.harbour): Promise<void> {
    await visitor.page.goto(`/dashboard/${providerId}/${path}`);
    // The page that is shown during the build has a heading too.
    await visitor.page.locator('.shell main h1').waitFor();
    visitor.check();
  }

  /** @throws AssertionError with the changes that pages made without showing a preview first */
  async close(): Promise<void> {
    await this.world?.close();
    assert.deepEqual(this.untried.found, [], 'the dashboard changes something without showing it first');
  }
}

/**
 * Returns noon of the next day at the tests' business in epoch milliseconds: a test that uses it as the current time
 * never runs past midnight.
 */
export function noonTomorrow({ now }: World): number {
  const [date] = new Date(now + 86_400_000).toISOString().split('T');
  // Toronto is four or five hours behind UTC; both give a time during the day there.
  return Date.parse(`${date}T17:00:00Z`);
}

/** Checks a screen without the notifications that cover it. */
export async function look(visitor: Visit, name: string): Promise<void> {
  if (visitor instanceof DeskWindow) {
    visitor.clearNews();
    await visitor.page.locator('.toast').waitFor({ state: 'detached' });
    return visitor.checkLive(name);
  }
  const { page } = visitor as Visitor;
  await page.evaluate(() => {
    for (const close of (globalThis as any).document.querySelectorAll('.toast button:not(.strong)')) close.click();
  });
  await page.waitForFunction(() => !(globalThis as any).document.querySelector('.toast'));
  await visitor.checkLive(name);
}
