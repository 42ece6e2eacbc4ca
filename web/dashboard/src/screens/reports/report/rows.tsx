/** A report as rows. */
import { Link } from '@tanstack/react-router';
import { at, useReport, type ReportKind, type ReportPage } from '../read.ts';
import { Definitions, Pages, Sortable } from './table.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Kept } from '../../../ui/kept.tsx';
import { isNumber, isWhen, said, type Shown } from './value.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { pageOf, type Asked } from './query.ts';
import { words } from '../words.ts';

export interface FormProps {
  readonly report: ReportKind;
  readonly asked: Asked;
}

export function Rows({ report, asked }: FormProps) {
  const found = useReport(report, 'rows', pageOf(asked, report), { keep: true });
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  if (found.isPlaceholderData && found.data.total === 0) return <Loading />;
  return (
    <Kept read={found}>
      <Table report={report} asked={asked} page={found.data} />
    </Kept>
  );
}

function Table({ report, asked, page }: FormProps & { readonly page: ReportPage }) {
  const business = useBusiness();
  const mayOpen = may(business, 'customers', 'attendances', 'instructor_attendances', 'pos');
  const columnOf = (key: string): Shown => report.columns.find((one) => one.key === key) ?? { type: 'text' };
  const typeOf = (key: string) => columnOf(key).type;
  if (page.total === 0) return <p className="soft">{words.say('rows.none')}</p>;
  return (
    <>
      <p role="status" className="soft small">
        {words.say('count.rows', { n: page.total })}
      </p>
      <div className="wide-table" role="region" aria-label={report.label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {page.column_headers.map((header) => (
                <Sortable key={header.key} header={header} isNumber={isNumber(typeOf(header.key))} />
              ))}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, n) => (
              <tr key={n}>
                {page.column_headers.map(({ key, holds_customer_id }) => {
                  const value = at(row, key);
                  const text = said(value, columnOf(key), business.timezone);
                  return (
                    <td
                      key={key}
                      className={isNumber(typeOf(key)) ? 'amount' : isWhen(typeOf(key)) ? 'when' : undefined}
                    >
                      {holds_customer_id && mayOpen && value !== null ? (
                        <Link to={`/${business.id}/people/${String(value)}` as string}>{text}</Link>
                      ) : (
                        text
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pages total={page.total} page={asked.page} />
      <Definitions headers={page.column_headers} report={report} />
    </>
  );
}
