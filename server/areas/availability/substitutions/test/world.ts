/** Events that somebody can't teach, and instructors who could. */
import assert from 'node:assert/strict';
import { newEvent, newInstructor, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { teach } from '../../../../test/worlds/slot-world.ts';
import type { World } from '../../../../test/world.ts';

export interface Teacher {
  readonly instructor: number;
  readonly staff: number;
  /** logged in, with an instructor's permission */
  readonly token: string;
}

/** Sets the permissions of a staff member’s record. */
export const setPermissions = (world: World, staff: number, permissions: readonly string[]): Promise<unknown> =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE staff SET permissions = ${permissions}::text[]
      WHERE provider_id = ${world.harbour} AND id = ${staff}`),
  );

/** Creates an instructor of these offering types. */
export async function teacher(world: World, ...types: number[]): Promise<Teacher> {
  const made = await newInstructor(world);
  await setPermissions(world, made.staff, ['instructor_attendances']);
  for (const type of types) await teach(world, type, made.instructor);
  return { ...made, token: world.staff(['instructor_attendances'], made.staff) };
}

export interface Wanted {
  readonly venue: number;
  readonly offering: number;
  readonly event: number;
  readonly request: number;
  /** the instructor who made the request */
  readonly away: Teacher;
}

/** Creates a request for an event tomorrow. */
export async function wanted(world: World, body: Record<string, unknown> = {}): Promise<Wanted> {
  const [venue, offering] = [await newVenue(world), await newOffering(world)];
  const away = await teacher(world, offering);
  const event = await newEvent(world, { venue, offering }, { instructors: [away.instructor] });
  const made = await world.post('/substitute_requests', { as: away.token, body: { event: event.id, ...body } });
  assert.equal(made.status, 201, made.text);
  return { venue, offering, event: event.id, request: made.body.id, away };
}

export const act = (
  world: World,
  request: number,
  what: string,
  as: string,
  body: Record<string, unknown> = {},
  query = '',
) => world.post(`/substitute_requests/${request}/${what}${query}`, { as, body });

/** Sets whether a manager decides. */
export const setApproval = async (world: World, needed: boolean): Promise<void> => {
  const set = await world.patch('/substitute_requests/settings', {
    as: world.machine,
    body: { needs_approval: needed },
  });
  assert.equal(set.status, 200, set.text);
};

/** Returns ids of the instructors who teach the event. */
export async function taughtBy(world: World, event: number): Promise<number[]> {
  const { body } = await world.get(`/events/${event}?expand=instructors`, { as: world.machine });
  return body.instructors.map(({ id }: { id: number }) => id);
}
