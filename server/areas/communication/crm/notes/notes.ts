import { changes } from '../../../../kernel/api/resource-changes.ts';
import { choice, filter, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { boolean, id, instant as when, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../../kernel/work/unit/row.ts';
import { customerNote, NOTE_KINDS } from './customer-note.ts';
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { customerNoteFeed } from './feed.ts';

const who = staffWith('customers');
const DAY = 86_400_000;

const body = {
  kind: oneOf(NOTE_KINDS).optional(),
  text: customerNote.fields.text,
  at: when().optional().describe('When it happened. If left out, now.'),
  pinned: boolean().optional(),
};

/** A conversation can't be in the future; clocks may differ slightly. */
function checkAt(at: number | undefined, now: number): string | undefined {
  if (at !== undefined && at > now + DAY)
    throw invalid('at', 'Must not be in the future. For something to do later, create a task.');
  return at === undefined ? undefined : instant(at)!;
}

export const notes = [
  ...listAndGet(customerNote, {
    path: '/customer_notes',
    summary: 'List customer notes',
    get: 'Get a customer note',
    who,
    filters: {
      customer: filter(id(), (t, customer) => sql`${raw(t)}.customer_id = ${customer}`),
      kind: filter(oneOf(NOTE_KINDS), (t, kind) => sql`${raw(t)}.kind = ${kind}`),
      author: filter(id(), (t, author) => sql`${raw(t)}.author_id = ${author}`),
      pinned: choice(boolean(), { true: (t) => raw(`${t}.pinned`), false: (t) => raw(`NOT ${t}.pinned`) }),
      query: filter(
        text({ max: 200 }).describe('Text that the note contains.'),
        (t, words) => sql`strpos(lower(${raw(t)}.text), lower(${words})) > 0`,
      ),
    },
    sort: { at: { by: (t) => raw(`${t}.at`) }, created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-at',
  }),
  ...changes(customerNote, {
    path: '/customer_notes',
    noun: 'customer note',
    who,
    body,
    first: { customer: ref('customer'), ...body },
    create: async ({ work, body: { customer, at, ...values } }) => {
      const id = await insertRow(work, 'customer_note', {
        ...values,
        customer_id: customer,
        author_id: work.viewer.staffId,
        at: checkAt(at, work.now) ?? instant(work.now),
      });
      work.record(customerNoteFeed.created, id, { customer_note: id, customer });
      return id;
    },
    update: {
      description: 'The author stays the person who first wrote it.',
      run: async ({ work, body: { at, ...values }, target }) => {
        await updateRow(work, 'customer_note', target.id, { ...values, at: checkAt(at, work.now) });
        const changed = changedNames({ ...values, at });
        if (changed.length > 0)
          work.record(customerNoteFeed.updated, target.id, {
            customer_note: target.id,
            customer: target.customer_id,
            changed,
          });
      },
    },
    remove: async ({ work, target }) => {
      await deleteRow(work, 'customer_note', target.id);
      work.record(customerNoteFeed.deleted, target.id, { customer_note: target.id, customer: target.customer_id });
    },
  }),
];
