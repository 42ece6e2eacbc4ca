/** The uses of a membership, and the remaining ones. */
import { calendarDayOf, dayOf, timeOf } from '../../../words/times.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePages } from '../../../app/pages.ts';
import { Listed, None } from '../../../ui/listed.tsx';
import { words } from './words.ts';
import type { Person } from './person.ts';

export function Usage({ id, person }: { readonly id: number; readonly person: Person }) {
  const business = useBusiness();
  return (
    <>
      {may(business, 'super_admin') ? <Periods id={id} /> : null}
      <Uses id={id} person={person} />
    </>
  );
}

function Periods({ id }: { readonly id: number }) {
  const usage = useCall('GET /customer_memberships/{id}/usage', { params: { id }, query: {} });
  if (usage.error) return <Failed error={usage.error} again={() => void usage.refetch()} />;
  if (!usage.data) return <Loading />;
  return (
    <ul className="plain-list">
      {usage.data.usage_periods.map((period) => (
        <li key={period.period_type}>
          {period.start_date && period.end_date ? (
            <span className="soft">
              {words.say('hold.between', {
                from: calendarDayOf(period.start_date),
                to: calendarDayOf(period.end_date),
              })}
              {': '}
            </span>
          ) : null}
          {period.max_uses === null
            ? words.say('uses.unlimited', { used: period.used_count })
            : words.say('uses.left', { left: period.remaining_count ?? 0, all: period.max_uses })}
        </li>
      ))}
    </ul>
  );
}

/** The bookings that used this membership. */
function Uses({ id, person }: { readonly id: number; readonly person: Person }) {
  const list = usePages('GET /attendances', {
    query: { customer: [person.id], sort: ['-event_starts_at'], page_size: 100 },
    fields: ['id', 'status', 'customer_membership.id', 'event.name', 'event.starts_at', 'event.timezone'],
  });
  return (
    <Listed list={list} none={words.say('uses.none')} next={[]}>
      {(all) => {
        const used = all.filter((one) => one.customer_membership?.id === id);
        return used.length === 0 ? (
          <None text={words.say('uses.none')} />
        ) : (
          <ul className="plain-list">
            {used.map(
              ({ id: key, status, event }) =>
                event && (
                  <li key={key}>
                    {dayOf(event.starts_at, event.timezone)}, {timeOf(event.starts_at, event.timezone)}{' '}
                    <strong>{event.name}</strong> <span className="tag">{words.say(`attendance.${status}`)}</span>
                  </li>
                ),
            )}
          </ul>
        );
      }}
    </Listed>
  );
}
