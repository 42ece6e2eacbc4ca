/** The available times that result from the hours on the next days, and the reasons. */
import { Failed, Loading } from '../../ui/states.tsx';
import { daysAfter } from '../../app/days.ts';
import { rangesOf, shortDayOf } from '../../hours/labels.ts';
import { dateAt, timesOf } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { words } from '../../hours/words.ts';

const DAYS = 14;

export function Explained({ schedule }: { readonly schedule: number }) {
  const { timezone } = useBusiness();
  const from = dateAt(useNow(), timezone);
  const found = useCall('GET /availability_schedules/{id}/explain', {
    params: { id: schedule },
    query: { from, to: daysAfter(from, DAYS - 1) },
  });
  return (
    <section className="card" aria-labelledby="explained">
      <h2 id="explained">{words.say('explained', { n: DAYS })}</h2>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      <dl>
        {found.data?.days.map(({ date, applies, closed, blocked, open }) => (
          <div key={date}>
            <dt>{shortDayOf(date)}</dt>
            <dd>
              {open.length > 0
                ? open.map((one) => timesOf(one.starts_at, one.ends_at, found.data.timezone)).join(', ')
                : words.say('closed')}
              <span className="soft small why">
                {[
                  closed && words.say('why.closed'),
                  applies === 'override' && words.say('why.override'),
                  applies === 'not_valid' && words.say('why.not_valid'),
                  ...blocked.map(({ times }) => words.say('why.blocked', { times: rangesOf(times) })),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
