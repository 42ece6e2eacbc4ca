/** The figures of the month, each compared with two other months, with links to the rows behind them. */
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Money } from 'rollcall-sdk';
import { amountOf, monthOf, numberOf, percentOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { daysNeeded, shownOf, type Figure, type Group, type Shown } from './months.ts';
import { Failed } from '../../ui/states.tsx';
import { may, useBusiness, type Business } from '../../app/business.ts';
import { words } from './words.ts';

interface Source {
  readonly report: string;
  /** any of these permissions */
  readonly needs: readonly string[];
  readonly figures: readonly Figure[];
  /** the column that contains the month */
  readonly key: string;
  readonly read: (business: number, days: { from: string; to: string }) => PromiseLike<{ readonly rows: unknown }>;
}

/** One request for each report: all of its months are read together. */
const SOURCES: readonly Source[] = [
  {
    report: 'revenue',
    needs: ['revenue'],
    figures: ['revenue'],
    key: 'month',
    read: (business, { from, to }) =>
      clientOf(business).call('GET /reports/revenue.grouped/data', {
        query: { columns: ['month', 'sold'], what: ['sold'], month_gte: from, month_lte: to, limit: 100 },
      }),
  },
  {
    report: 'retention',
    needs: ['customers', 'revenue'],
    figures: ['members', 'joined', 'left'],
    key: 'calendar_month',
    read: (business, { from, to }) =>
      clientOf(business).call('GET /reports/retention.grouped/data', {
        query: {
          columns: ['calendar_month', 'retained', 'members_before', 'churned'],
          counted_on_gte: from,
          counted_on_lte: to,
          limit: 100,
        },
      }),
  },
  {
    report: 'fill_rates',
    needs: ['manage_events', 'attendances'],
    figures: ['occupancy'],
    key: 'month',
    read: (business, { from, to }) =>
      clientOf(business).call('GET /reports/fill_rates.grouped/data', {
        query: {
          columns: ['month', 'fill_rate'],
          starts_at_gte: `${from}T00:00:00`,
          starts_at_lte: `${to}T23:59:59`,
          limit: 100,
        },
      }),
  },
];

/** Returns true if the person runs the business or its schedule: others look at the day. */
export const seesFigures = (business: Business): boolean => may(business, 'revenue', 'manage_events');

export interface FiguresProps {
  /** `2026-11-23` */
  readonly date: string;
}

export function Figures({ date }: FiguresProps) {
  const business = useBusiness();
  const shown = SOURCES.filter(({ needs }) => may(business, ...needs));
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">{words.say('figures', { month: monthOf(date) })}</h2>
      <dl className="figures">
        {shown.map((source) => (
          <OfReport key={source.report} source={source} date={date} />
        ))}
      </dl>
    </section>
  );
}

function OfReport({ source, date }: FiguresProps & { readonly source: Source }) {
  const { id: business } = useBusiness();
  const { report, figures, key, read } = source;
  const found = useQuery({
    // Without the business in front, a change doesn't cause a new read: reports read much, and a month changes slowly.
    queryKey: [null, 'figures', business, report, date],
    queryFn: async () => (await read(business, daysNeeded(date))).rows as readonly Group[],
  });
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  return figures.map((figure) => (
    <div key={figure} className={`card ${figure}`} aria-busy={!found.data}>
      <dt>{words.say(`figure.${figure}`)}</dt>
      {found.data ? (
        <Values figure={figure} report={report} all={shownOf(figure, date, key, found.data)} />
      ) : (
        <dd>…</dd>
      )}
    </div>
  ));
}

const NOTHING = '–';

function said(figure: Figure, value: Shown['value'], currency: string): string {
  if (figure === 'revenue') return amountOf((value as Money | null) ?? { decimal: 0, iso_currency_code: currency });
  if (value === null) return NOTHING;
  return figure === 'occupancy' ? percentOf(value as number) : numberOf(value as number);
}

function Values({
  figure,
  report,
  all,
}: {
  readonly figure: Figure;
  readonly report: string;
  readonly all: readonly Shown[];
}) {
  const { id, currency } = useBusiness();
  return all.map(({ month, value, rows }, i) => {
    const text = said(figure, value, currency);
    const link =
      rows === null ? (
        text
      ) : (
        <Link
          to={`/${id}/reports/${report}?${rows}` as string}
          aria-label={words.say('figure.of', {
            figure: words.say(`figure.${figure}`),
            month: monthOf(month),
            value: text,
          })}
        >
          {text}
        </Link>
      );
    return i === 0 ? (
      <dd key={month} className="value">
        {link}
      </dd>
    ) : (
      <dd key={month} className="small">
        <span className="soft">{monthOf(month, 'short')}:</span> {link}
      </dd>
    );
  });
}
