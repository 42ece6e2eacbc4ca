/** The board of this month: charts that answer what owners ask most, each with the report that it is from. */
import { Link } from '@tanstack/react-router';
import { at, useReport, useReports, type ReportKind } from './read.ts';
import { Chart } from './report/chart.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { inWeekOrder, isTime, OF_FILTER, pageOf, type Asked } from './report/query.ts';
import { measured, numberIn, said } from './report/value.tsx';
import { monthOf, dateAt } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { useState } from 'react';
import { words } from './words.ts';

interface Question {
  readonly name: 'sold' | 'months' | 'members' | 'full' | 'visits' | 'teaching' | 'products';
  readonly report: string;
  readonly by: string;
  readonly measure: string;
  readonly filters: Readonly<Record<string, string>>;
}

const QUESTIONS: readonly Question[] = [
  {
    name: 'sold',
    report: 'revenue',
    by: 'type',
    measure: 'sold',
    filters: { month_timeframe: 'this_month', what: 'sold' },
  },
  {
    name: 'months',
    report: 'revenue',
    by: 'month',
    measure: 'sold',
    filters: { month_timeframe: 'last_365_days', what: 'sold' },
  },
  {
    name: 'members',
    report: 'retention',
    by: 'calendar_month',
    measure: 'retained',
    filters: { counted_on_timeframe: 'last_365_days' },
  },
  { name: 'full', report: 'fill_rates', by: 'day_of_week', measure: 'fill_rate', filters: { timeframe: 'this_month' } },
  { name: 'visits', report: 'attendances', by: 'status', measure: 'count', filters: { event_timeframe: 'this_month' } },
  {
    name: 'teaching',
    report: 'instructed_sessions',
    by: 'instructor.name',
    measure: 'instructor_pay',
    filters: { timeframe: 'this_month' },
  },
  {
    name: 'products',
    report: 'store_order_items',
    by: 'product.name',
    measure: 'total_amount',
    filters: { paid_at_timeframe: 'this_month' },
  },
];

export function Board() {
  const { timezone: zone } = useBusiness();
  const [today] = useState(() => dateAt(Date.now(), zone));
  const found = useReports();
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { reports } = found.data;
  return (
    <>
      <p className="soft">{words.say('board.about', { month: monthOf(today) })}</p>
      <div className="board">
        {QUESTIONS.map((question) => {
          const report = reports.find(({ name }) => name === question.report);
          return report ? <Answer key={question.name} report={report} question={question} /> : null;
        })}
      </div>
    </>
  );
}

const askedBy = ({ by, measure, filters }: Question): Asked => ({
  form: 'groups',
  columns: [],
  by: [by],
  measures: [measure],
  pivot: null,
  sort: null,
  page: 1,
  filters,
  compares: false,
});

interface AnswerProps {
  readonly report: ReportKind;
  readonly question: Question;
}

function Answer({ report, question }: AnswerProps) {
  const { id: business, timezone: zone } = useBusiness();
  const { name, filters } = question;
  const title = words.say(`board.${name}`);
  const asked = askedBy(question);
  const found = useReport(report, 'groups', pageOf(asked, report), { keep: true });
  const by = report.grouped_by.find(({ key }) => key === question.by)!;
  const measure = report.measures.find(({ key }) => key === question.measure)!;
  const address = {
    view: 'groups',
    by: by.key,
    measures: measure.key,
    ...Object.fromEntries(Object.entries(filters).map(([filter, value]) => [OF_FILTER + filter, value])),
  };
  const rows = inWeekOrder(found.data?.rows ?? [], asked, (row) => at(row, by.key));
  const bars = rows.slice(0, MAX_BARS).map((row) => ({
    label: said(at(row, by.key), by, zone),
    value: numberIn(at(row, measure.key)),
    said: measured(at(row, measure.key), measure, zone),
  }));
  return (
    <section className="card" aria-labelledby={`board-${name}`} aria-busy={!found.data || found.isPlaceholderData}>
      <h3 id={`board-${name}`}>{title}</h3>
      {found.error ? (
        <Failed error={found.error} again={() => void found.refetch()} />
      ) : bars.length > 0 ? (
        <>
          <Chart title={measure.label} isTime={isTime(by)} bars={bars} />
          <dl className="unseen">
            {bars.map(({ label, said: text }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : found.data && !found.isPlaceholderData ? (
        <p className="soft">{words.say('board.none')}</p>
      ) : (
        <Loading />
      )}
      <p className="small">
        <Link to={`/${business}/reports/${report.name}` as string} search={address as never}>
          {words.say('board.open', { report: report.label })}
        </Link>
      </p>
    </section>
  );
}

/** More are in the report. */
const MAX_BARS = 13;
