/** The calendar: events by time, place and instructor, and all changes to them. */
import './calendar.css';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Actions } from './actions.tsx';
import { Board } from './board.tsx';
import {
  columnsOfDays,
  columnsOfInstructors,
  columnsOfRooms,
  daysOf,
  longDay,
  type Column,
  type Put,
} from './columns.ts';
import { CancelSeveral } from './cancel-several.tsx';
import { CopyWeek } from './copy-week.tsx';
import { dateAt } from '../../words/times.ts';
import { datesOf, isView } from './range.ts';
import { EditEvent, NewEvent } from './form.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { firstDayOfWeek } from './week.ts';
import { List } from './list.tsx';
import { Panel } from './panel.tsx';
import { parseWall, timeOfDay } from './wall.ts';
import { Toolbar } from './toolbar.tsx';
import { useAddress } from '../../app/address.ts';
import { useChanges } from './changes.tsx';
import { useShortcuts } from '../../shell/keys.ts';
import { may, useBusiness } from '../../app/business.ts';
import { eventsOn, useEvents } from './events.ts';
import { usePlaces } from '../../app/places.ts';
import { useMedia } from '../../app/media.ts';
import { useStable } from '../../app/stable.ts';
import { useNow } from '../../app/now.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofInstructors } from '../../ui/instructors/words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';
import type { CalendarEvent } from './events.ts';
import type { Draft } from './draft.ts';
import type { Moved } from './placing.ts';

export const ready = Promise.all([words.ready, ofSubstitutes.ready, ofInstructors.ready]).then(() => {});

const phone = matchMedia('(width < 48rem)');

const idOf = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null);

/** Returns the initial values of a new event that is drawn here. */
const drawnAt = (column: Column, from: number, to: number): Partial<Draft> => {
  const { venue, venue_room, instructors } = column.begins;
  return {
    date: column.date,
    start: timeOfDay(from),
    // Midnight is the end of this day and the start of the next.
    end: timeOfDay(to),
    ...(venue !== undefined && { venue: String(venue) }),
    ...(venue_room !== undefined && { room: venue_room === null ? '' : String(venue_room) }),
    ...(instructors !== undefined && { instructors }),
  };
};

const putOf = (columns: readonly Column[], event: CalendarEvent, { into, out }: Moved): Put =>
  columns.find(({ key }) => key === into)?.put?.(event, out) ?? {};

export function Screen() {
  const business = useBusiness();
  const now = useNow();
  const [address, change] = useAddress();
  const isPhone = useMedia(phone);
  const view = isView(address.view) ? address.view : isPhone ? 'list' : 'week';
  const today = dateAt(now, business.timezone);
  const date = address.date && parseWall(address.date) !== null ? address.date : today;
  const by = address.by === 'instructor' ? 'instructor' : 'room';
  const [venue, offering, open] = [idOf(address.venue), idOf(address.offering), idOf(address.event)];
  const untaught = address.instructor === 'none';
  const dates = useMemo(() => datesOf(view, date, firstDayOfWeek, untaught), [view, date, untaught]);
  const { places, error } = usePlaces();
  const read = useEvents({ first: dates[0], last: dates.at(-1)!, venue, offering, untaught });
  const events = useMemo(() => read.data ?? [], [read.data]);
  const [moved, setMoved] = useState<Moved | null>(null);
  const [begins, setBegins] = useState<Partial<Draft>>({});
  const changes = useChanges();
  const manages = may(business, 'manage_events');
  const columns = useMemo(() => {
    if (view !== 'resources') return columnsOfDays(dates);
    if (!places) return [];
    return by === 'room' ? columnsOfRooms(date, places, venue) : columnsOfInstructors(date, places, events, venue);
  }, [view, dates, places, by, date, venue, events]);
  // A change of the dates renders after the buttons have responded; a change on the visible dates renders immediately.
  const wanted = useMemo(() => ({ columns, events }), [columns, events]);
  const before = useDeferredValue(wanted);
  const shown = before.columns === columns ? wanted : before;
  const filtered = {
    ...(venue !== null && { venue: String(venue) }),
    ...(offering !== null && { offering: String(offering) }),
  };
  const create = (at: Partial<Draft> = {}): void => {
    setBegins(at);
    change({ do: 'new', event: undefined });
  };
  const keys = useMemo(
    // The second key of `g n` may lead to another screen.
    (): Record<string, () => void> => (manages ? { n: () => create(), 'g n': () => undefined } : {}),
    [manages, change],
  );
  useShortcuts(keys);
  const save = async (event: CalendarEvent, next: Moved): Promise<void> => {
    await changes.move(event, next, putOf(columns, event, next));
    // The dialog closes before the events are read again, and another move may have begun in the meantime.
    setMoved((now) => (now === next ? null : now));
  };
  const onMoved = useStable((event: CalendarEvent, next: Moved): void => {
    setMoved(next);
    void save(event, next);
  });
  const onDrawn = useStable((column: Column, from: number, to: number): void => create(drawnAt(column, from, to)));
  const close = (): void => change({ do: undefined });
  const closePanel = useStable((): void => (open === null ? undefined : change({ event: undefined })));
  const hasPanel = open !== null && address.do !== 'edit';
  const show = useStable(({ id }: CalendarEvent): void => change({ event: String(id), do: undefined }, { push: true }));
  // The panel takes space from the board, and must not hide the event that it shows.
  useEffect(() => {
    if (!hasPanel) return;
    const chip = document.querySelector(`.board [data-event="${open}"]`);
    chip?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [hasPanel, open]);
  const label = dates.length === 1 ? longDay(date) : daysOf(dates[0], dates.at(-1)!);
  const failed = read.error ?? error;
  return (
    <ListPage
      title={words.say('title')}
      about={<p className="soft">{label}</p>}
      tools={
        manages ? (
          <div className="tools">
            <button type="button" className="second" onClick={() => change({ do: 'several' })}>
              {words.say('several')}
            </button>
            {view === 'week' ? (
              <button type="button" className="second" onClick={() => change({ do: 'copy' })}>
                {words.say('copy')}
              </button>
            ) : null}
            <button type="button" className="button" aria-keyshortcuts="n" onClick={() => create()}>
              {words.say('new')}
            </button>
          </div>
        ) : null
      }
    >
      <Toolbar {...{ view, date, today, by, venue, offering, untaught, places }} onChange={change} />
      {failed ? <Failed error={failed} again={() => void read.refetch()} /> : null}
      {!read.data && !failed ? <Loading /> : null}
      <div className="with-panel">
        {read.data && view === 'list' ? (
          <List dates={dates} events={events} busy={read.isPlaceholderData} onOpen={show} />
        ) : null}
        {read.data && view !== 'list' && shown.columns.length > 0 ? (
          <Board
            label={label}
            columns={shown.columns}
            events={shown.events}
            now={now}
            busy={read.isPlaceholderData || shown !== wanted}
            moved={moved}
            canChange={manages}
            onMove={setMoved}
            onMoved={onMoved}
            onDrawn={onDrawn}
            onOpen={show}
            onLeave={closePanel}
          />
        ) : null}
        {hasPanel ? (
          <Panel
            key={open}
            id={open}
            onClose={closePanel}
            actions={(event) => <Actions event={event} changes={changes} onEdit={() => change({ do: 'edit' })} />}
          />
        ) : null}
      </div>
      {manages && places && address.do === 'edit' && open !== null ? (
        <EditEvent key={open} id={open} places={places} onClose={close} />
      ) : null}
      {manages && places && address.do === 'new' ? (
        <NewEvent places={places} date={date} begins={{ ...filtered, ...begins }} onClose={close} />
      ) : null}
      {manages && address.do === 'copy' ? (
        <CopyWeek
          first={dates[0]}
          venue={venue}
          offering={offering}
          onClose={close}
          onShow={(next) => change({ do: undefined, date: next })}
        />
      ) : null}
      {manages && read.data && address.do === 'several' ? (
        <CancelSeveral events={eventsOn(dates, events)} onClose={close} />
      ) : null}
      {changes.asking}
    </ListPage>
  );
}
