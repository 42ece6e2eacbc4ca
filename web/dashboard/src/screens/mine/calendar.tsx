/** The person's classes in the calendar of their phone. */
import { Failed, Loading } from '../../ui/states.tsx';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

export function Calendar({ instructor }: { readonly instructor: number }) {
  const found = useCall('GET /instructors/{id}/icalendar_links', { params: { id: instructor } });
  return (
    <section className="card" aria-labelledby="feed">
      <h2 id="feed">{words.say('feed')}</h2>
      <p>{words.say('feed.about')}</p>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data ? (
        <p className="actions">
          <a className="second" href={found.data.webcal_url}>
            {words.say('feed.open')}
          </a>
        </p>
      ) : null}
    </section>
  );
}
