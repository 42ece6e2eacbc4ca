/** The sessions of a series: the customers of each, and moving and cancelling one. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CancelSession, MoveSession } from './session-forms.tsx';
import { bookedOf, whenOf } from './labels.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useNow } from '../../app/now.ts';
import { useSessions, type Run, type Session } from './read.ts';
import { words } from './words.ts';

export function Sessions({ run }: { readonly run: Run }) {
  const business = useBusiness();
  const now = useNow();
  const { sessions, error, again } = useSessions(run.id);
  const [doing, setDoing] = useState<{ readonly what: 'move' | 'cancel'; readonly session: Session } | null>(null);
  const close = (): void => setDoing(null);
  const changes = may(business, 'manage_events');
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{words.say('sessions')}</h2>
      {error ? <Failed error={error} again={again} /> : null}
      {!sessions && !error ? <Loading /> : null}
      <ol className="rows">
        {sessions?.map((session) => {
          const when = whenOf(session);
          const isComing = session.status === 'active' && Date.parse(session.starts_at) > now;
          return (
            <li key={session.id}>
              <span>
                {session.status === 'cancelled' ? (
                  <span>{when}</span>
                ) : (
                  <Link to={`/${business.id}/door/${session.id}` as string}>{when}</Link>
                )}
                {session.instructors.length > 0 ? (
                  <>
                    <br />
                    <span className="soft small">{session.instructors.map(({ name }) => name).join(', ')}</span>
                  </>
                ) : null}
              </span>
              {session.status === 'cancelled' ? (
                <span className="tag wrong end">{words.say('cancelled')}</span>
              ) : (
                <span className="end">{bookedOf(session)}</span>
              )}
              {changes && isComing ? (
                <span className="row-actions">
                  <RowButton
                    text={words.say('session.move')}
                    about={when}
                    onClick={() => setDoing({ what: 'move', session })}
                  />
                  <RowButton
                    text={words.say('session.cancel')}
                    about={when}
                    onClick={() => setDoing({ what: 'cancel', session })}
                  />
                </span>
              ) : null}
            </li>
          );
        })}
      </ol>
      {doing?.what === 'move' ? <MoveSession session={doing.session} onClose={close} /> : null}
      {doing?.what === 'cancel' ? <CancelSession run={run} session={doing.session} onClose={close} /> : null}
    </section>
  );
}
