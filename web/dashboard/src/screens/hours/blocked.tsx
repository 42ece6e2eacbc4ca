/** Times at which an instructor or a venue can't be booked, regardless of the hours. */
import { useCall } from '../../app/calls.ts';
import { useAddress } from '../../app/address.ts';
import { Blocked } from '../../hours/blocked-days.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { words } from '../../hours/words.ts';

export function BlockedTimes() {
  const [{ of }, change] = useAddress();
  const instructors = useCall('GET /instructors', {
    query: { status: 'active', page_size: 100 },
    fields: ['id', 'name'],
  });
  const venues = useCall('GET /venues', { query: { status: 'active', page_size: 100 }, fields: ['id', 'name'] });
  const error = instructors.error ?? venues.error;
  if (error) return <Failed error={error} />;
  // With one list alone, another first choice would be shown, and replaced while somebody works with it.
  if (!instructors.data || !venues.data) return <Loading />;
  const all = [
    ...instructors.data.results.map(({ id, name }) => ({
      key: `instructor-${id}`,
      id,
      name,
      whose: 'instructor' as const,
    })),
    ...venues.data.results.map(({ id, name }) => ({ key: `venue-${id}`, id, name, whose: 'venue' as const })),
  ];
  const chosen = all.find(({ key }) => key === of) ?? all[0];
  if (!chosen) return <Empty title={words.say('blocked.nobody')} />;
  const group = (whose: 'instructor' | 'venue') =>
    all
      .filter((one) => one.whose === whose)
      .map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ));
  return (
    <>
      <div className="tools">
        <label>
          {words.say('blocked.of')}
          <select value={chosen.key} onChange={({ target }) => change({ of: target.value })}>
            <optgroup label={words.say('blocked.instructors')}>{group('instructor')}</optgroup>
            <optgroup label={words.say('blocked.venues')}>{group('venue')}</optgroup>
          </select>
        </label>
      </div>
      <Blocked key={chosen.key} whose={chosen.whose} id={chosen.id} />
    </>
  );
}
