/** Reports that are emailed every week or month. */
import { clientOf } from '../../app/client.ts';
import { Listed } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { nameOf } from '../../app/customers.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { useReports } from './read.ts';
import { weekdayOf } from '../../words/weekdays.ts';
import { words } from './words.ts';

export function Schedules() {
  const business = useBusiness();
  const propose = usePropose();
  const reports = useReports();
  const labelOf = (name: string): string => reports.data?.reports.find((one) => one.name === name)?.label ?? name;
  const client = clientOf(business.id);
  const list = usePages('GET /report_schedules', {
    query: { page_size: 50 },
    fields: [
      'id',
      'report',
      'format',
      'frequency',
      'day_of_week',
      'day_of_month',
      'time',
      'status',
      'status_reason',
      'next_run_at',
      'recipients.id',
      'recipients.first_name',
      'recipients.last_name',
    ],
  });
  return (
    <>
      <p className="soft">{words.say('schedules.about')}</p>
      <Listed list={list} none={words.say('schedules.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.schedules')}>
            {all.map((one) => {
              const label = labelOf(one.report);
              const next = one.status === 'active' ? 'paused' : 'active';
              return (
                <li key={one.id}>
                  <strong>{label}</strong>
                  <span>
                    {one.day_of_week
                      ? words.say('every_week', { day: weekdayOf(one.day_of_week), time: one.time })
                      : words.say('every_month', { day: one.day_of_month ?? 1, time: one.time })}
                  </span>
                  <span className="soft">{words.say(`format.${one.format}`)}</span>
                  {one.status === 'paused' ? <span className="tag">{words.say('paused')}</span> : null}
                  <span className="end soft small">
                    {one.next_run_at
                      ? words.say('next_run', { moment: momentOf(one.next_run_at, business.timezone) })
                      : null}
                  </span>
                  <p className="whole soft small">
                    {one.recipients.map(nameOf).join(', ')} {one.status_reason}
                  </p>
                  <div className="whole row-actions">
                    <RowButton
                      text={words.say(next === 'paused' ? 'pause' : 'resume')}
                      about={label}
                      onClick={() =>
                        void propose({
                          title: words.say(next === 'paused' ? 'pause.title' : 'resume.title', { report: label }),
                          confirm: words.say(next === 'paused' ? 'pause' : 'resume'),
                          done: words.say('schedule.changed'),
                          call: () =>
                            client.call('PATCH /report_schedules/{id}', {
                              params: { id: one.id },
                              body: { status: next },
                            }),
                        })
                      }
                    />
                    <RowButton
                      text={words.say('delete')}
                      about={label}
                      onClick={() =>
                        void propose({
                          title: words.say('delete.title', { report: label }),
                          confirm: words.say('delete'),
                          done: words.say('schedule.deleted'),
                          grave: true,
                          call: () => client.call('DELETE /report_schedules/{id}', { params: { id: one.id } }),
                        })
                      }
                    />
                  </div>
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
    </>
  );
}
