/** Reasons of rows in the language of the reader. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { ENGLISH, LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { parseLiterals, type Literal } from '../../../test/checks/literals.ts';
import { fillIn, reasonIn, TRANSLATIONS } from './reasons.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { upload, work } from './test/moving.ts';

const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== ENGLISH.language);
const SOURCES = Object.keys(TRANSLATIONS.de!);

const holesIn = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).toSorted();

test('every reason exists in every language, with the same values', () => {
  for (const language of OTHERS) {
    const texts = TRANSLATIONS[language]!;
    assert.deepEqual(Object.keys(texts), SOURCES, language);
    for (const [source, text] of Object.entries(texts)) {
      assert.deepEqual(holesIn(text), holesIn(source), `${language}: ${text}`);
      assert.ok(text.length <= 30 + source.length * 2, `${language} is long: ${text}`);
      const filled = source.replaceAll(/\{(\d)\}/g, '<$1>');
      assert.equal(reasonIn(language, filled), text.replaceAll(/\{(\d)\}/g, '<$1>'), language);
    }
  }
});

/** Sources of files in which a text that begins like this is a reason. */
const WRITERS = [
  'server/areas/reporting/imports/kinds/*.ts',
  'server/areas/reporting/imports/{recognise,read-xlsx,calendar-table}.ts',
  'server/areas/reporting/imports/archives/archive-thread.ts',
  'server/areas/reporting/imports/undo/*.ts',
  'server/areas/people/customers/import/read-person.ts',
  'server/areas/people/staff/take-back.ts',
  'server/areas/scheduling/schedule/import/{read-session,write-events,take-back}.ts',
  'server/areas/scheduling/schedule/import/rules/times.ts',
  'server/areas/memberships/customer-memberships/import/*.ts',
  'server/areas/commerce/gift-cards/bring-forward.ts',
  'server/areas/money/account-entries/opening.ts',
  'server/kernel/base/csv/records.ts',
];
const BEGINS =
  /^(?:is|isn’t|has|was|means|names|belongs|joins|can’t|differs|stands|ends|starts|lasts|falls|contains|would|waits|needs|teaches|works|holds|shares|manages|another|the last|It is|The (?:file|first line|sheet|workbook)) /;
/** Reasons of the command line alone, whose files have other columns. */
const NOT_HERE = /an IANA time zone|below the minimum age|every customer needs an email address/;

/** Returns the texts that a literal can become; a value is a 7. */
function textsOf({ texts, holes }: Literal): string[] {
  let all = [texts[0]];
  for (const [i, { literals }] of holes.entries()) {
    const values = literals.length === 0 ? ['7'] : literals.flatMap(textsOf);
    all = all.flatMap((begin) => values.map((value) => `${begin}${value}${texts[i + 1]}`));
  }
  return all;
}

/** Returns a literal and those in its holes. */
const withInner = (literal: Literal): Literal[] => [
  literal,
  ...literal.holes.flatMap(({ literals }) => literals.flatMap(withInner)),
];

test('every reason that the code writes is translated', () => {
  const files = WRITERS.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.test.ts'));
  assert.ok(files.length > 30);
  const written = files.flatMap((file) =>
    parseLiterals(readFileSync(file, 'utf8'))
      .flatMap(withInner)
      .filter(({ before }) => before !== 'sql')
      .flatMap(textsOf)
      .filter((text) => BEGINS.test(text) && !NOT_HERE.test(text)),
  );
  assert.ok(written.length > 100);
  const english = written.filter((reason) => reasonIn('de', reason) === reason);
  assert.deepEqual([...new Set(english)], []);
});

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
});
after(() => world?.close());

test('rows and the report have their reasons in the language of the reader', async () => {
  const { id } = await upload(world, 'Email,Membership,Start Date\nnobody@example.com,Monthly,2026-03-01\n');
  await work(world, id, 'check');
  const read = (path: string, language?: string) =>
    world.get(`/imports/${id}/${path}`, {
      as: world.machine,
      headers: language === undefined ? {} : { 'accept-language': language },
    });
  const reasonsIn = async (language?: string) =>
    (await read('rows', language)).body.results.map((row: any) => row.issues[0].reason);
  assert.deepEqual(await reasonsIn(), ['is no customer here: import the customers first']);
  assert.deepEqual(await reasonsIn('de-AT'), ['ist hier kein Kunde: importieren Sie zuerst die Kunden']);
  assert.deepEqual(await reasonsIn('xx'), ['is no customer here: import the customers first']);
  const [heading, line] = (await read('report', 'fr')).text.replace('\uFEFF', '').split(/\r?\n/);
  assert.equal(heading, 'Ligne,Résultat,Raisons,Modifications,ID ici,Email,Membership,Start Date');
  assert.equal(
    line,
    '2,laissé de côté,"Email ""nobody@example.com"" n’est pas client ici : importez d’abord les clients",,,nobody@example.com,Monthly,2026-03-01',
  );
});

test('a reason inside of another, a value and an unknown reason', () => {
  assert.equal(reasonIn('de', 'differs from here (on hold), which stays'), 'weicht von hier ab (pausiert), was bleibt');
  assert.equal(
    reasonIn('de', 'belongs to the customer in line 2 already; this one is imported without an address'),
    'gehört schon dem Kunden in Zeile 2; dieser wird ohne Adresse importiert',
  );
  assert.equal(reasonIn('de', 'must be something else'), 'must be something else');
  assert.equal(fillIn('de', '{0} is now {1}', '"a is now b"', '"nothing"'), '"a is now b" ist jetzt "nothing"');
});
