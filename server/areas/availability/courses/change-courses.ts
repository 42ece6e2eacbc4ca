/** Creates courses as drafts, changes and publishes them. */
import { boolean, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { course } from './course.ts';
import { courseFeed } from './feed.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { showInCalendar } from '../../scheduling/schedule/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const whoManages = staffWith('super_admin', 'manage_events');

const body = {
  name: text({ max: 256 }).nullable().optional().describe('If null, it is called as its offering type is.'),
  offering_type: ref('offering_type').describe('One whose schedule_type is `course`. Fixed once there are sessions.'),
  published: boolean().optional().describe('False keeps it a draft, which only staff see.'),
};

async function checkOffering(work: Work, id: number): Promise<void> {
  const type = await work.tx.one<{ schedule_type: string; status: string }>(
    sql`SELECT schedule_type, status FROM offering_type WHERE provider_id = ${work.providerId} AND id = ${id}`,
  );
  if (type?.schedule_type !== 'course')
    throw invalid('offering_type', 'Must be an offering type whose schedule_type is course.');
  if (type.status !== 'active') throw invalid('offering_type', 'The offering type is archived.');
}

interface NewCourse {
  readonly name?: string | null;
  readonly offering_type: number;
  readonly published?: boolean;
}

/** Creates a course and returns its id. */
export async function createCourse(
  work: Work,
  { name = null, offering_type, published = false }: NewCourse,
): Promise<number> {
  await checkOffering(work, offering_type);
  const id = await insertRow(work, 'course', { name, offering_type_id: offering_type, published });
  work.record(courseFeed.created, id, { course: id });
  return id;
}

/** Returns ids of the events of a course, in lock order. */
async function sessionsOf({ tx, providerId }: Work, id: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT event_id AS id FROM course_date WHERE provider_id = ${providerId} AND course_id = ${id} ORDER BY 1`,
  );
  return rows.map((row) => row.id);
}

export const changeCourses = changes(course, {
  path: '/courses',
  noun: 'course',
  who: whoManages,
  body,
  create: {
    description: 'Add its dates with `POST /courses/{id}/date_series`, then publish it.',
    run: ({ work, body: sent }) => createCourse(work, sent),
  },
  update: {
    description:
      'Publishing it shows its sessions to customers. Bookings stay as they are if it becomes a draft again.',
    run: async ({ work, body: sent, target }) => {
      const { offering_type, ...rest } = sent;
      const columns = {
        ...rest,
        ...(offering_type !== target.offering_type_id && { offering_type_id: offering_type }),
      };
      const values = Object.fromEntries(
        Object.entries(columns).filter(([name, value]) => value !== undefined && value !== target[name]),
      );
      if (changedNames(values).length === 0) return;
      const sessions = await sessionsOf(work, target.id);
      if ('offering_type_id' in values) {
        if (sessions.length > 0)
          throw invalid('offering_type', 'The course has sessions of its offering type. Create another course.');
        await checkOffering(work, offering_type!);
      }
      await updateRow(work, 'course', target.id, values);
      if ('published' in values) await showInCalendar(work, sessions, values.published === true);
      const changed = changedNames(values).map((name) => (name === 'offering_type_id' ? 'offering_type' : name));
      work.record(courseFeed.updated, target.id, { course: target.id, changed });
    },
  },
});
