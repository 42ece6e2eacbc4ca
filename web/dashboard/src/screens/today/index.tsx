/** The day at a glance: current and next events, waitlists, debts, and tasks that need attention. */
import './today.css';
import { Attention, kindsFor } from './attention.tsx';
import { Classes } from './classes.tsx';
import { dateAt, longDayOf } from '../../words/times.ts';
import { Empty } from '../../ui/states.tsx';
import { Figures, seesFigures } from './figures.tsx';
import { Field } from '../../ui/field.tsx';
import { SetUp } from './set-up.tsx';
import { useAddress } from '../../app/address.ts';
import { may, useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { seesEvents, useEvents } from './events.ts';
import { useNow } from '../../app/now.ts';
import { HomePage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';

export const ready = Promise.all([words.ready, ofSubstitutes.ready]).then(() => {});

export function Screen() {
  const business = useBusiness();
  const { timezone } = business;
  const now = useNow();
  const [{ venue }, change] = useAddress();
  const venues = useCall('GET /venues', { query: { status: 'active', page_size: 100 }, fields: ['id', 'name'] });
  const all = venues.data?.results ?? [];
  const at = all.find(({ id }) => String(id) === venue)?.id ?? null;
  const date = dateAt(now, timezone);
  // The classes of the day are read first: everybody waits for them.
  const events = useEvents(date, at, seesEvents(business));
  const isRead = !seesEvents(business) || !events.isPending;
  return (
    <HomePage
      title={words.say('title')}
      about={<p className="soft">{longDayOf(now, timezone)}</p>}
      tools={
        all.length > 1 ? (
          <div className="tools">
            <Field label={words.say('venue')}>
              <select value={at ?? ''} onChange={(event) => change({ venue: event.target.value })}>
                <option value="">{words.say('venue.all')}</option>
                {all.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          </div>
        ) : null
      }
    >
      {isRead && may(business, 'super_admin') ? <SetUp /> : null}
      {kindsFor(business).length === 0 ? (
        <Empty title={words.say('nothing')}>
          <p>{words.say('nothing.next', { business: business.name })}</p>
        </Empty>
      ) : (
        <div className="today">
          <div>
            {seesEvents(business) ? <Classes venue={at} date={date} now={now} /> : null}
            {isRead && seesFigures(business) ? <Figures date={date} /> : null}
          </div>
          <Attention venue={at} date={date} />
        </div>
      )}
    </HomePage>
  );
}
