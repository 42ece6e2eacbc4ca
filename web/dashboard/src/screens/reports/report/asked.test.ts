import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfRows, askedIn, previousPeriodQuery, bodyOf, openingQuery, pageOf, PAGE } from './query.ts';
import type { ReportKind } from '../read.ts';

const column = (key: string, type: string, sortable = true) => ({
  key,
  label: key,
  definition: 'What it is.',
  type,
  sortable,
});
const filter = (name: string, type: string, over = {}) => ({
  name,
  label: name,
  type,
  several: false,
  values: [],
  from: null,
  to: null,
  ...over,
});

const VISITS = {
  name: 'visits',
  label: 'Visits',
  description: 'Visits.',
  columns: [
    { ...column('id', 'integer'), shown: true },
    { ...column('event.name', 'text'), shown: true },
  ],
  filters: [
    filter('status', 'choice', { several: true, values: ['attended', 'no_show'] }),
    filter('venues', 'integer', { several: true }),
    filter('first', 'boolean'),
    filter('start_gte', 'datetime'),
    filter('start_lte', 'datetime'),
    filter('start_timeframe', 'period', { from: 'start_gte', to: 'start_lte' }),
    filter('group', 'group'),
  ],
  grouped_by: [column('customer.id', 'integer'), column('status', 'choice'), column('month', 'text')],
  measures: [column('count', 'integer'), column('value', 'money')],
  is_total: false,
  pivots: ['month'],
  topic: 'classes',
  opens_with: { grouped_by: [], measures: [], filters: [] },
} as unknown as ReportKind;

test('an empty address counts by month, and names that are not columns or filters of the report are ignored', () => {
  const asked = askedIn({ by: 'nothing', 'f.strange': '1', sort: 'id' }, VISITS);
  assert.deepEqual([asked.form, asked.by, asked.measures, asked.filters], ['groups', ['month'], ['count'], {}]);
  assert.deepEqual(pageOf(asked, VISITS), { columns: 'month,count', sort: 'month', limit: PAGE, offset: 0 });
});

test('a report opens with its most telling numbers and period, and keeps its numbers when the period is cleared', () => {
  const opens_with = {
    grouped_by: ['month'],
    measures: ['value'],
    filters: [{ name: 'start_timeframe', value: 'this_month' }],
  };
  const report = { ...VISITS, opens_with } as ReportKind;
  assert.deepEqual(openingQuery(report), {
    view: 'groups',
    by: 'month',
    measures: 'value',
    'f.start_timeframe': 'this_month',
  });
  assert.deepEqual(openingQuery(VISITS), { view: 'rows' });
  const { by, measures, filters } = askedIn({ view: 'groups' }, report);
  assert.deepEqual([by, measures, filters], [['month'], ['value'], {}]);
  assert.deepEqual(askedIn({ by: 'status' }, report).measures, ['count']);
});

test('groups that are not chronological are sorted by their measure, the largest first', () => {
  const asked = askedIn({ by: 'status', measures: 'value', page: '3' }, VISITS);
  assert.deepEqual(pageOf(asked, VISITS), { columns: 'status,value', sort: '-value', limit: PAGE, offset: 2 * PAGE });
});

test('rows are requested with their columns, filters and order', () => {
  const asked = askedIn({ view: 'rows', columns: 'event.name', 'f.status': 'attended,no_show', sort: '-id' }, VISITS);
  assert.deepEqual(pageOf(asked, VISITS), {
    columns: 'event.name',
    status: 'attended,no_show',
    sort: '-id',
    limit: PAGE,
    offset: 0,
  });
});

test('an export gets lists, numbers and booleans as such', () => {
  const address = {
    view: 'rows',
    'f.status': 'attended',
    'f.venues': '3,4',
    'f.first': 'true',
    'f.start_timeframe': 'last_month',
  };
  assert.deepEqual(bodyOf(askedIn(address, VISITS), VISITS), {
    status: ['attended'],
    venues: [3, 4],
    first: true,
    start_timeframe: 'last_month',
  });
  assert.deepEqual(bodyOf(askedIn({ pivot: 'month' }, VISITS), VISITS), {
    columns: ['month', 'count'],
    sort: ['month'],
    pivot: 'month',
    max_pivot_columns: 12,
  });
});

test('the previous period is requested by its dates; without a period there is none', () => {
  const asked = askedIn({ by: 'status', 'f.start_timeframe': 'this_month', 'f.first': 'true' }, VISITS);
  assert.deepEqual(previousPeriodQuery(asked, VISITS, '2026-03-10'), {
    days: { from: '2026-02-01', to: '2026-02-28' },
    query: {
      columns: 'status,count',
      first: 'true',
      sort: '-count',
      start_gte: '2026-02-01T00:00:00',
      start_lte: '2026-02-28T23:59:59.999',
      limit: 100,
      offset: 0,
    },
  });
  assert.equal(previousPeriodQuery(askedIn({}, VISITS), VISITS, '2026-03-10'), null);
});

test("the address of a group's rows is the one that the interface returns", () => {
  const group = '{"status":null}';
  assert.deepEqual(
    addressOfRows(`https://x.test/api/v2/reports/visits/data?first=true&group=${encodeURIComponent(group)}`),
    {
      view: 'rows',
      'f.first': 'true',
      'f.group': group,
    },
  );
});
