/** Corrections of how a file was recognized. */
import { action, one, remove, staffWith, type Endpoint } from '../../../kernel/api/endpoint.ts';
import { COLUMNS, KINDS, SHARED, type KindName } from './columns/index.ts';
import { answerProperties, withAnswers } from './answers.ts';
import { changedNames, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { DATE_FORMAT_NAMES, importFile } from './import-file.ts';
import { datesOf, type Dates } from './recognise.ts';
import type { ColumnOf } from './column.ts';
import { forgetFates, NOTHING_DONE, refuseWhileBusy, refuseWithoutRows, type StoredImport } from './stored.ts';
import { importFeed } from './feed.ts';
import { Issues } from '../../../kernel/base/problem.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { MEANINGS, WORD_PROPERTIES, WORD_PROPERTY_NAMES } from './words/status-words.ts';
import { meaningOf, wordsIn, type Word } from './words/questions.ts';
import { propertiesOf } from './match.ts';
import type { DateFormat } from '../../../kernel/base/csv/read-date.ts';
import type { CsvRow } from '../../../kernel/base/csv/read-csv.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Answers = readonly { readonly property: string; readonly value: string; readonly meaning: string | null }[];
type Wanted = readonly { readonly heading: string; readonly property: string | null }[];

const changeImport = action({
  method: 'PATCH',
  path: '/imports/{id}',
  summary: 'Change what a file is taken for',
  description:
    'Says what the columns are, of which kind the rows are, which order the dates have, or what words of the file mean. The columns that are not named stay. Another kind recognises all columns anew. Afterwards, check the file again.',
  who: staffWith('super_admin'),
  target: importFile,
  returns: one(importFile),
  body: {
    kind: oneOf(KINDS).optional(),
    source: text({ max: 50 }).optional(),
    date_format: oneOf(DATE_FORMAT_NAMES)
      .nullable()
      .optional()
      .describe('Null: the order that the dates of the file show themselves.'),
    columns: listOf(
      object({
        heading: text({ max: 200, blank: true }),
        property: text({ max: 50 }).nullable().describe('One of `properties` of the import, or null.'),
        samples: listOf(text({ blank: true }))
          .optional()
          .describe('As in the answer. Ignored.'),
      }),
      { max: 200 },
    ).optional(),
    answers: listOf(
      object({
        property: oneOf(WORD_PROPERTY_NAMES),
        value: text({ blank: true, max: 80 }).describe('A word of `questions`. Empty for empty cells.'),
        meaning: oneOf(MEANINGS).nullable().describe('One of its `choices`. Null takes the answer back.'),
      }),
      { max: 200 },
    )
      .optional()
      .describe('What words of the file mean. Words that are not named stay.'),
  },
  problems: ['conflict'],
  run: async ({ work, target, body }) => {
    await correct(work, target as StoredImport, body);
    return target.id;
  },
});

/** Settings of a file that somebody corrects; those that are absent stay. */
export interface Correction {
  readonly kind?: KindName;
  readonly source?: string;
  readonly date_format?: DateFormat | null;
  readonly columns?: Wanted;
  readonly answers?: Answers;
}

/** Corrects how a file was recognised, which is locked. @throws Problem */
export async function correct(work: Work, before: StoredImport, body: Correction): Promise<void> {
  refuseWithoutRows(before);
  await refuseWhileBusy(work, before);
  const kind = body.kind ?? before.kind;
  const possible = [...Object.keys(COLUMNS[kind].properties), ...(await answerProperties(work, kind))];
  const mapped = mappedColumns(before, kind, body.columns ?? [], possible);
  const columns = kind === before.kind ? mapped : await withAnswers(work, kind, mapped);
  const rowsOnce = once(() => storedRows(work, before.id));
  const words = await answeredWords(before, { kind, columns, answers: body.answers ?? [] }, rowsOnce);
  const changed =
    kind !== before.kind ||
    (body.kind !== undefined && !before.kind_confirmed) ||
    json(words) !== json(before.words) ||
    json(columns) !== json(before.columns) ||
    (body.source !== undefined && (body.source !== before.source || !before.source_confirmed));
  if (!changed && (body.date_format === undefined || body.date_format === before.date_format)) return;
  const format = body.date_format === undefined ? before.date_format : body.date_format;
  const dates: Dates = format === null ? datesOf(kind, columns, await rowsOnce()) : { format, unclear: false };
  work.touch('import', before.id, before as unknown as Record<string, unknown>);
  await updateRow(work, 'import', before.id, {
    ...NOTHING_DONE,
    kind,
    kind_confirmed: body.kind === undefined ? undefined : true,
    source: body.source,
    source_confirmed: body.source === undefined ? undefined : true,
    columns: json(columns),
    words: json(words),
    date_format: dates.format,
    dates_unclear: dates.unclear,
    status: 'ready',
  });
  await forgetFates(work, before.id);
  work.record(importFeed.updated, before.id, { import: before.id, changed: changedNames(body) });
}

/** Maps each property to one column: a column that the request names takes the property from the column that had it. */
function mappedColumns(
  { columns, kind }: StoredImport,
  now: KindName,
  wanted: Wanted,
  possible: readonly string[],
): ColumnOf[] {
  const issues = new Issues();
  const headings = columns.map(({ heading }) => heading);
  for (const [i, { heading, property }] of wanted.entries()) {
    if (!headings.includes(heading)) issues.add(`columns.${i}.heading`, `The file has no column "${heading}".`);
    if (property !== null && !possible.includes(property))
      issues.add(`columns.${i}.property`, `A column of ${now} can't be this. It can be: ${possible.join(', ')}.`);
    if (property !== null && !SHARED.has(property) && wanted.some((other, n) => n !== i && other.property === property))
      issues.add(`columns.${i}.property`, 'Another column is this already.');
  }
  issues.throwIfAny();
  const recognised = now === kind ? columns.map(({ property }) => property) : propertiesOf(now, headings);
  const taken = new Set(wanted.flatMap(({ property }) => (property === null || SHARED.has(property) ? [] : property)));
  return columns.map((column, i) => {
    const said = wanted.find(({ heading }) => heading === column.heading);
    const own = recognised[i];
    return { ...column, property: said ? said.property : own !== null && taken.has(own) ? null : own };
  });
}

/** Reads the words again if the columns change, and applies the answers to them. */
async function answeredWords(
  before: StoredImport,
  { kind, columns, answers }: { kind: KindName; columns: readonly ColumnOf[]; answers: Answers },
  rows: () => Promise<CsvRow[]>,
): Promise<Word[]> {
  const same = kind === before.kind && json(columns) === json(before.columns);
  const words = same ? [...before.words] : wordsIn(kind, columns, await rows(), before.words);
  const issues = new Issues();
  for (const [i, { property, value, meaning }] of answers.entries()) {
    const of = WORD_PROPERTIES[kind][property];
    const at = words.findIndex((one) => one.property === property && one.value === value);
    if (!of || at < 0) issues.add(`answers.${i}.value`, `The file has no such word. See questions.`);
    else if (meaning !== null && !of.meanings.includes(meaning))
      issues.add(`answers.${i}.meaning`, `It can mean: ${of.meanings.join(', ')}.`);
    else words[at] = { ...words[at], meaning: meaning ?? meaningOf(of, value), answered: meaning !== null };
  }
  issues.throwIfAny();
  return words;
}

const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
};

const storedRows = ({ tx, providerId }: Work, id: number): Promise<CsvRow[]> =>
  tx.rows<CsvRow & Record<string, unknown>>(
    sql`SELECT line, cells FROM import_row WHERE provider_id = ${providerId} AND import_id = ${id} AND cells IS NOT NULL
      ORDER BY line`,
  );

const deleteImport = remove(importFile, {
  path: '/imports/{id}',
  summary: 'Delete an import',
  description: 'Deletes the file and what is known of its rows. Everything that was imported stays.',
  who: staffWith('super_admin'),
  problems: ['conflict'],
  run: async ({ work, target }) => {
    await refuseWhileBusy(work, target as StoredImport);
    await deleteImported(work, target as StoredImport);
  },
});

/** Deletes a file with its rows, which is locked. Everything that was imported stays. */
export async function deleteImported(work: Work, of: StoredImport): Promise<void> {
  work.touch('import', of.id, of as unknown as Record<string, unknown>);
  await deleteRow(work, 'import', of.id);
  work.record(importFeed.deleted, of.id, { import: of.id });
}

export const changeImports: Endpoint[] = [changeImport, deleteImport];
