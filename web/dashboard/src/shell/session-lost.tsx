/** An overlay while nobody is logged in. Input below it is kept. */
import { useSyncExternalStore } from 'react';
import { logInHref, session } from '../app/session.ts';
import { words } from './words.ts';

export function SessionLost() {
  const state = useSyncExternalStore(session.subscribe, session.state);
  if (state === 'in') return null;
  const out = state === 'out';
  return (
    <div className="lost" role="alert">
      <p>
        <strong>{words.say(out ? 'out' : 'someone_else')}.</strong> {words.say(out ? 'out.next' : 'someone_else.next')}
      </p>
      {out ? (
        <a className="button" href={logInHref()} target="_blank" rel="noreferrer">
          {words.say('out.log_in')}
        </a>
      ) : (
        <button type="button" className="button" onClick={() => location.reload()}>
          {words.say('reload')}
        </button>
      )}
    </div>
  );
}
