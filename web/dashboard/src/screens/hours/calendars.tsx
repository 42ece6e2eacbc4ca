/**
 * Calendar feeds of the business, its rooms and its instructors, and connected calendars that are read for busy times.
 */
import { CalendarLinks } from '../../calendars/links.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { clientOf } from '../../app/client.ts';
import { Connected } from '../../calendars/connected.tsx';
import { OfInstructor } from '../../calendars/of-instructor.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from '../../calendars/words.ts';

const MAX_ROWS = 100;

export function Calendars() {
  const { name: business } = useBusiness();
  const [address] = useAddress();
  const asked = { query: { status: 'active', page_size: MAX_ROWS }, fields: ['id', 'name'] } as const;
  const rooms = useCall('GET /venue_rooms', asked);
  const instructors = useCall('GET /instructors', asked);
  const error = rooms.error ?? instructors.error;
  if (error) return <Failed error={error} />;
  // Whom the address names is known only with both lists.
  if (!rooms.data || !instructors.data) return <Loading />;
  const choices = [
    ['', business],
    ...instructors.data.results.map(({ id, name }) => [`instructor ${id}`, name]),
    ...rooms.data.results.map(({ id, name }) => [`room ${id}`, name]),
  ] as [string, string][];
  const [value, name] = choices.find(([one]) => one === (address.of ?? '')) ?? choices[0];
  const [kind, id] = value.split(' ');
  return (
    <div className="cards">
      <section className="card" aria-labelledby="feeds">
        <h2 id="feeds">{words.say('feeds')}</h2>
        <p>{words.say('feeds.about')}</p>
        <div className="tools">
          <ChoiceFilter name="of" label={words.say('of')} choices={choices} />
        </div>
        {kind === '' ? <OfBusiness key={value} name={name} /> : null}
        {kind === 'instructor' ? <OfInstructor key={value} id={Number(id)} name={name} /> : null}
        {kind === 'room' ? <OfRoom key={value} id={Number(id)} name={name} /> : null}
      </section>
      <section className="card" aria-labelledby="connected">
        <h2 id="connected">{words.say('connected')}</h2>
        <p>{words.say('connected.about')}</p>
        <Connected />
      </section>
    </div>
  );
}

function OfBusiness({ name }: { readonly name: string }) {
  const { id: business } = useBusiness();
  return (
    <CalendarLinks
      name={name}
      found={useCall('GET /icalendar_links', {})}
      reset={() => clientOf(business).call('POST /icalendar_links/reset')}
    />
  );
}

interface OfProps {
  readonly id: number;
  readonly name: string;
}

function OfRoom({ id, name }: OfProps) {
  const { id: business } = useBusiness();
  const params = { id };
  return (
    <CalendarLinks
      name={name}
      found={useCall('GET /venue_rooms/{id}/icalendar_links', { params })}
      reset={() => clientOf(business).call('POST /venue_rooms/{id}/icalendar_links/reset', { params })}
    />
  );
}
