/** Pay periods: pay that was approved together, for the payroll. */
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { amountOf, calendarDayOf, momentOf } from '../../words/times.ts';
import { Approve } from './approve.tsx';
import { clientOf } from '../../app/client.ts';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export function Periods() {
  const business = useBusiness();
  const propose = usePropose();
  const [approving, setApproving] = useState(false);
  const list = usePages('GET /instructor_pay_periods', { query: { sort: ['-id'], page_size: 24 } });
  const reopen = (id: number, day: string): void =>
    void propose({
      title: words.say('reopen.of', { day }),
      confirm: words.say('reopen'),
      about: <p>{words.say('reopen.about')}</p>,
      done: words.say('reopen.done'),
      grave: true,
      call: () => clientOf(business.id).call('POST /instructor_pay_periods/{id}/reopen', { params: { id } }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('approve'), needs: ['revenue'], act: () => setApproving(true) },
  ];
  return (
    <>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <p className="soft">{words.say('periods.about')}</p>
      <Listed list={list} none={words.say('periods.none')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.periods')}>
            {all.map(({ id, status, through, sessions, total, approved_at }) => {
              const day = calendarDayOf(through);
              return (
                <li key={id}>
                  <span>{words.say('period.through', { day })}</span>
                  <span className={status === 'approved' ? 'tag good' : 'tag'}>{words.say(`period.${status}`)}</span>
                  <span className="soft small">
                    {words.say('period.of', { n: sessions, moment: momentOf(approved_at, business.timezone) })}
                  </span>
                  <span className="end">{amountOf(total)}</span>
                  {status === 'approved' ? (
                    <Link
                      className="second"
                      to="."
                      search={{ tab: 'sessions', period: String(id) } as never}
                      aria-label={`${words.say('period.sessions')}: ${day}`}
                    >
                      {words.say('period.sessions')}
                    </Link>
                  ) : null}
                  {status === 'approved' && may(business, 'super_admin') ? (
                    <RowButton text={words.say('reopen')} about={day} onClick={() => reopen(id, day)} />
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {approving ? <Approve onClose={() => setApproving(false)} /> : null}
    </>
  );
}
