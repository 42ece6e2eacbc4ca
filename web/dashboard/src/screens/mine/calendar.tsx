/** The person's classes as a calendar feed for their phone, and their own calendar, whose events block bookings. */
import { Connected } from '../../calendars/connected.tsx';
import { OfInstructor } from '../../calendars/of-instructor.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import { words as ofCalendars } from '../../calendars/words.ts';

export function Calendar({ instructor, name }: { readonly instructor: number; readonly name: string }) {
  const { staff } = useBusiness();
  return (
    <>
      <section className="card" aria-labelledby="feed">
        <h2 id="feed">{words.say('feed')}</h2>
        <p>{words.say('feed.about')}</p>
        <OfInstructor id={instructor} name={name} />
      </section>
      <section className="card" aria-labelledby="connected">
        <h2 id="connected">{ofCalendars.say('connected')}</h2>
        <p>{ofCalendars.say('connected.about')}</p>
        <Connected of={staff.id} />
      </section>
    </>
  );
}
