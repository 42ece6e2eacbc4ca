/** A report in groups: a chart, the numbers, those of the previous period, and links to the rows of each group. */
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { addressOfRows, previousPeriodQuery, inWeekOrder, isTime, pageOf, periodIn } from './query.ts';
import { at, useReport, type Column, type Row } from '../read.ts';
import { calendarDayOf, dateAt } from '../../../words/times.ts';
import { Chart } from './chart.tsx';
import { Definitions, Pages, Sortable } from './table.tsx';
import { formatDifference, isNumber, measured, numberIn, said } from './value.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Kept } from '../../../ui/kept.tsx';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';
import type { FormProps } from './rows.tsx';

export function Groups({ report, asked }: FormProps) {
  const { id: business, timezone: zone } = useBusiness();
  const [address] = useAddress();
  const [today] = useState(() => dateAt(Date.now(), zone));
  const found = useReport(report, 'groups', pageOf(asked, report), { keep: true });
  const before = asked.compares ? previousPeriodQuery(asked, report, today) : null;
  const compared = useReport(report, 'groups', before?.query ?? {}, { enabled: before !== null });
  const failed = found.error ?? compared.error;
  if (failed) return <Failed error={failed} again={() => void found.refetch()} />;
  if (!found.data || (before && !compared.data)) return <Loading />;
  const page = { ...found.data, rows: inWeekOrder(found.data.rows, asked, (row) => at(row, 'day_of_week')) };
  if (page.total === 0) return found.isPlaceholderData ? <Loading /> : <p className="soft">{words.say('rows.none')}</p>;
  const by = report.grouped_by.filter(({ key }) => asked.by.includes(key));
  const measures = report.measures.filter(({ key }) => asked.measures.includes(key));
  const keyOf = (row: Row): string => JSON.stringify(by.map(({ key }) => at(row, key)));
  const earlier = new Map(compared.data?.rows.map((row) => [keyOf(row), row]));
  const nameOf = (row: Row): string => by.map((one) => said(at(row, one.key), one, zone)).join(' · ');
  const [first] = measures.filter(({ type }) => isNumber(type));
  const title = first ? words.say('chart.of', { what: first.label, by: by.map(({ label }) => label).join(', ') }) : '';
  // Returns the address of the group's rows; null if the report has no rows.
  const rowsOf = (row: Row): Record<string, string> | null =>
    !report.is_total && typeof row.rows === 'string' ? addressOfRows(row.rows) : null;
  const drill = (row: Row, text: string) => {
    const to = rowsOf(row);
    return to ? (
      <Link
        to={`/${business}/reports/${report.name}` as string}
        search={to as never}
        aria-label={words.say('drill', { number: text, group: nameOf(row) })}
      >
        {text}
      </Link>
    ) : (
      text
    );
  };
  const pivots = page.column_headers.filter(({ key }) => key.startsWith('pivot.'));
  return (
    <Kept read={found}>
      {first ? (
        <Chart
          title={title}
          isTime={by.length === 1 && isTime(by[0])}
          bars={page.rows.map((row) => ({
            label: nameOf(row),
            value: numberIn(at(row, first.key)),
            said: measured(at(row, first.key), first, zone),
            ...(before && { before: numberIn(at(earlier.get(keyOf(row)), first.key)) }),
          }))}
        />
      ) : null}
      <p role="status" className="soft small">
        {words.say('count.groups', { n: page.total })}{' '}
        {before
          ? words.say('compare.with', { from: calendarDayOf(before.days.from), to: calendarDayOf(before.days.to) })
          : asked.compares && !periodIn(asked, report)
            ? words.say('compare.choose')
            : null}
      </p>
      <div className="wide-table" role="region" aria-label={report.label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {page.column_headers
                .filter(({ key }) => !key.startsWith('pivot.'))
                .flatMap((header) => [
                  <Sortable
                    key={header.key}
                    header={header}
                    isNumber={measures.some(({ key, type }) => key === header.key && isNumber(type))}
                  />,
                  ...(before && measures.some(({ key }) => key === header.key)
                    ? [
                        <th key={`${header.key} before`} scope="col" className="amount">
                          {words.say('before')}
                        </th>,
                        <th key={`${header.key} change`} scope="col" className="amount">
                          {words.say('change')}
                        </th>,
                      ]
                    : []),
                ])}
              {pivots.map(({ key, label }) => (
                <th key={key} scope="col" className="amount">
                  {said(label, { type: 'text' }, zone)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row) => (
              <tr key={keyOf(row)}>
                {by.map((one, n) =>
                  n === 0 ? (
                    <th key={one.key} scope="row">
                      {said(at(row, one.key), one, zone)}
                    </th>
                  ) : (
                    <td key={one.key}>{said(at(row, one.key), one, zone)}</td>
                  ),
                )}
                {measures.flatMap(({ key, type }) => [
                  <td key={key} className={isNumber(type) ? 'amount' : undefined}>
                    {drill(row, measured(at(row, key), { key, type }, zone))}
                  </td>,
                  ...(before
                    ? [
                        <Earlier
                          key={`${key} before`}
                          now={row}
                          before={earlier.get(keyOf(row))}
                          of={{ key, type }}
                          zone={zone}
                        />,
                      ]
                    : []),
                ])}
                {pivots.map(({ key }) => (
                  <td key={key} className="amount">
                    {drill(row, measured(at(row, key), { key, type: 'integer' }, zone))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pages total={page.total} page={asked.page} />
      <Definitions headers={page.column_headers} report={report} />
      {address.compare === 'true' && before ? <p className="soft small">{words.say('compare.note')}</p> : null}
    </Kept>
  );
}

interface EarlierProps {
  readonly now: Row;
  readonly before: Row | undefined;
  readonly of: Pick<Column, 'key' | 'type'>;
  readonly zone: string;
}

/** Shows the value of the previous period, and the change. */
function Earlier({ now, before, of: { key, type }, zone }: EarlierProps) {
  return (
    <>
      <td className="amount">{measured(at(before, key), { key, type }, zone)}</td>
      <td className="amount">{formatDifference(at(now, key), at(before, key), type)}</td>
    </>
  );
}
