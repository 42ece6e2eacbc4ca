/** One enrolment: the sessions that the customer attended, those that they missed, and their make-up sessions. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { MakeUp } from './make-up.tsx';
import { mayEnrol, useSessions, type Run, type Session } from './read.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { usePropose } from '../../changes/change.tsx';
import { whenOf, whoseOf } from './labels.ts';
import { words } from './words.ts';
import type { EnrolmentRead } from './enrolled.tsx';

export interface EnrolmentProps {
  readonly run: Run;
  readonly enrolment: EnrolmentRead;
  readonly onClose: () => void;
}

export function Enrolment({ run, enrolment, onClose }: EnrolmentProps) {
  const business = useBusiness();
  const propose = usePropose();
  const now = useNow();
  const customer = enrolment.customer?.id ?? 0;
  const name = whoseOf(enrolment.customer);
  const { sessions, ...read } = useSessions(run.id);
  const attendances = useCall('GET /course_session_attendances', {
    query: { customer: [customer], course_session: [...enrolment.course_sessions], page_size: 100 },
    fields: ['id', 'status', 'course_session.id'],
  });
  const makeUps = useCall('GET /course_make_ups', {
    query: { course_enrollment: [enrolment.id], page_size: 100 },
    fields: [
      'id',
      'missed_course_session.id',
      'course_session.name',
      'course_session.starts_at',
      'course_session.ends_at',
      'course_session.venue.timezone',
    ],
  });
  const [missed, setMissed] = useState<Session | null>(null);
  const error = read.error ?? attendances.error ?? makeUps.error;
  if (missed)
    return <MakeUp run={run} customer={customer} name={name} missed={missed} onClose={() => setMissed(null)} />;
  const title = words.say('enrolment.of', { name });
  if (!sessions || !attendances.data || !makeUps.data)
    return (
      <Dialog title={title} onClose={onClose}>
        {error ? <Failed error={error} /> : <Loading />}
      </Dialog>
    );
  const wanted = new Set(enrolment.course_sessions);
  const statuses = new Map(attendances.data.results.map(({ course_session, status }) => [course_session?.id, status]));
  const instead = new Map(
    makeUps.data.results.map(({ missed_course_session: of, course_session }) => [of?.id, course_session]),
  );
  const changes = mayEnrol(business) && enrolment.customer !== null;
  const leave = (session: Session): void =>
    void propose({
      title: words.say('leave.of', { name, when: whenOf(session) }),
      confirm: words.say('leave'),
      done: words.say('leave.done', { name }),
      call: () =>
        clientOf(business.id).call('POST /events/{id}/unregister', {
          params: { id: session.id },
          body: { customer },
        }),
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <ol className="rows">
        {sessions
          .filter(({ id }) => wanted.has(id))
          .map((session) => {
            const when = whenOf(session);
            const status = session.status === 'cancelled' ? 'cancelled' : (statuses.get(session.id) ?? 'missed');
            const other = instead.get(session.id);
            const isMissed = status === 'missed' || status === 'no_show' || status === 'cancelled';
            return (
              <li key={session.id}>
                <span>
                  {when}
                  {other ? (
                    <>
                      <br />
                      <span className="soft small">
                        {words.say('instead', { when: whenOf({ ...other, zone: other.venue?.timezone ?? run.zone }) })}
                      </span>
                    </>
                  ) : null}
                </span>
                <span className={status === 'attended' ? 'tag good end' : 'tag end'}>{words.say(`at.${status}`)}</span>
                {changes && status === 'registered' && Date.parse(session.starts_at) > now ? (
                  <RowButton text={words.say('leave')} about={when} onClick={() => leave(session)} />
                ) : null}
                {changes && isMissed && !other && run.make_up_days !== null ? (
                  <RowButton text={words.say('make_up')} about={when} onClick={() => setMissed(session)} />
                ) : null}
              </li>
            );
          })}
      </ol>
    </Dialog>
  );
}
