/** The instructor's own screens: upcoming classes, hours, blocked times, and pay. */
import '../../hours/hours.css';
import { Link } from '@tanstack/react-router';
import { Blocked } from '../../hours/blocked-days.tsx';
import { Calendar } from './calendar.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { ForMe } from '../../substitutes/for-me.tsx';
import { Hours } from './hours.tsx';
import { Pay } from './pay.tsx';
import { Teaching } from './teaching.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { HomePage } from '../../ui/page.tsx';
import { words } from './words.ts';
import '../../ui/lists.css';
import { words as ofCalendars } from '../../calendars/words.ts';
import { words as ofHours } from '../../hours/words.ts';
import { words as ofPay } from '../../pay/words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';

export const ready = Promise.all([
  words.ready,
  ofHours.ready,
  ofPay.ready,
  ofSubstitutes.ready,
  ofCalendars.ready,
]).then(() => {});

export function Screen() {
  const business = useBusiness();
  const found = useCall('GET /instructors', {
    query: { staff: [business.staff.id], status: 'active', page_size: 1 },
    fields: ['id', 'name'],
  });
  if (found.error && !found.data) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const [me] = found.data.results;
  if (!me)
    return (
      <Empty title={words.say('nobody')} whole>
        <p>{words.say('nobody.next')}</p>
        <p>
          <Link to={`/${business.id}/${may(business, 'manage_events') ? 'calendar' : 'today'}` as string}>
            {words.say(may(business, 'manage_events') ? 'to_calendar' : 'to_today')}
          </Link>
        </p>
      </Empty>
    );
  return (
    <HomePage title={words.say('title')} className="mine">
      <div className="cards">
        <ForMe />
        <Teaching />
        <Hours instructor={me.id} />
        <section className="card" aria-labelledby="blocked">
          <h2 id="blocked">{words.say('blocked')}</h2>
          <Blocked whose="instructor" id={me.id} />
        </section>
        <Pay instructor={me.id} />
        <Calendar instructor={me.id} name={me.name} />
      </div>
    </HomePage>
  );
}
