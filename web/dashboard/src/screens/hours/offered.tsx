/** The offerings that can be booked in these hours. */
import { clientOf } from '../../app/client.ts';
import { useBusiness } from '../../app/business.ts';
import { readAgain, useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from '../../hours/words.ts';
import type { Schedule } from './read-schedule.ts';

export function Offered({ schedule }: { readonly schedule: Schedule }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const kind = schedule.schedule_type === 'RRTL' ? 'room_rental' : 'appointment';
  const all = useCall('GET /offering_types', { query: { page_size: 100 }, fields: ['id', 'name', 'schedule_type'] });
  const named = new Set(schedule.offering_types.map(({ id }) => id));
  const others = (all.data?.results ?? []).filter(({ id, schedule_type }) => schedule_type === kind && !named.has(id));
  const adding = (offering: number) =>
    clientOf(business).call('POST /availability_schedule_offering_types/bulk_update', {
      body: { items: [{ availability_schedule: schedule.id, offering_type: offering }] },
    });
  const removing = (offering: number) =>
    clientOf(business).call('DELETE /availability_schedules/{id}/offering_types/{offering_type_id}', {
      params: { id: schedule.id, offering_type_id: String(offering) },
    });
  const add = (offering: number): void =>
    void propose({
      title: words.say('offered.add'),
      call: () => adding(offering),
      done: words.say('schedule.saved'),
      undo: () => void removing(offering).then(readAgain),
    });
  const remove = (offering: number, name: string): void =>
    void propose({
      title: words.say('offered.remove.title', { name }),
      confirm: words.say('offered.remove'),
      announced: ['availability_schedule_offering_type.deleted'],
      call: () => removing(offering),
      done: words.say('schedule.saved'),
      undo: () => void adding(offering).then(readAgain),
    });
  return (
    <section className="card" aria-labelledby="offered">
      <h2 id="offered">{words.say('offered')}</h2>
      {named.size === 0 ? <p className="soft">{words.say('offered.all')}</p> : null}
      <ul className="plain-list">
        {schedule.offering_types.map(({ id, name }) => (
          <li key={id} className="line">
            {name}
            <button
              type="button"
              className="plain end"
              aria-label={words.say('offered.remove.title', { name })}
              onClick={() => remove(id, name)}
            >
              {words.say('offered.remove')}
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <form
          className="line"
          onSubmit={(event) => {
            event.preventDefault();
            add(Number(new FormData(event.currentTarget).get('offering')));
          }}
        >
          <select name="offering" aria-label={words.say('offered.add')}>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <button type="submit" className="second">
            {words.say('offered.add')}
          </button>
        </form>
      ) : null}
    </section>
  );
}
