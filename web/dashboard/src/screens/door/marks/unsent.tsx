/** Shows the marks that the service has not recorded yet, and those that it refused, with the remedies. */
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useBusiness } from '../../../app/business.ts';
import { useMarks, useOnline } from './use-marks.ts';
import { words } from '../words.ts';

export function Unsent() {
  const { id: business } = useBusiness();
  const [{ waiting, refused }, keeper] = useMarks();
  const online = useOnline();
  const lost = useSyncExternalStore(keeper.subscribe, keeper.lost);
  return (
    <>
      <div role="status">
        {waiting.length > 0 && (!online || lost) ? (
          <p className="notice unsent">
            {words.say(online ? 'unsent' : 'unsent.offline', { n: waiting.length })}{' '}
            {online ? (
              <button type="button" className="plain" onClick={() => keeper.send()}>
                {words.say('unsent.send')}
              </button>
            ) : null}
          </p>
        ) : null}
      </div>
      {refused.length > 0 ? (
        <section className="notice wrong" role="alert" aria-labelledby="refused">
          <h2 id="refused">{words.say('refused', { n: refused.length })}</h2>
          <ul className="plain-list">
            {refused.map((mark) => (
              <li key={mark.key} className="refused">
                <p>
                  <strong>{mark.name}</strong> – {words.say(`status.${mark.status}`)}: {mark.message}
                </p>
                <span className="refused-next">
                  <button type="button" className="second" onClick={() => void keeper.mark(mark)}>
                    {words.say('refused.again')}
                  </button>
                  <Link
                    className="second"
                    to={`/${business}/door/${mark.event}` as string}
                    search={{ q: mark.name } as never}
                  >
                    {words.say('refused.look')}
                  </Link>
                  <button type="button" className="second" onClick={() => keeper.dismiss(mark.key)}>
                    {words.say('refused.dismiss')}
                  </button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
