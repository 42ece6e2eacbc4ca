import { ANSWER } from './answers.ts';
import { COLUMNS, KINDS, missingIn, PRODUCTS, type KindName } from './columns/index.ts';
import { DATE_FORMATS, type DateFormat } from '../../../kernel/base/csv/read-date.ts';
import {
  id,
  boolean,
  date,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { NOT_TEACHING, UNKNOWN_INSTRUCTOR } from './kinds/instructors.ts';
import { OBJECTS, type Fate, type Issue } from './kinds/index.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { issuesIn, languageOf } from './reasons.ts';
import { openWords, type Word } from './words/questions.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';
import { unimportedIn } from './columns/unimported.ts';
import { WORD_PROPERTIES } from './words/status-words.ts';
import { SUMS, type Charges, type Sums } from './stored.ts';
import type { Wire } from '../../../kernel/base/fields/field.ts';
import type { ColumnOf } from './column.ts';

export const FATES = ['created', 'changed', 'unchanged', 'rejected'] as const satisfies readonly Fate[];
export const DATE_FORMAT_NAMES = Object.keys(DATE_FORMATS) as DateFormat[];

/** Files contain what other programs stored about people, so viewers need permission to see everything. */
const VISIBLE: Policy = {
  provider: (_t, viewer) => viewer.permissions.has('super_admin'),
  customer: false,
  unregistered: false,
};

export const STATUSES = ['ready', 'checking', 'checked', 'running', 'complete', 'cancelled', 'failed'] as const;

const count = () => integer({ min: 0 });
const stored = (column: string) => count().from((t) => raw(`${t}.${column}_count`));

/** Selects the meaning of the columns, and what is missing before the file can be checked. */
const missing = ([columns, kind, unclear, words, confirmed, known]: (string | null)[]): string[] => [
  ...missingIn(
    kind as KindName,
    new Set((JSON.parse(columns!) as ColumnOf[]).flatMap(({ property }) => property ?? [])),
  ),
  ...(unclear === 't' || unclear === 'true' ? ['date_format'] : []),
  ...(known === 't' || known === 'true' ? [] : ['kind']),
  ...(confirmed === 't' || confirmed === 'true' ? [] : ['source']),
  ...(openWords(JSON.parse(words!) as Word[]).length > 0 ? ['answers'] : []),
];

interface MissingInstructor {
  readonly name: string;
  readonly row_count: number;
}

/** Selects the names from the issues of the rows, only for a schedule whose check or import is complete. */
const missingInstructors = (t: string) =>
  sql`CASE WHEN ${raw(t)}.kind = 'schedule' AND ${raw(t)}.status IN ('checked', 'complete') THEN (
    SELECT jsonb_agg(jsonb_build_object('name', n.name, 'row_count', n.row_count) ORDER BY n.row_count DESC, n.name)
    FROM (SELECT min(issue->>'value') AS name, count(*)::int AS row_count
      FROM import_row r, jsonb_array_elements(r.issues) AS issue
      WHERE r.provider_id = ${raw(t)}.provider_id AND r.import_id = ${raw(t)}.id
        AND issue->>'reason' IN (${UNKNOWN_INSTRUCTOR}, ${NOT_TEACHING})
      GROUP BY lower(issue->>'value') ORDER BY 2 DESC, 1 LIMIT 100) n) END`;

const questions = ([kind, columns, words]: (string | null)[]) =>
  (JSON.parse(words!) as Word[]).map(({ property, value, rows, meaning, answered }) => ({
    property,
    column: (JSON.parse(columns!) as ColumnOf[]).find((one) => one.property === property)?.heading ?? '',
    value,
    row_count: rows,
    choices: [...(WORD_PROPERTIES[kind as KindName][property]?.meanings ?? [])],
    answer: meaning,
    known: meaning !== null && !answered,
  }));

const charges = ([stored]: (string | null)[], { currency }: Wire) =>
  Object.entries(JSON.parse(stored!) as Charges)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([on, { count: many, minor }]) => ({ date: on, count: many, amount: formatDecimal({ minor, currency }) }));

const sums = ([stored]: (string | null)[], { currency }: Wire) => {
  const found = JSON.parse(stored!) as Sums;
  return SUMS.flatMap((of) => {
    const sum = found[of];
    return sum ? [{ of, count: sum.count, amount: formatDecimal({ minor: sum.minor, currency }) }] : [];
  });
};

export const importFile = resource('import', {
  description:
    'A file of customers, memberships, events, staff, bookings, balances or gift cards from another product, to be moved in.',
  fields: {
    id: id(),
    file_name: text({ max: 255 }).nullable(),
    kind: oneOf(KINDS).describe('Kind of its rows. It is recognised by the names of the columns.'),
    makes: text()
      .computed(
        (t) => [raw(`${t}.kind`)],
        ([kind]) => OBJECTS[kind as KindName],
      )
      .describe('The object that a row becomes.'),
    product: oneOf(PRODUCTS).nullable().describe('The product that wrote the file. Null if it isn’t recognised.'),
    source: text({ max: 50 }).describe(
      'Source of the ids in the file. Files of one source find each other’s objects. A product that was recognised must be confirmed first.',
    ),
    status: oneOf(STATUSES)
      .from((t) =>
        raw(`CASE WHEN ${t}.status IN ('checking', 'running') THEN coalesce((SELECT j.state FROM job j
          WHERE j.provider_id = ${t}.provider_id AND j.id = ${t}.job_id AND j.state IN ('cancelled', 'failed')),
            ${t}.status) ELSE ${t}.status END`),
      )
      .describe('`checked`: a dry run is complete. `complete`: the rows are imported.'),
    job: ref('job').nullable().describe('The last check or run.'),
    format: oneOf(['csv', 'xlsx', 'ics']),
    encoding: text({ max: 20 }).nullable().describe('Null unless it is CSV.'),
    delimiter: oneOf([',', ';', '\t', '|']).nullable().describe('Null unless it is CSV.'),
    heading_line: integer({ min: 1 }).describe('The line that names the columns. Titles above it are skipped.'),
    date_format: oneOf(DATE_FORMAT_NAMES)
      .nullable()
      .describe('The order of day and month. Null if no date of the file depends on it, or nobody can tell.'),
    columns: listOf(
      object({
        heading: text({ blank: true }),
        property: text().nullable(),
        samples: listOf(text({ blank: true })),
        value_count: count().describe('Rows in which it isn’t empty.'),
      }),
    ).describe('The columns in their order, what each of them is, and some of its values.'),
    unimported_columns: listOf(object({ heading: text({ blank: true }), value_count: integer({ min: 1 }) }))
      .computed(
        (t) => [raw(`${t}.kind`), raw(`${t}.columns`)],
        ([kind, columns]) => unimportedIn(kind as KindName, JSON.parse(columns!) as ColumnOf[]),
      )
      .describe('Columns that are not imported although they have values, in their order.'),
    properties: listOf(text())
      .computed(
        (t) => [
          raw(`${t}.kind`),
          raw(`(SELECT coalesce(jsonb_agg('${ANSWER}' || q.key ORDER BY q.position, q.id), '[]') FROM customer_field q
            WHERE q.provider_id = ${t}.provider_id AND NOT q.archived)`),
        ],
        ([kind, answers]) => [
          ...Object.keys(COLUMNS[kind as KindName].properties),
          ...(kind === 'customers' ? (JSON.parse(answers!) as string[]) : []),
        ],
      )
      .describe(
        'Properties that a column of such a file can have: `answer:` and the key of a question is an answer to it.',
      ),
    missing: listOf(text())
      .computed(
        (t) => [
          raw(`${t}.columns`),
          raw(`${t}.kind`),
          raw(`${t}.dates_unclear`),
          raw(`${t}.words`),
          raw(`${t}.source_confirmed`),
          raw(`${t}.kind_confirmed`),
        ],
        missing,
      )
      .describe(
        'Missing information before the file can be checked: properties that no column has, with alternatives separated by `|`, `date_format`, `kind`, `source`, or `answers` to its `questions`.',
      ),
    questions: listOf(
      object({
        property: text(),
        column: text({ blank: true }),
        value: text({ blank: true }).describe('As in the file. Empty for empty cells.'),
        row_count: integer({ min: 1 }).describe('Rows with this word.'),
        choices: listOf(text()),
        answer: text().nullable().describe('Null: it must be answered before the file can be checked.'),
        known: boolean().describe('True if the answer is the known meaning of the word, not one that somebody gave.'),
      }),
    )
      .computed((t) => [raw(`${t}.kind`), raw(`${t}.columns`), raw(`${t}.words`)], questions)
      .describe(
        'Words that decide the result of a row, such as statuses of memberships: those without a known meaning first, then by number of rows. Answer them with `answers` of `PATCH /imports/{id}`.',
      ),
    charges: listOf(object({ date: date(), count: integer({ min: 1 }), amount: text() }))
      .computed((t) => [raw(`${t}.charges`)], charges)
      .describe(
        'Amounts that the memberships of the file charge in the next 40 days if they are approved, by day, before fees and taxes. By the last check or run.',
      ),
    sums: listOf(object({ of: oneOf(SUMS), count: integer({ min: 1 }), amount: text() }))
      .computed((t) => [raw(`${t}.sums`)], sums)
      .describe(
        'Amounts that the new rows add up to, by what they are, such as `credit` of customers and their `debt`, or what is left on `gift_cards`. By the last check or run.',
      ),
    missing_instructors: listOf(object({ name: text(), row_count: integer({ min: 1 }) }))
      .computed(
        (t) => [missingInstructors(t)],
        ([found]) => JSON.parse(found ?? '[]') as MissingInstructor[],
      )
      .describe(
        'Names in a schedule that no instructor has, with the number of rows, most rows first; at most 100. By the last check or run. Their events are imported without them.',
      ),
    row_count: count(),
    done_count: count().describe('Rows that the last check or run is done with.'),
    created_count: stored('created'),
    changed_count: stored('changed'),
    unchanged_count: stored('unchanged'),
    rejected_count: stored('rejected'),
    has_rows: boolean()
      .from((t) => raw(`(${t}.rows_deleted_at IS NULL)`))
      .describe('False once the rows were deleted, 30 days after the upload.'),
    invites_per_day: integer({ min: 1 })
      .nullable()
      .describe('People who are invited each day until everybody is. Null if no invitations are planned.'),
    can_undo: boolean()
      .from((t) =>
        raw(`EXISTS (SELECT FROM import_row r WHERE r.provider_id = ${t}.provider_id AND r.import_id = ${t}.id
          AND r.made_id IS NOT NULL)`),
      )
      .describe('Whether it created something that can be taken back with `POST /imports/{id}/undo`.'),
    created_at: instant(),
    finished_at: instant().nullable().describe('When the last check or run ended.'),
  },
  visible: VISIBLE,
});

export const importRow = resource('import_row', {
  description: 'A row of an imported file, and what becomes of it.',
  fields: {
    id: id(),
    line: integer({ min: 1 }).describe('In the file.'),
    fate: oneOf(FATES).nullable().describe('By the last check or run. Null if it has not come to this row yet.'),
    result: id()
      .nullable()
      .from((t) =>
        raw(`CASE WHEN EXISTS (SELECT FROM import i WHERE i.provider_id = ${t}.provider_id AND i.id = ${t}.import_id
          AND i.status IN ('running', 'complete')) THEN ${t}.object_id END`),
      )
      .describe('The object that it became. Null after a dry run.'),
    issues: listOf(object({ column: text({ blank: true }), value: text({ blank: true }), reason: text() }))
      .computed(
        (t) => [raw(`${t}.issues`)],
        ([stored], { accepts }) => issuesIn(languageOf(accepts), JSON.parse(stored!) as Issue[]),
      )
      .describe(
        'Why it is rejected. In a row that is imported: what was left out, or is worth a look. Reasons are in the language of `Accept-Language`, or else in English.',
      ),
    changes: listOf(
      object({ property: text(), before: text({ blank: true }).nullable(), after: text({ blank: true }).nullable() }),
    ).describe('What the row changes in the object, if it changes one. By the last check or run.'),
    cells: listOf(text({ blank: true }))
      .from((t) => raw(`coalesce(${t}.cells, '[]'::jsonb)`))
      .describe('Its values, in the order of the columns.'),
  },
  visible: VISIBLE,
});
