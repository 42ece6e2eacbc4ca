/** One date series: its sessions, enrolled customers and waitlist, and the current price to enroll. */
import '../../ui/lists.css';
import './courses.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AddSessions } from './add-sessions.tsx';
import { amountOf } from '../../words/times.ts';
import { CancelDates } from './cancel-dates.tsx';
import { EditDates } from './dates-form.tsx';
import { Enrolled } from './enrolled.tsx';
import { formatEnrolment, nameOfRun } from './labels.ts';
import { Failed, Loading, Missing } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Sessions } from './sessions.tsx';
import { useCall } from '../../app/calls.ts';
import { useParam } from '../../app/address.ts';
import { useRun, type Run } from './read.ts';
import { Waiting } from './waiting.tsx';
import { labelsFrom, WhoChanged } from '../../ui/history/index.tsx';
import { DetailsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const LABELS = labelsFrom(
  words,
  {
    name: 'dates.name',
    max_occupancy: 'places',
    late_join_limit: 'late',
    late_price: 'late_price',
    make_up_days: 'make_up_days',
    cancelled_session_gives: 'gives',
    cancellation_refunds: 'refunds',
  },
  { late_price: 'late_price', cancelled_session_gives: 'gives', cancellation_refunds: 'refunds' },
);

export function Screen() {
  const business = useBusiness();
  const id = Number(useParam('dates'));
  const { run, error, again } = useRun(id);
  const [doing, setDoing] = useState<'edit' | 'add' | 'cancel' | null>(null);
  if (error && !run)
    return (
      <Missing error={error} again={again} title={words.say('dates.missing')}>
        <Link to={`/${business.id}/courses` as string}>{words.say('title')}</Link>
      </Missing>
    );
  if (!run) return <Loading />;
  const changes = may(business, 'manage_events') && run.status === 'active';
  const close = (): void => setDoing(null);
  return (
    <DetailsPage
      className="courses"
      back={{ to: `courses/${run.course?.id}`, label: run.courseName }}
      title={nameOfRun(run)}
      about={
        <p className="course-facts">
          {run.status === 'cancelled' ? <span className="tag wrong">{words.say('cancelled')}</span> : null}
          {run.status === 'active' && run.is_full ? <span className="tag">{words.say('full')}</span> : null}
          {run.course?.published ? null : <span className="tag">{words.say('draft')}</span>}
          <span>{amountOf(run.price)}</span>
          <span>{formatEnrolment(run)}</span>
          <span className="soft">
            {[
              run.venue?.name,
              words.say('sessions.left', { n: run.sessions_left, all: run.session_count }),
              run.zone === business.timezone ? null : words.say('zone', { zone: run.zone }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
      }
    >
      {changes ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => setDoing('edit')}>
            {words.say('dates.edit')}
          </button>
          <button type="button" className="second" onClick={() => setDoing('add')}>
            {words.say('sessions.add')}
          </button>
          <button type="button" className="second" onClick={() => setDoing('cancel')}>
            {words.say('dates.cancel')}
          </button>
        </div>
      ) : null}
      {may(business, 'attendances', 'manage_events', 'pos') ? <Joining run={run} /> : null}
      <Enrolled run={run} />
      <Waiting run={run} />
      <Sessions run={run} />
      <WhoChanged object="course_date_series" id={id} labels={LABELS} />
      {doing === 'edit' ? <EditDates series={id} onClose={close} /> : null}
      {doing === 'add' ? <AddSessions run={run} onClose={close} /> : null}
      {doing === 'cancel' ? <CancelDates run={run} onClose={close} /> : null}
    </DetailsPage>
  );
}

/** Shows the current price to enroll, or why nobody can. */
function Joining({ run: { id } }: { readonly run: Run }) {
  const { data, error, refetch } = useCall('GET /course_date_series/{id}/explain', { params: { id } });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return null;
  return (
    <p className={data.can_join ? 'notice' : 'notice wrong'}>
      <strong>{words.say(data.can_join ? 'join.now' : 'join.closed')}</strong> {data.reason ?? data.explanation}
    </p>
  );
}
