/** Columns with the hours of a day and the events in them. */
import {
  memo,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
} from 'react';
import { Chip, timesOfWalls } from './chip.tsx';
import { DAY, dateOf, parseWall, wallOf } from './wall.ts';
import { countLanes, piecesOf, resizedBy, shiftedBy, STEP, type Moved, type Piece } from './placing.ts';
import { longDay, type Column } from './columns.ts';
import type { CalendarEvent } from './events.ts';
import { timeOf } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { usePointing, type Drawn } from './pointing.ts';
import { useStable } from '../../app/stable.ts';
import { words } from './words.ts';

export interface BoardProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly events: readonly CalendarEvent[];
  readonly now: number;
  readonly busy: boolean;
  readonly moved: Moved | null;
  /** the person may create and change events */
  readonly canChange: boolean;
  readonly onMove: (moved: Moved | null) => void;
  /** called to save the new time */
  readonly onMoved: (event: CalendarEvent, moved: Moved) => void;
  readonly onDrawn: (column: Column, from: number, to: number) => void;
  readonly onOpen: (event: CalendarEvent) => void;
  /** Escape, if there is no move to cancel */
  readonly onLeave: () => void;
}

/** Initial scroll position: the hour before the first event, or the morning. */
const MORNING = 7 * 60;

/** Returns true if a column changes because of an event that is being moved. */
function isTouched(column: Column, pieces: readonly Piece<CalendarEvent>[], { id, into, from, to }: Moved): boolean {
  const midnight = parseWall(column.date)!;
  const shown = pieces.some(({ event }) => event.id === id);
  return shown || column.key === into || (from < midnight + DAY && to > midnight);
}

/**
 * Returns the sort key of an event. While an event moves, it keeps its position among the others of its day: an element
 * that is moved in the document loses the focus.
 */
const beginOf = ({ event, moved, from }: Piece<CalendarEvent>, { date }: Column): number =>
  moved && dateOf(event.from) !== date ? from : event.from;

export const Board = memo(function Board(props: BoardProps) {
  const { label, columns, events, now, busy, moved, canChange, onMove, onMoved, onDrawn, onOpen, onLeave } = props;
  const canMove = (event: CalendarEvent): boolean => canChange && event.status === 'active';
  const { timezone } = useBusiness();
  const board = useRef<HTMLDivElement>(null);
  const help = useId();
  const still = useMemo(() => columns.map((column) => piecesOf(column, events, null)), [columns, events]);
  // While an event moves, only its old and new columns render again.
  const pieces = useMemo(
    () =>
      moved
        ? columns.map((column, i) => (isTouched(column, still[i], moved) ? piecesOf(column, events, moved) : still[i]))
        : still,
    [columns, events, moved, still],
  );
  /** The chip that has the focus. */
  const focused = useRef<{ readonly event: string; readonly column: string } | null>(null);
  const byKeyboard = useRef(false);
  const pointing = usePointing({ columns, events, canMove, canCreate: canChange, onMove, onMoved, onDrawn });

  // An event that moves to another column is a new element there, so the focus is restored.
  useLayoutEffect(() => {
    const isScrolled = byKeyboard.current;
    byKeyboard.current = false;
    if (focused.current === null || (!isScrolled && document.activeElement !== document.body)) return;
    const { event, column } = focused.current;
    const chips = [...board.current!.querySelectorAll<HTMLElement>(`[data-event="${event}"]`)];
    const chip = chips.find(({ dataset }) => dataset.of === column) ?? chips[0];
    if (chip !== document.activeElement) chip?.focus({ preventScroll: true });
    if (isScrolled) chip?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pieces]);

  const firstShown = useRef<string | null>(null);
  const shown = columns[0]?.date ?? '';
  useEffect(() => {
    if (busy || firstShown.current === shown) return;
    firstShown.current = shown;
    const first = Math.min(MORNING + 60, ...pieces.flat().map(({ top }) => top)) - 60;
    const area = board.current!;
    const day = area.querySelector('[data-column]')!.getBoundingClientRect().height;
    area.scrollTop = (Math.max(0, first) / DAY) * day;
  }, [shown, busy, pieces]);

  const press = (key: KeyboardEvent, event: CalendarEvent, column: string): void => {
    if (key.key === 'Escape' && moved) {
      key.preventDefault();
      goTo(event, (moved.id === event.id && moved.out) || column);
      onMove(null);
      return;
    }
    if (!key.key.startsWith('Arrow') || key.ctrlKey || key.metaKey) return;
    if (!key.altKey) {
      if (!key.shiftKey) walk(key, column);
      return;
    }
    // Alt with an arrow key would navigate back in the browser.
    key.preventDefault();
    if (!canMove(event)) return;
    const held: Moved =
      moved?.id === event.id ? moved : { id: event.id, from: event.from, to: event.to, out: null, into: null };
    const rtl = getComputedStyle(key.currentTarget).direction === 'rtl';
    const down = { ArrowDown: STEP, ArrowUp: -STEP }[key.key];
    const side = { ArrowRight: 1, ArrowLeft: -1 }[key.key] ?? 0;
    goTo(event, column);
    if (down !== undefined) onMove(key.shiftKey ? resizedBy(held, down) : shiftedBy(held, down));
    else if (!key.shiftKey) onMove(aside(event, held, column, rtl ? -side : side));
  };

  /** Moves the focus once the event has been moved by keyboard. */
  const goTo = ({ id }: CalendarEvent, column: string): void => {
    focused.current = { event: String(id), column };
    byKeyboard.current = true;
  };

  /** Returns the move to the next day, room or instructor. */
  const aside = (event: CalendarEvent, held: Moved, column: string, side: number): Moved => {
    const i = columns.findIndex(({ key }) => key === column);
    const next = columns[i + side];
    if (next) goTo(event, next.key);
    if (!columns[i].put) return shiftedBy(held, side * DAY);
    if (!next) return held;
    const out = held.out ?? column;
    return next.key === out ? { ...held, out: null, into: null } : { ...held, out, into: next.key };
  };

  const chipsOf = (n: number): HTMLElement[] => [
    ...(board.current!.querySelectorAll('[data-column]')[n]?.querySelectorAll<HTMLElement>('[data-event]') ?? []),
  ];

  /** Moves the focus between events, for arrow keys without a modifier. */
  const walk = (key: KeyboardEvent, column: string): void => {
    const i = columns.findIndex((one) => one.key === column);
    const from = key.currentTarget as HTMLElement;
    const sideways = key.key === 'ArrowLeft' || key.key === 'ArrowRight';
    let next: HTMLElement | undefined;
    if (sideways) {
      const rtl = getComputedStyle(from).direction === 'rtl';
      const step = (key.key === 'ArrowRight') === rtl ? -1 : 1;
      const top = from.getBoundingClientRect().top;
      const distance = (chip: HTMLElement): number => Math.abs(chip.getBoundingClientRect().top - top);
      for (let n = i + step; !next && n >= 0 && n < columns.length; n += step)
        next = chipsOf(n).toSorted((a, b) => distance(a) - distance(b))[0];
    } else {
      const chips = chipsOf(i);
      next = chips[chips.indexOf(from) + (key.key === 'ArrowDown' ? 1 : -1)];
    }
    if (!next) return;
    key.preventDefault();
    next.focus();
  };

  const open = (event: CalendarEvent): void => {
    if (pointing.justMoved()) return;
    if (moved?.id === event.id && (moved.from !== event.from || moved.to !== event.to || moved.into !== null))
      onMoved(event, moved);
    else onOpen(event);
  };

  const onOpenChip = useStable(open);
  const onKey = useStable(press);

  const today = dateOf(wallOf(now, timezone));
  const minuteNow = wallOf(now, timezone) - parseWall(today)!;
  // Columns keep their width while an event moves: otherwise, each step would lay out all their content again. A custom
  // property would be inherited by everything below, which would be restyled on every change.
  const size = {
    gridTemplateColumns: ['4.25rem', ...still.map((of) => `minmax(max(8rem, ${countLanes(of) * 4.5}rem), 1fr)`)].join(
      ' ',
    ),
  };
  return (
    <>
      <p id={help} hidden>
        {words.say('move.help')}
      </p>
      <p className="unseen" role="status">
        {moved
          ? words.say('moving', { day: longDay(dateOf(moved.from)), times: timesOfWalls(moved.from, moved.to) })
          : ''}
      </p>
      <div
        ref={board}
        className="board"
        role="region"
        aria-label={label}
        aria-busy={busy}
        tabIndex={0}
        {...pointing.handlers}
        onFocus={({ target: { dataset } }) => {
          focused.current = dataset.event && dataset.of ? { event: dataset.event, column: dataset.of } : null;
        }}
        onBlur={() => {
          focused.current = null;
        }}
        onKeyDown={(key) => {
          if (key.key !== 'Escape' || key.defaultPrevented) return;
          if (pointing.isHolding()) pointing.cancel();
          else onLeave();
        }}
      >
        <div className="board-in" style={size}>
          <div className="hours" aria-hidden="true">
            {Array.from({ length: 23 }, (_, i) => (
              <span key={i} style={{ '--top': (i + 1) * 60 } as CSSProperties}>
                {timeOf((i + 1) * 3_600_000, 'UTC')}
              </span>
            ))}
          </div>
          {columns.map((column, i) => (
            <ColumnView
              key={column.key}
              column={column}
              pieces={pieces[i]}
              isToday={column.date === today}
              minuteNow={column.date === today ? minuteNow : null}
              drawn={pointing.drawn?.column === column.key ? pointing.drawn : null}
              help={help}
              canChange={canChange}
              onOpen={onOpenChip}
              onKey={onKey}
            />
          ))}
        </div>
      </div>
    </>
  );
});

interface ColumnProps {
  readonly column: Column;
  readonly pieces: readonly Piece<CalendarEvent>[];
  readonly isToday: boolean;
  /** minute of the day; null if the column is of another day */
  readonly minuteNow: number | null;
  readonly drawn: Drawn | null;
  readonly help: string;
  readonly canChange: boolean;
  readonly onOpen: (event: CalendarEvent) => void;
  readonly onKey: (press: KeyboardEvent, event: CalendarEvent, column: string) => void;
}

const ColumnView = memo(function ColumnView(props: ColumnProps) {
  const { column, pieces, isToday, minuteNow, drawn, help, canChange, onOpen, onKey } = props;
  const id = useId();
  return (
    <section className="column" aria-labelledby={id}>
      <h2 id={id} dir="auto" className={isToday && !column.put ? 'today-column' : undefined}>
        {column.title}
        {column.about ? <span className="soft small"> {column.about}</span> : null}
      </h2>
      <div className="column-in" data-column={column.key}>
        <ol className="plain-list">
          {pieces
            .toSorted((a, b) => beginOf(a, column) - beginOf(b, column) || b.event.to - a.event.to)
            .map((piece) => (
              <Chip
                key={piece.event.id}
                piece={piece}
                column={column.key}
                movable={canChange && piece.event.status === 'active'}
                onOpen={onOpen}
                onKey={onKey}
                help={help}
              />
            ))}
        </ol>
        {minuteNow === null ? null : (
          <span className="now-line" style={{ '--top': minuteNow } as CSSProperties} aria-hidden="true" />
        )}
        {drawn ? (
          <span
            className="drawn"
            aria-hidden="true"
            style={{ '--top': drawn.from, '--long': drawn.to - drawn.from } as CSSProperties}
          />
        ) : null}
      </div>
    </section>
  );
});
