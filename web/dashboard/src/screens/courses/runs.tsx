/** The dates of a course, with those that are still open for enrolment first. */
import { Link } from '@tanstack/react-router';
import { amountOf, dayOf } from '../../words/times.ts';
import { formatEnrolment } from './labels.ts';
import { Listed } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

export function Runs({ course }: { readonly course: number }) {
  const { id: business, timezone } = useBusiness();
  const list = usePages('GET /course_date_series', {
    query: { course: [course], page_size: 100 },
    fields: [
      'id',
      'name',
      'status',
      'price',
      'starts_at',
      'ends_at',
      'session_count',
      'sessions_left',
      'enrolled_count',
      'max_occupancy',
      'is_full',
      'venue.name',
      'venue.timezone',
    ],
  });
  return (
    <Listed list={list} none={words.say('dates.first')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all
            .toSorted((a, b) => rank(a) - rank(b) || (b.starts_at ?? '').localeCompare(a.starts_at ?? ''))
            .map((one) => (
              <li key={one.id}>
                <span>
                  <Link to={`/${business}/courses/dates/${one.id}` as string}>
                    <strong>{one.name}</strong>
                  </Link>
                  <br />
                  <span className="soft small">
                    {[
                      one.venue?.name,
                      one.starts_at &&
                        one.ends_at &&
                        words.say('dates.between', {
                          from: dayOf(one.starts_at, one.venue?.timezone ?? timezone),
                          to: dayOf(one.ends_at, one.venue?.timezone ?? timezone),
                        }),
                      words.say('sessions.n', { n: one.session_count }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <span className="end">{formatEnrolment(one)}</span>
                <span>{amountOf(one.price)}</span>
                {one.status === 'cancelled' ? (
                  <span className="tag wrong">{words.say('cancelled')}</span>
                ) : one.sessions_left === 0 ? (
                  <span className="tag">{words.say('over')}</span>
                ) : one.is_full ? (
                  <span className="tag">{words.say('full')}</span>
                ) : null}
              </li>
            ))}
        </ul>
      )}
    </Listed>
  );
}

const rank = ({ status, sessions_left }: { readonly status: string; readonly sessions_left: number }): number =>
  status === 'cancelled' ? 2 : sessions_left === 0 ? 1 : 0;
