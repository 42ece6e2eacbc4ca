/** The journal as a file: CSV for accounting software, JSON for other programs. */
import { checkRange, rangeQuery, type Range } from './range.ts';
import { csvLine } from '../../../../kernel/base/csv/write-csv.ts';
import { file, outside, staffWith, type FileToSend } from '../../../../kernel/api/endpoint.ts';
import { JOURNAL_COLUMNS, journalOf, type Books, type JournalLine } from './journal.ts';
import { oneOf } from '../../../../kernel/base/fields/kinds.ts';

export const JOURNAL_FORMATS = ['csv', 'json'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

async function* csvOf(portions: AsyncIterable<readonly JournalLine[]>): AsyncGenerator<string> {
  // The byte order mark of UTF-8: without it, spreadsheets assume the old encoding of their country.
  yield `\uFEFF${csvLine(JOURNAL_COLUMNS)}`;
  for await (const lines of portions)
    yield lines.map((line) => csvLine(JOURNAL_COLUMNS.map((name) => line[name]))).join('');
}

async function* jsonOf(head: object, portions: AsyncIterable<readonly JournalLine[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"lines":[`;
  let separator = '\n';
  for await (const lines of portions) {
    yield separator + lines.map((line) => JSON.stringify(line)).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Returns the text of the file in parts. */
export const journalText = (books: Books, range: Range, format: JournalFormat): AsyncIterable<string> =>
  format === 'csv'
    ? csvOf(journalOf(books, range))
    : jsonOf({ ...range, currency: books.tenant.currency }, journalOf(books, range));

const journalName = ({ from, to }: Range, format: JournalFormat): string => `journal-${from}-${to}.${format}`;

export const journalEndpoint = outside({
  method: 'GET',
  path: '/ledger/journal',
  summary: 'Export the journal of a period',
  description:
    'Every debit and credit that was posted on these days, in the order in which they were posted, as a file. The guide for accountants (docs/guide/accounting.md) describes every column. The file is sent while it is read, so it can be as long as it needs to be.',
  who: staffWith('super_admin', 'revenue'),
  query: { ...rangeQuery, format: oneOf(JOURNAL_FORMATS).default('csv') },
  returns: file('text/csv', 'application/json'),
  run: async ({ db, tenant, standing, query }): Promise<FileToSend> => {
    const { format } = query;
    const range = checkRange(query);
    return {
      name: journalName(range, format),
      type: format === 'csv' ? 'text/csv' : 'application/json',
      parts: journalText({ db, tenant, standing }, range, format),
    };
  },
});
