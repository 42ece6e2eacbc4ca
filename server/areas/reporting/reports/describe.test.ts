/** The list of reports matches what the reports accept. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { filterLabelIn, labelIn, TRANSLATIONS, translationOf } from './labels.ts';
import { definitionIn, definitionsIn, NOT_YOURS } from './definitions.ts';
import { groupedColumns } from './ask.ts';
import { valueIn, valuesOf, wordsOfValues } from './choices.ts';
import { isLanguage, LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { REPORTS, TOTALS } from './catalogue/index.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const list = async (as = world.machine): Promise<any[]> => {
  const { status, body, text } = await world.get('/reports', { as });
  assert.equal(status, 200, text);
  return body.reports;
};

const keys = (of: { key: string }[]) => of.map(({ key }) => key);

test('every report is listed with all of its parameters, and each column with its definition', async () => {
  const listed = await list();
  assert.deepEqual(
    listed.map(({ name }) => name),
    REPORTS.map(({ name }) => name),
  );
  for (const [n, report] of REPORTS.entries()) {
    const { columns, filters, grouped_by: by, measures, is_total: isTotal, pivots } = listed[n];
    assert.equal(isTotal, TOTALS.includes(report));
    assert.deepEqual(keys(columns), isTotal ? [] : Object.keys(report.columns), report.name);
    assert.deepEqual([...keys(by), ...keys(measures)], report.grouped ? Object.keys(groupedColumns(report)) : []);
    assert.deepEqual(
      filters.map(({ name }: { name: string }) => name),
      Object.keys(report.filters),
    );
    for (const { key, label, definition } of [...columns, ...by, ...measures])
      assert.match(`${label} ${definition}`, /^[A-Z].*\.$/s, `${report.name}: ${key}`);
    for (const one of filters) {
      assert.equal(one.type === 'choice', one.values.length > 0, `${report.name}: ${one.name}`);
      const bounds = [one.from, one.to];
      if (one.type === 'period')
        assert.ok(
          bounds.every((bound) => filters.some(({ name }: { name: string }) => name === bound)),
          `${report.name}: ${one.name}`,
        );
      else assert.deepEqual(bounds, [null, null]);
      assert.equal(one.name.endsWith('timeframe'), one.type === 'period', `${report.name}: ${one.name}`);
    }
    assert.ok(!pivots.includes('all'));
  }
});

test('every report opens with numbers or rows that it has, money and people before counts', async () => {
  for (const { name, is_total: isTotal, filters, grouped_by: by, measures, opens_with: opens } of await list()) {
    const known = [keys(by), keys(measures), filters.map((one: any) => one.name)];
    const said = [opens.grouped_by, opens.measures, opens.filters.map((one: any) => one.name)];
    for (const [n, names] of said.entries())
      for (const one of names) assert.ok(known[n].includes(one), `${name}: ${one}`);
    assert.equal(opens.grouped_by.length > 0, opens.measures.length > 0, name);
    const money = measures.find(({ type }: any) => type === 'money');
    if (money && opens.measures.length > 0) assert.notEqual(opens.measures[0], 'count', name);
    const query = new URLSearchParams(opens.filters.map((one: any) => [one.name, one.value]));
    if (opens.measures.length > 0) query.set('columns', [...opens.grouped_by, ...opens.measures].join(','));
    const path = `/reports/${name}${opens.measures.length > 0 && !isTotal ? '.grouped' : ''}/data?${query}`;
    const answer = await world.get(path, { as: world.machine });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  }
});

test('the default columns in the list are those that a report shows, and each pivot is accepted', async () => {
  for (const { name, columns, grouped_by: by, measures, is_total: isTotal, pivots } of await list()) {
    if (!isTotal) {
      const { body } = await world.get(`/reports/${name}/data?limit=1`, { as: world.machine });
      assert.deepEqual(
        columns
          .filter(({ shown }: any) => shown)
          .map(({ key, label, definition, sortable }: any) => [key, label, definition, sortable]),
        // Programs read which permission a column needs; people don't have to.
        body.column_headers.map(({ key, label, definition, sortable }: any) => [
          key,
          label,
          definition.replace(/ Null for staff .*$/, ''),
          sortable,
        ]),
        name,
      );
    }
    for (const pivot of pivots) {
      const asked = `columns=${by[0].key},${measures[0].key}&pivot=${pivot}`;
      const { status, text } = await world.get(`/reports/${name}.grouped/data?${asked}`, { as: world.machine });
      assert.equal(status, 200, text);
    }
  }
});

test('staff see only the reports that they may read', async () => {
  const discounts = await list(world.staff(['discount_codes']));
  const allowed = REPORTS.filter(({ who }) => who.includes('discount_codes')).map(({ name }) => name);
  assert.deepEqual(
    discounts.map(({ name }) => name),
    allowed,
  );
  assert.ok(allowed.length > 0 && allowed.length < REPORTS.length);
});

const OTHERS = Object.keys(LANGUAGES).filter((one) => one !== 'en' && isLanguage(one)) as (keyof typeof LANGUAGES)[];

/** Items that are listed together, by their owner. */
const NAMED: readonly (readonly [string, readonly string[]])[] = [
  ['reports', REPORTS.map(({ name }) => name)],
  ...REPORTS.flatMap(({ name, columns, filters, grouped }) => [
    [`columns of ${name}`, Object.keys(columns)] as const,
    [`filters of ${name}`, Object.keys(filters)] as const,
    [`groups of ${name}`, Object.keys({ ...grouped?.by, ...grouped?.measures })] as const,
  ]),
];

test('every report, column and filter has a label in every language, and no two labels in a list are equal', () => {
  for (const language of OTHERS) {
    const names = [...new Set(NAMED.flatMap(([, all]) => all))];
    const untranslated = names.filter((name) => !translationOf(language, name)).map((name) => labelIn('en', name));
    assert.deepEqual(untranslated, [], language);
    const twice = NAMED.flatMap(([where, all]) => {
      const labels = all.map((name) => labelIn(language, name));
      return labels.filter((one, n) => labels.indexOf(one) !== n).map((label) => `${where}: ${label}`);
    });
    assert.deepEqual(twice, [], language);
  }
});

test('no translation is unused, and all languages have the same ones', () => {
  const english = NAMED.flatMap(([, names]) => names).map((name) => labelIn('en', name));
  for (const language of OTHERS) {
    const sources = Object.keys(TRANSLATIONS[language]!);
    assert.deepEqual(sources, Object.keys(TRANSLATIONS.de!));
    const needless = sources.filter((source) =>
      source.startsWith('{0}')
        ? !english.some((label) => label.endsWith(source.slice(3)))
        : !english.some((label) => label === source || label.startsWith(`${source} `)),
    );
    assert.deepEqual(needless, [], language);
  }
});

/** Every value of a column, a group or a filter of each report, once. */
const VALUES: readonly (readonly [string, string])[] = REPORTS.flatMap(({ name, columns, filters, grouped }) => {
  const fields = [
    ...Object.values({ ...columns, ...grouped?.by, ...grouped?.measures }).map(({ field }) => field),
    ...Object.values(filters).flatMap(({ field, bounds }) => (bounds ? [] : [field])),
  ];
  return [...new Set(fields.flatMap(({ spec: { schema } }) => valuesOf(schema)))].map((one) => [name, one] as const);
});

test('every value has a label in every language, unique within each report, and no label is unused', () => {
  const known = new Set(VALUES.flatMap(([report, value]) => [value, `${report}: ${value}`]));
  for (const language of ['en', ...OTHERS] as const) {
    const unsaid = VALUES.filter(([report, value]) => !valueIn(language, report, value));
    assert.deepEqual(unsaid, [], language);
    const keys = Object.keys(wordsOfValues(language));
    assert.deepEqual(keys, Object.keys(wordsOfValues('en')), language);
    assert.deepEqual(
      keys.filter((key) => !known.has(key)),
      [],
    );
    for (const { name, columns } of REPORTS)
      for (const [key, { field }] of Object.entries(columns)) {
        const said = valuesOf(field.spec.schema).map((value) => valueIn(language, name, value));
        assert.equal(new Set(said).size, said.length, `${language}, ${name}.${key}: ${said.join(', ')}`);
      }
  }
});

test('values come with labels in the requested language, and rows keep the values', async () => {
  const { body } = await world.get('/reports?language=de', { as: world.machine });
  const attendances = body.reports.find(({ name }: { name: string }) => name === 'attendances');
  assert.match(attendances.description, /^Buchungen und Besuche\./);
  assert.equal(
    attendances.columns.find(({ key }: any) => key === 'status').definition,
    'Was aus der Buchung geworden ist.',
  );
  const late = { value: 'late_cancelled', label: 'Spät abgesagt' };
  for (const of of [...attendances.columns, ...attendances.grouped_by].filter(({ key }: any) => key === 'status'))
    assert.ok(
      of.choices.some((one: any) => one.value === late.value && one.label === late.label),
      of.key,
    );
  const filter = attendances.filters.find(({ name }: { name: string }) => name === 'status');
  assert.deepEqual(
    filter.choices.map(({ value }: { value: string }) => value),
    filter.values,
  );
  const { status } = await world.get('/reports/attendances/data?status=late_cancelled&limit=1', { as: world.machine });
  assert.equal(status, 200);
});

const COLUMNS = REPORTS.flatMap(({ columns, grouped }) =>
  Object.values({ ...columns, ...grouped?.by, ...grouped?.measures }),
);

/** Parts that are equal in all languages: code names and numbers. */
const exact = (text: string) => text.match(/`[^`]*`|\d+/g)?.toSorted() ?? [];

test('every description and definition exists in every language, with the same names and numbers, and none is unused', () => {
  const english = new Set([...REPORTS.map(({ description }) => description), ...COLUMNS.map(({ means }) => means)]);
  for (const language of OTHERS) {
    const texts = definitionsIn(language);
    assert.deepEqual(new Set(Object.keys(texts)), english.union(new Set([NOT_YOURS])), language);
    for (const [source, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), source.trim(), `${language}: ${source}`);
      assert.deepEqual(exact(text), exact(source), `${language}: ${text}`);
    }
    const [column] = COLUMNS;
    const hidden = definitionIn(language, column, false);
    assert.ok(hidden.startsWith(definitionIn(language, column, true)), hidden);
    assert.doesNotMatch(hidden, /\{\d\}/);
  }
});

const allLabels = (reports: readonly any[]) =>
  reports.map(({ label, filters }) => [label, ...filters.map((one: any) => one.label)]);

const labelsIn = (language: keyof typeof LANGUAGES) =>
  REPORTS.map(({ name, filters }) => [
    labelIn(language, name),
    ...Object.keys(filters).map((one) => filterLabelIn(language, one)),
  ]);

test('labels are in the requested language, and English for a program that requests none', async () => {
  const headers = { 'accept-language': 'de' };
  const ask = async (path: string) => (await world.get(path, { as: world.machine, headers })).body;
  assert.deepEqual(allLabels((await ask('/reports?language=pl')).reports), labelsIn('pl'));
  assert.deepEqual(allLabels((await ask('/reports')).reports), labelsIn('en'));
  const { column_headers: columns } = await ask('/reports/attendances/data?columns=customer.name&limit=1');
  assert.equal(columns[0].label, 'Customer name');
  assert.equal(filterLabelIn('en', 'event_start_gte'), 'Event start: from');
  assert.equal((await world.get('/reports?language=xx', { as: world.machine })).status, 400);
});
