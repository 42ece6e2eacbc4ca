/** Guarantees for every screen of the dashboard, whoever adds one: who may open it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addressOf, screens, type Screen } from './test/screens.ts';
import { DashboardWorld } from './test/dashboard-world.ts';
import { newEvent, newPlace, row, type Place } from '../../../test/schedule-world.ts';
import { PERMISSIONS, type StaffPermission } from '../../people/staff/index.ts';
import { inTurns } from '../../../test/rare.ts';
import type { World } from '../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let place: Place;
/** path of each screen, below the business */
const addresses = new Map<string, string>();
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
  place = await newPlace(world);
  await newEvent(world, place, { in: 1 });
  for (const screen of screens) addresses.set(screen.name, await addressOf(world, screen));
});
after(() => desk?.close());

const OWNER = 'an owner';
const ROLES: readonly { readonly role: string; readonly permissions: readonly StaffPermission[] }[] = [
  { role: OWNER, permissions: ['super_admin'] },
  { role: 'the front desk', permissions: ['customers', 'attendances', 'pos'] },
  { role: 'an instructor', permissions: ['instructor_attendances', 'instructor_manage_events'] },
  { role: 'somebody without a permission', permissions: [] },
  // In turns from change to change, all of them in `npm run test:all`.
  ...inTurns(PERMISSIONS.filter((one) => one !== 'super_admin')).map((one) => ({
    role: `${one} alone`,
    permissions: [one],
  })),
];

const mayOpen = ({ needs }: Screen, permissions: readonly StaffPermission[]): boolean =>
  needs.length === 0 || permissions.includes('super_admin') || needs.some((one) => permissions.some((p) => p === one));

describe('every screen is in the navigation of those who may use it, asks for nothing that they may not, and sends others on', () => {
  for (const { role, permissions } of ROLES)
    test(role, async () => {
      const who = await desk.colleague({ permissions });
      const visitor = await desk.window(who);
      const { page } = visitor;
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
      });
      // Instructors see what they teach.
      const instructor = await row(world, 'instructor', { staff_id: who.staffId, name: 'Kim Reyes' });
      const { id: taught } = await newEvent(world, place, { in: 2, instructors: [instructor] });
      await desk.open(visitor, 'today');
      await visitor.read();
      const links = await page.locator('.nav a').all();
      assert.deepEqual(
        await Promise.all(links.map((link) => link.getAttribute('href'))),
        inOrder(screens.filter((screen) => screen.icon && mayOpen(screen, permissions))).map(
          ({ path }) => `/dashboard/${world.harbour}/${path}`,
        ),
      );
      const wrong = refused.splice(0);
      for (const screen of screens) {
        const address = screen.path === 'door/$event' ? `door/${taught}` : addresses.get(screen.name)!;
        if (screen.name !== 'today') await visitor.follow(`/dashboard/${world.harbour}/${address}`);
        const isRefused = (await page.getByRole('heading', { name: 'You don’t have access to this page' }).count()) > 0;
        if (isRefused === mayOpen(screen, permissions)) wrong.push(`${address} is ${isRefused ? 'refused' : 'shown'}`);
        if (isRefused) await page.getByText(/^Ask a super admin of/).waitFor();
        // The check at the end of the run looks at each screen once.
        if (role === OWNER) await visitor.checkLive(`screen-${screen.name}`);
        wrong.push(...refused.splice(0).map((one) => `${address} asks ${one}`));
      }
      assert.deepEqual(wrong, []);
      await visitor.close();
    });
});

/** Sorts daily tasks first, then the screens under headings. */
const inOrder = (all: readonly Screen[]): readonly Screen[] => {
  const groups = [undefined, ...new Set(screens.map(({ group }) => group).filter(Boolean))];
  return all.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
};
