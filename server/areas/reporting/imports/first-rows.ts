/** The first rows of a file as they are, for a person who looks for the one that names the columns. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { integer, listOf, object, oneOf, text, upload } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { isCalendar } from './calendar-table.ts';
import { MAX_BYTES, readFirstRows, type FirstRows } from './table.ts';
import { refuseOtherFormats } from './recognise.ts';
import { SEARCHED } from './heading.ts';
import { shortened } from './cell.ts';

const SHOWN_CELLS = 20;

/** First rows by the uploaded buffer: files are read before the transaction opens. */
const found = new WeakMap<Buffer, FirstRows>();

export const showFirstRows = action({
  path: '/imports/first_rows',
  summary: 'Get the first rows of a file',
  description: `Returns the first ${SEARCHED} lines of a CSV file or of a sheet of a workbook as they are, with at most ${SHOWN_CELLS} cells each, and the line that is taken for the names of the columns. If that is wrong, upload the file with another \`heading_line\` or \`sheet\`. Nothing is stored.`,
  who: staffWith('super_admin'),
  body: {
    file: upload({ max: MAX_BYTES }).describe('The file, or its bytes as base64.'),
    sheet: text({ max: 255 }).optional().describe('Name of the sheet of a workbook. If left out, the first one.'),
  },
  returns: answer({
    format: oneOf(['csv', 'xlsx']),
    sheets: listOf(text()).describe('Names of the sheets of a workbook.'),
    heading_line: integer({ min: 1 }).nullable().describe('The line that is taken for the names of the columns.'),
    rows: listOf(object({ line: integer({ min: 1 }), cells: listOf(text({ blank: true })) })),
  }),
  changesNothing: true,
  problems: ['unavailable'],
  ahead: async ({ file, sheet }, _, whose) => {
    if (isCalendar(file!)) throw invalid('file', 'A calendar has no rows.');
    refuseOtherFormats(file!);
    found.set(file!, await readFirstRows(file!, whose, sheet));
  },
  run: async ({ body }) => {
    const { format, sheets, heading, first } = found.get(body.file)!;
    return {
      format,
      sheets,
      heading_line: heading,
      rows: first.map(({ line, cells }) => ({
        line,
        cells: cells.slice(0, SHOWN_CELLS).map((cell) => shortened(cell).replaceAll('\0', '')),
      })),
    };
  },
});
