/** The row that names the columns, and the sheet of a workbook, as a person chooses them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { upload } from './test/moving.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world?.close());

const look = (file: Buffer | string, over: object = {}) =>
  world.post('/imports/first_rows', {
    as: world.machine,
    body: { file: Buffer.from(file).toString('base64'), ...over },
  });

/** Two rows look like names of columns: the first is a legend of the report. */
const LEGEND =
  'Email,First Name,Last Name\nwork,given,family\n\nMail of member,Called,Family\nada@example.com,Ada,Moss\n';

test('the first rows of a file are shown as they are, and another one can name the columns', async () => {
  const { status, body } = await look(LEGEND);
  assert.equal(status, 200);
  assert.deepEqual([body.format, body.sheets, body.heading_line], ['csv', [], 1]);
  assert.deepEqual(
    body.rows.map(({ line, cells }: any) => [line, cells.join('|')]),
    [
      [1, 'Email|First Name|Last Name'],
      [2, 'work|given|family'],
      [4, 'Mail of member|Called|Family'],
      [5, 'ada@example.com|Ada|Moss'],
    ],
  );
  const guessed = await upload(world, LEGEND);
  assert.deepEqual([guessed.heading_line, guessed.row_count], [1, 3]);
  const chosen = await upload(world, LEGEND, { heading_line: 4, replaces: guessed.id });
  assert.equal((await world.get(`/imports/${guessed.id}`, { as: world.machine })).status, 404);
  assert.deepEqual([chosen.heading_line, chosen.row_count], [4, 1]);
  assert.deepEqual(
    chosen.columns.map((column: any) => column.heading),
    ['Mail of member', 'Called', 'Family'],
  );
});

const row = (cells: readonly string[]): string =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;

/** Creates a workbook of these sheets with texts. */
function workbook(sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Buffer {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const relations = (all: readonly string[]): string =>
    `<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`;
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
      ),
      '_rels/.rels': strToU8(
        relations([`<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`]),
      ),
      'xl/workbook.xml': strToU8(
        `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
          .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i + 1}"/>`)
          .join('')}</sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        relations(
          names.map(
            (_, i) => `<Relationship Id="r${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
          ),
        ),
      ),
      ...Object.fromEntries(
        Object.values(sheets).map((rows, i) => [
          `xl/worksheets/sheet${i + 1}.xml`,
          strToU8(`<worksheet xmlns="${main}"><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`),
        ]),
      ),
    }),
  );
}

test('a workbook shows its sheets, and another one than the first can be imported', async () => {
  const file = workbook({
    Notes: [['Read me'], ['Made on Monday']],
    'Members &amp; more': [['All members'], ['E-mail', 'First name'], ['bo@example.com', 'Bo']],
  });
  const first = (await look(file)).body;
  assert.deepEqual([first.format, first.sheets], ['xlsx', ['Notes', 'Members & more']]);
  assert.deepEqual(first.rows[0], { line: 1, cells: ['Read me'] });
  const second = (await look(file, { sheet: 'Members & more' })).body;
  assert.deepEqual([second.heading_line, second.rows.length], [2, 3]);
  const chosen = await upload(world, file, { sheet: 'Members & more', heading_line: 2 });
  assert.deepEqual([chosen.kind, chosen.heading_line, chosen.row_count], ['customers', 2, 1]);
});

const refusal = async (body: object): Promise<string> => {
  const answer = await world.post('/imports', { as: world.machine, body });
  assert.equal(answer.status, 400, answer.text);
  return answer.body.field_errors.file[0];
};

test('a file that was imported is not replaced, and neither is one of another business', async () => {
  const { id } = await upload(world, LEGEND);
  const replace = (as = world.machine) =>
    world.post('/imports', { as, body: { file: Buffer.from(LEGEND).toString('base64'), replaces: id } });
  assert.equal((await replace(world.meadowMachine)).status, 400);
  await world.work(world.harbour, ({ tx, providerId }) =>
    tx.run(sql`UPDATE import SET status = 'complete' WHERE provider_id = ${providerId} AND id = ${id}`),
  );
  assert.equal((await replace()).status, 409);
  assert.equal((await world.get(`/imports/${id}`, { as: world.machine })).status, 200);
});

test('a sheet that is not there, an empty row and a calendar are refused with the reason', async () => {
  const file = workbook({ Members: [['E-mail'], ['bo@example.com']] });
  const encoded = file.toString('base64');
  assert.equal(await refusal({ file: encoded, sheet: 'Staff' }), 'The workbook has no sheet named "Staff".');
  assert.match(await refusal({ file: encoded, heading_line: 9 }), /^Row 9 of the sheet is empty/);
  assert.match(await refusal({ file: Buffer.from(LEGEND).toString('base64'), heading_line: 20 }), /is empty/);
  const calendar = await look('BEGIN:VCALENDAR\nEND:VCALENDAR\n');
  assert.deepEqual([calendar.status, calendar.body.field_errors.file], [400, ['A calendar has no rows.']]);
});
