/** The report declarations, as far as the caller may read them, for programs that show reports they don't know. */
import { answer, read, STAFF } from '../../../kernel/api/endpoint.ts';
import { boolean, called, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { groupsAsked, hasPivot } from './ask.ts';
import { filterLabelIn, labelIn, languageField } from './labels.ts';
import { definitionIn, descriptionIn } from './definitions.ts';
import { may, type Viewer } from '../../../kernel/work/access/viewer.ts';
import { choicesField, choicesOf, valuesOf } from './choices.ts';
import { isShown } from './statements.ts';
import { OPENINGS, TOPICS } from './catalogue/openings.ts';
import { REPORTS, TOTALS } from './catalogue/index.ts';
import type { Report } from './report.ts';
import type { Columns, ReportFilter } from './columns.ts';
import type { Field, JsonSchema } from '../../../kernel/base/fields/field.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';

const COLUMN_TYPES = ['text', 'choice', 'boolean', 'integer', 'number', 'money', 'date', 'datetime', 'list'] as const;
const FILTER_TYPES = ['text', 'choice', 'boolean', 'integer', 'number', 'date', 'datetime', 'period', 'group'] as const;
type ColumnType = (typeof COLUMN_TYPES)[number];
type FilterType = (typeof FILTER_TYPES)[number];

const PLAIN: Readonly<Record<string, ColumnType & FilterType>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
};

const plainType = ({ type, format, enum: values }: JsonSchema): ColumnType & FilterType => {
  if (values) return 'choice';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'datetime';
  return PLAIN[String(type)] ?? 'text';
};

function columnType({ spec: { schema } }: Field<any>): ColumnType {
  if (schema.properties?.decimal) return 'money';
  return schema.type === 'array' || schema.type === 'object' ? 'list' : plainType(schema);
}

const column = {
  key: text().describe('Path of the value in each row. Dots separate the names of nested objects.'),
  label: text(),
  definition: text().describe('Definition of the column.'),
  type: called('report_column_type', oneOf(COLUMN_TYPES)),
  sortable: boolean(),
  choices: choicesField(),
};

const shape = {
  reports: listOf(
    object({
      name: text().describe('As it is in the path: `GET /reports/{name}/data`.'),
      label: text(),
      description: text(),
      columns: listOf(
        object({ ...column, shown: boolean().describe('Whether it is returned if no columns are chosen.') }),
      ).describe('Columns of each row.'),
      filters: listOf(
        object({
          name: text(),
          label: text(),
          type: oneOf(FILTER_TYPES).describe('`period`: a name such as `last_month`. `group`: the values of a group.'),
          several: boolean().describe('Whether it takes a comma-separated list.'),
          values: listOf(text()).describe('Possible choices. Empty unless the type is `choice`.'),
          choices: choicesField(),
          from: text().nullable().describe('Periods only: the filter for its first day.'),
          to: text().nullable().describe('Periods only: the filter for its last day.'),
        }),
      ),
      grouped_by: listOf(object(column)).describe('Columns that rows can be grouped by. Empty if they can’t be.'),
      measures: listOf(object(column)).describe('Measures of each group.'),
      is_total: boolean().describe('Whether its rows are groups already, by everything in `grouped_by`.'),
      pivots: listOf(text()).describe('The periods by which groups can be split into columns.'),
      topic: called('report_topic', oneOf(TOPICS)).describe('Subject of the report.'),
      opens_with: object({
        grouped_by: listOf(text()).describe('Empty if its rows say most.'),
        measures: listOf(text()),
        filters: listOf(object({ name: text(), value: text() })),
      }).describe('View with the most important figures: the dashboard opens the report with it.'),
    }).named('ReportDescription'),
  ),
};

/** The reader of a description, and their language. */
interface Reader {
  readonly language: Language;
  readonly viewer: Viewer;
}

const columnsOf = (columns: Columns, report: string, { language, viewer }: Reader) =>
  Object.entries(columns).map(([key, one]) => ({
    key,
    label: labelIn(language, key),
    definition: definitionIn(language, one, isShown(one, viewer)),
    type: columnType(one.field),
    sortable: one.sortable,
    choices: choicesOf(one.field, report, language),
  }));

function filterOf(name: string, { field, bounds }: ReportFilter, report: string, language: Language) {
  const { schema } = field.spec;
  const one = schema.type === 'array' ? (schema.items as JsonSchema) : schema;
  return {
    name,
    label: filterLabelIn(language, name),
    type: name === 'group' ? 'group' : bounds ? 'period' : plainType(one),
    several: schema.type === 'array',
    values: [...valuesOf(schema)],
    choices: choicesOf(field, report, language),
    from: bounds?.from ?? null,
    to: bounds?.to ?? null,
  };
}

const pivotsOf = (report: Report): string[] =>
  report.grouped && hasPivot(report)
    ? (groupsAsked(report).pivot.spec.schema.enum as string[]).filter((one) => one !== 'all')
    : [];

function described(report: Report, reader: Reader) {
  const { language } = reader;
  const { name, description, columns, filters, grouped, shown } = report;
  const isTotal = TOTALS.includes(report);
  const { topic, by = [], measures = [], filters: opened = {} } = OPENINGS[name];
  return {
    name,
    label: labelIn(language, name),
    description: descriptionIn(language, description),
    columns: isTotal
      ? []
      : columnsOf(columns, name, reader).map((one) => ({
          ...one,
          shown: shown === undefined || shown.includes(one.key),
        })),
    filters: Object.entries(filters).map(([filter, of]) => filterOf(filter, of, name, language)),
    grouped_by: columnsOf(grouped?.by ?? {}, name, reader),
    measures: columnsOf(grouped?.measures ?? {}, name, reader),
    is_total: isTotal,
    pivots: pivotsOf(report),
    topic,
    opens_with: {
      grouped_by: [...by],
      measures: [...measures],
      filters: Object.entries(opened).map(([filter, value]) => ({ name: filter, value })),
    },
  };
}

export const describeReports = read({
  path: '/reports',
  summary: 'List the reports that you may read',
  description:
    'With everything that can be asked of each: its columns and their definitions, its filters, and what its rows can be grouped by. The `column_headers` of a report are always in English.',
  who: STAFF,
  query: { language: languageField().default('en') },
  returns: answer(shape),
  run: async ({ work, query: { language } }) => ({
    reports: REPORTS.filter(({ who }) => may(work.viewer, ...who)).map((report) =>
      described(report, { language, viewer: work.viewer }),
    ),
  }),
});
