/** What takes place when, where and with whom; and all that changes it. */
import './calendar.css';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { Board } from './board.tsx';
import { columnsOfDays, columnsOfInstructors, columnsOfRooms, longDay } from './columns.ts';
import { dateAt } from '../../words/times.ts';
import { datesOf, isView } from './range.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { firstDayOfWeek } from './week.ts';
import { List } from './list.tsx';
import { Panel } from './panel.tsx';
import { parseWall } from './wall.ts';
import { Toolbar } from './toolbar.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useEvents, usePlaces } from './events.ts';
import { useNow } from '../../app/now.ts';
import { words } from './words.ts';
import type { Moved } from './placing.ts';

export const { ready } = words;

const phone = matchMedia('(width < 48rem)');
const onPhone = (changed: () => void) => {
  phone.addEventListener('change', changed);
  return () => phone.removeEventListener('change', changed);
};

const idOf = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null);

export function Screen() {
  const business = useBusiness();
  const now = useNow();
  const [address, change] = useAddress();
  const isPhone = useSyncExternalStore(onPhone, () => phone.matches);
  const view = isView(address.view) ? address.view : isPhone ? 'list' : 'week';
  const today = dateAt(now, business.timezone);
  const date = address.date && parseWall(address.date) !== null ? address.date : today;
  const by = address.by === 'instructor' ? 'instructor' : 'room';
  const venue = idOf(address.venue);
  const offering = idOf(address.offering);
  const open = idOf(address.event);
  const dates = useMemo(() => datesOf(view, date, firstDayOfWeek), [view, date]);
  const { places, error } = usePlaces();
  const read = useEvents({ first: dates[0], last: dates.at(-1)!, venue, offering });
  const events = useMemo(() => read.data ?? [], [read.data]);
  const [moved, setMoved] = useState<Moved | null>(null);
  const columns = useMemo(() => {
    if (view !== 'resources') return columnsOfDays(dates);
    if (!places) return [];
    return by === 'room' ? columnsOfRooms(date, places, venue) : columnsOfInstructors(date, places, events, venue);
  }, [view, dates, places, by, date, venue, events]);
  const label = dates.length === 1 ? longDay(date) : words.say('week.of', { day: longDay(dates[0]) });
  const failed = read.error ?? error;
  return (
    <>
      <div className="screen-top">
        <div>
          <h1>{words.say('title')}</h1>
          <p className="soft">{label}</p>
        </div>
      </div>
      <Toolbar {...{ view, date, today, by, venue, offering, places }} onChange={change} />
      {failed ? <Failed error={failed} again={() => void read.refetch()} /> : null}
      {!read.data && !failed ? <Loading /> : null}
      {read.data && view === 'list' ? (
        <List dates={dates} events={events} onOpen={({ id }) => change({ event: String(id) })} />
      ) : null}
      {read.data && view !== 'list' && columns.length > 0 ? (
        <Board
          label={label}
          columns={columns}
          events={events}
          now={now}
          busy={read.isPlaceholderData}
          moved={moved}
          canMove={() => false}
          canCreate={false}
          onMove={setMoved}
          onMoved={() => undefined}
          onDrawn={() => undefined}
          onOpen={({ id }) => change({ event: String(id) })}
        />
      ) : null}
      {open === null ? null : <Panel id={open} onClose={() => change({ event: undefined })} actions={() => null} />}
    </>
  );
}
