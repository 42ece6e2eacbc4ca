/** Requests of other instructors for which the person could substitute. Empty if there are none. */
import './substitutes.css';
import { clientOf } from '../app/client.ts';
import { dayOf, timesOf } from '../words/times.ts';
import { Failed } from '../ui/states.tsx';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export function ForMe() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const settings = useCall('GET /substitute_requests/settings', {});
  const found = useCall('GET /substitute_requests/for_me', {
    query: { page_size: 50 },
    fields: [
      'offered',
      'event.name',
      'event.starts_at',
      'event.ends_at',
      'event.timezone',
      'event.venue.name',
      'substitute_request.id',
      'substitute_request.message',
      'substitute_request.instructor.name',
    ],
  });
  const error = found.error ?? settings.error;
  if (error) return <Failed error={error} again={() => void Promise.all([found.refetch(), settings.refetch()])} />;
  if (!settings.data || !found.data || found.data.results.length === 0) return null;
  const { needs_approval: decided } = settings.data;
  const offer = (id: number, named: { name: string; day: string }): void =>
    void propose({
      title: words.say('offer.of', named),
      confirm: words.say('offer'),
      about: decided ? <p>{words.say('offer.about')}</p> : undefined,
      done: words.say(decided ? 'offer.done' : 'offer.taken', named),
      call: () => clientOf(business).call('POST /substitute_requests/{id}/offer', { params: { id }, body: {} }),
    });
  const takeBack = (id: number, named: { name: string; day: string }): void =>
    void propose({
      title: words.say('take_back.of', named),
      confirm: words.say('take_back'),
      done: words.say('take_back.done', named),
      call: () =>
        clientOf(business).call('POST /substitute_requests/{id}/take_back_offer', { params: { id }, body: {} }),
    });
  return (
    <section className="card" aria-labelledby="for-me">
      <h2 id="for-me">{words.say('for_me')}</h2>
      <ul className="plain-list">
        {found.data.results.map(({ offered, event, substitute_request: request }) => {
          if (!event || !request) return null;
          const { id, message, instructor } = request;
          const named = { name: event.name, day: dayOf(event.starts_at, event.timezone) };
          return (
            <li key={id} className="line">
              <span>
                <strong>{event.name}</strong>
                <br />
                <span className="small">
                  {named.day}, {timesOf(event.starts_at, event.ends_at, event.timezone)}
                </span>
                <br />
                <span className="soft small">
                  {[words.say('for_me.for', { instructor: instructor?.name ?? '' }), event.venue?.name]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {message ? <q className="small said">{message}</q> : null}
              </span>
              {offered ? (
                <>
                  <span className="tag good end">{words.say('offered')}</span>
                  <button
                    type="button"
                    className="second"
                    aria-label={words.say('of', { action: words.say('take_back'), ...named })}
                    onClick={() => takeBack(id, named)}
                  >
                    {words.say('take_back')}
                  </button>
                </>
              ) : (
                <button
                  type="button"
                  className="button end"
                  aria-label={words.say('of', { action: words.say('offer'), ...named })}
                  onClick={() => offer(id, named)}
                >
                  {words.say('offer')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
