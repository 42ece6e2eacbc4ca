/** The day at a glance: current and next events, waitlists, debts, and tasks that need attention. */
import './today.css';
import { Attention, kindsFor } from './attention.tsx';
import { Classes } from './classes.tsx';
import { dateAt, longDayOf } from '../../words/times.ts';
import { Empty } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { seesEvents } from './events.ts';
import { useNow } from '../../app/now.ts';
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
  return (
    <>
      <div className="screen-top">
        <div>
          <h1>{words.say('title')}</h1>
          <p className="soft">{longDayOf(now, timezone)}</p>
        </div>
        {all.length > 1 ? (
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
        ) : null}
      </div>
      {kindsFor(business).length === 0 ? (
        <Empty title={words.say('nothing')}>
          <p>{words.say('nothing.next', { business: business.name })}</p>
        </Empty>
      ) : (
        <div className="today">
          {seesEvents(business) ? <Classes venue={at} date={dateAt(now, timezone)} now={now} /> : null}
          <Attention venue={at} date={dateAt(now, timezone)} />
        </div>
      )}
    </>
  );
}
