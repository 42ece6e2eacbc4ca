/** The report of an import: a file with every line, its result and the reasons. */
import { csvLine } from '../../../kernel/base/csv/write-csv.ts';
import { file, outside, staffWith, type FileToSend } from '../../../kernel/api/endpoint.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { fillIn, issuesIn, languageOf, reasonIn } from './reasons.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { CredentialCheck, Database } from '../../../kernel/base/db/database.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';
import type { Change } from './differences.ts';
import type { Fate, Issue } from './kinds/index.ts';
import type { StoredImport } from './stored.ts';

interface Row {
  readonly line: number;
  readonly fate: Fate | null;
  readonly object_id: number | null;
  readonly issues: readonly Issue[];
  readonly changes: readonly Change[];
  readonly cells: readonly string[] | null;
}

interface Reading {
  readonly db: Database;
  readonly providerId: number;
  readonly standing?: CredentialCheck;
}

const PORTION = 1000;

const RESULTS: Readonly<Record<Fate, string>> = {
  created: 'new',
  changed: 'changed',
  unchanged: 'unchanged',
  rejected: 'left out',
};

const HEADINGS = ['Line', 'Result', 'Reasons', 'Changes', 'ID here'];

interface Writing {
  readonly language: Language;
  readonly of: StoredImport;
}

const quoted = (language: Language, text: string | null): string =>
  text === null || text === '' ? reasonIn(language, 'nothing') : `"${text}"`;

const reasonsOf = ({ language }: Writing, { issues }: Row): string =>
  issuesIn(language, issues)
    .map(({ column, value, reason }) => [column, value && quoted(language, value), reason].filter(Boolean).join(' '))
    .join('; ');

/** Names a property as its column in the file. */
const differencesOf = ({ language, of }: Writing, { changes }: Row): string =>
  changes
    .map(({ property, before, after }) => {
      const name = of.columns.find((column) => column.property === property)?.heading ?? property;
      const shown = (value: string | null) =>
        quoted(language, value !== null && property === 'status' ? reasonIn(language, value) : value);
      const change = fillIn(language, '{0} is now {1}', shown(before), shown(after));
      return `${name}: ${change}`;
    })
    .join('; ');

function lineOf(writing: Writing, row: Row): string {
  // An object exists only after a run.
  const isRun = writing.of.status === 'complete' || writing.of.status === 'running';
  return csvLine([
    row.line,
    row.fate === null ? '' : reasonIn(writing.language, RESULTS[row.fate]),
    reasonsOf(writing, row),
    differencesOf(writing, row),
    isRun ? row.object_id : null,
    ...(row.cells ?? []),
  ]);
}

/** Yields the report of an import as parts of a CSV file. */
export async function* linesOf({ db, providerId, standing }: Reading, writing: Writing): AsyncGenerator<string> {
  const { of, language } = writing;
  // The byte order mark of UTF-8: without it, spreadsheets assume the old encoding of their country.
  const headings = of.columns.map(({ heading }) => heading);
  yield `\uFEFF${csvLine([...HEADINGS.map((name) => reasonIn(language, name)), ...headings])}`;
  for (let after = 0; ;) {
    const rows = await db.looking(
      providerId,
      (tx) =>
        tx.rows<Row & Record<string, unknown>>(sql`SELECT line, fate, object_id, issues, changes, cells FROM import_row
          WHERE provider_id = ${providerId} AND import_id = ${of.id} AND line > ${after}
          ORDER BY line LIMIT ${PORTION}`),
      standing,
    );
    if (rows.length === 0) return;
    yield rows.map((row) => lineOf(writing, row)).join('');
    after = rows.at(-1)!.line;
  }
}

export const importReport = outside({
  method: 'GET',
  path: '/imports/{id}/report',
  summary: 'Download the report of an import',
  description:
    'Every line of the file with its result, the reasons, what it changes, the id of the object that it became, and its cells, by the last check or run, as a CSV file in the language of `Accept-Language`, or else in English. The rows are deleted 30 days after the upload.',
  who: staffWith('super_admin'),
  returns: file('text/csv'),
  run: async ({ db, viewer: { providerId }, params, standing, accepts }): Promise<FileToSend> => {
    const id = pathId(params.id);
    const of =
      id === null
        ? undefined
        : await db.looking(
            providerId,
            (tx) =>
              tx.one<StoredImport & Record<string, unknown>>(
                sql`SELECT * FROM import WHERE provider_id = ${providerId} AND id = ${id}`,
              ),
            standing,
          );
    if (!of) throw notFound();
    return {
      name: `import-${id}.csv`,
      type: 'text/csv',
      parts: linesOf({ db, providerId, standing }, { of, language: languageOf(accepts) }),
    };
  },
});
