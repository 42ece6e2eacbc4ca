import { boolean } from '../../../kernel/base/fields/kinds.ts';
import { changeInstructor, createInstructor } from './writes.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { instructor } from './instructor.ts';
import { eventsInWords } from '../../places/venues/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = instructor.fields;
const words = { description: f.description.optional(), picture_url: f.picture_url.optional() };

export const changeInstructors = changes(instructor, {
  path: '/instructors',
  noun: 'instructor',
  who: staffWith('super_admin'),
  body: { name: f.name, ...words, archived: boolean().optional() },
  first: { staff: f.staff, name: f.name.optional(), ...words },
  create: {
    summary: 'Create an instructor from a staff member',
    description: 'If you send no name, the instructor has the name of the staff member.',
    problems: ['already_exists'],
    run: async ({ work, body }) => {
      const person = await staffOf(work, body.staff);
      if (person.archived) throw invalid('staff', 'This staff member is archived.');
      return createInstructor(work, { ...body, name: body.name ?? person.name });
    },
  },
  update: {
    description:
      'An instructor with events that have not ended can’t be archived. An instructor whose staff member is archived can’t be unarchived.',
    problems: ['in_use', 'conflict'],
    run: async ({ work, body, target }) => {
      if (body.archived && !target.archived) await checkTeachesNothing(work, target.id);
      if (body.archived === false && target.archived && (await staffOf(work, target.staff_id)).archived) {
        throw new Problem('conflict', 'The staff member is archived. Unarchive the staff member first.', {
          archived: ['The staff member is archived.'],
        });
      }
      await changeInstructor(work, target.id, body);
    },
  },
});

/** Locked, so that it can't be archived in the meantime. */
async function staffOf(work: Work, id: number): Promise<{ name: string; archived: boolean }> {
  const row = await work.tx.one<{ name: string; archived: boolean }>(
    sql`SELECT first_name || ' ' || last_name AS name, archived FROM staff
      WHERE provider_id = ${work.providerId} AND id = ${id} FOR KEY SHARE`,
  );
  return row!;
}

async function checkTeachesNothing(work: Work, instructorId: number): Promise<void> {
  const n = await work.registry.countUses('instructor', work, instructorId);
  if (n === 0) return;
  const why = `The instructor teaches ${eventsInWords(n)} that ${n === 1 ? 'has' : 'have'} not ended.`;
  throw new Problem('in_use', `${why} Assign them to another instructor or cancel them, then archive the instructor.`, {
    archived: [why],
  });
}
