import { clientOf } from '../../app/client.ts';
import { calendarDayOf, dateAt, momentOf } from '../../words/times.ts';
import { Listed } from '../../ui/listed.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

interface Assistant {
  readonly id: number;
  readonly name: string;
  readonly staff: Person | null;
  readonly customer: Person | null;
}
interface Person {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Returns the name of the person who connected it. */
function personOf({ staff, customer }: Assistant): string {
  const person = staff ?? customer;
  return person ? [person.first_name, person.last_name].filter(Boolean).join(' ') : words.say('nobody');
}

export function Connected() {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const list = usePages('GET /assistants', {
    query: { page_size: 50 },
    fields: [
      'id',
      'name',
      'proposes_changes',
      'connected_at',
      'last_used_at',
      'staff.first_name',
      'staff.last_name',
      'customer.first_name',
      'customer.last_name',
    ],
  });
  const switchOff = ({ id, name }: Pick<Assistant, 'id' | 'name'>, person: string): void =>
    void propose({
      title: words.say('off.title', { assistant: name, person }),
      confirm: words.say('off'),
      grave: true,
      about: <p>{words.say('off.about')}</p>,
      done: words.say('off.done', { assistant: name }),
      call: () => clientOf(business).call('DELETE /assistants/{id}', { params: { id } }),
    });
  return (
    <section aria-labelledby="connected-assistants">
      <h2 id="connected-assistants">{words.say('connected')}</h2>
      <Listed list={list} none={words.say('none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-labelledby="connected-assistants">
            {all.map((one) => {
              const person = personOf(one);
              return (
                <li key={one.id}>
                  <span>
                    <strong>{one.name}</strong> {person}
                    <br />
                    <span className="soft small">
                      {[
                        words.say(one.proposes_changes ? 'proposes' : 'reads'),
                        one.last_used_at ? words.say('used', { time: momentOf(one.last_used_at, timezone) }) : null,
                        words.say('since', { day: calendarDayOf(dateAt(one.connected_at, timezone)) }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span className="end">
                    <RowButton
                      text={words.say('off')}
                      about={`${one.name}, ${person}`}
                      onClick={() => switchOff(one, person)}
                    />
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
    </section>
  );
}
