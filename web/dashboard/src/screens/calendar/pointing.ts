/** Moves, resizes and draws events with a mouse or a pen. Touch scrolls; the buttons of the form replace dragging. */
import { useCallback, useRef, useState, type PointerEvent } from 'react';
import { DAY, parseWall } from './wall.ts';
import { resizedBy, shiftedBy, snap, STEP, type Moved } from './placing.ts';
import type { CalendarEvent } from './events.ts';
import type { Column } from './columns.ts';

/** A range drawn on free space for a new event. */
export interface Drawn {
  readonly column: string;
  /** in minutes of the day */
  readonly from: number;
  readonly to: number;
}

interface Grip {
  readonly event: CalendarEvent | null;
  readonly how: 'move' | 'resize' | 'draw';
  readonly column: Column;
  readonly minute: number;
  readonly at: readonly [number, number];
  begun: boolean;
}

/** Height of the resize handle at the end of an event; `.movable::after` shows it. */
const END_PX = 7;
/** Distance that a click may move. */
const SLACK_PX = 5;
/** Length of an event that is drawn with one click. */
const HOUR = 60;

export interface Pointing {
  readonly columns: readonly Column[];
  readonly events: readonly CalendarEvent[];
  readonly canMove: (event: CalendarEvent) => boolean;
  readonly canCreate: boolean;
  readonly onMove: (moved: Moved | null) => void;
  readonly onMoved: (event: CalendarEvent, moved: Moved) => void;
  readonly onDrawn: (column: Column, from: number, to: number) => void;
}

const areaOf = (target: Element | null): HTMLElement | null => target?.closest<HTMLElement>('[data-column]') ?? null;

/** Returns the minute of the day at a height within the area of a column. */
function minuteAt(area: Element, y: number): number {
  const { top, height } = area.getBoundingClientRect();
  return ((y - top) / height) * DAY;
}

export function usePointing({ columns, events, canMove, canCreate, onMove, onMoved, onDrawn }: Pointing) {
  const grip = useRef<Grip | null>(null);
  const latest = useRef<Moved | null>(null);
  const ended = useRef(false);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const find = (key: string | undefined): Column | undefined => columns.find((column) => column.key === key);

  const drop = useCallback(() => {
    grip.current = null;
    latest.current = null;
    setDrawn(null);
  }, []);

  const down = (press: PointerEvent<HTMLElement>): void => {
    if (press.button !== 0 || press.pointerType === 'touch') return;
    const target = press.target as Element;
    const area = areaOf(target);
    const column = find(area?.dataset.column);
    if (!area || !column) return;
    const chip = target.closest<HTMLElement>('[data-event]');
    const id = chip?.dataset.event;
    const event = id === undefined ? null : (events.find((one) => String(one.id) === id) ?? null);
    if (event ? !canMove(event) : id !== undefined || !canCreate) return;
    const atEnd = chip !== null && chip.getBoundingClientRect().bottom - press.clientY < END_PX;
    const how = event ? (atEnd ? 'resize' : 'move') : 'draw';
    const at = [press.clientX, press.clientY] as const;
    grip.current = { event, how, column, minute: minuteAt(area, press.clientY), at, begun: false };
  };

  const move = (press: PointerEvent<HTMLElement>): void => {
    const held = grip.current;
    if (!held) return;
    if (!held.begun) {
      if (Math.hypot(press.clientX - held.at[0], press.clientY - held.at[1]) < SLACK_PX) return;
      held.begun = true;
      press.currentTarget.setPointerCapture(press.pointerId);
    }
    const areas = [...press.currentTarget.querySelectorAll<HTMLElement>('[data-column]')];
    const over =
      areas.find((area) => {
        const { left, right } = area.getBoundingClientRect();
        return left <= press.clientX && press.clientX < right;
      }) ?? areas.find((area) => area.dataset.column === held.column.key)!;
    const by = snap(minuteAt(over, press.clientY) - held.minute);
    if (held.how === 'draw') {
      const start = Math.floor(held.minute / STEP) * STEP;
      const end = Math.min(DAY, Math.max(0, start + by));
      setDrawn({ column: held.column.key, from: Math.min(start, end), to: Math.max(start + STEP, end) });
      return;
    }
    const event = held.event!;
    const still: Moved = { id: event.id, from: event.from, to: event.to, out: null, into: null };
    if (held.how === 'resize') latest.current = resizedBy(still, by);
    else {
      const column = find(over.dataset.column)!;
      const days = parseWall(column.date)! - parseWall(held.column.date)!;
      const other = column.put && column.key !== held.column.key;
      latest.current = {
        ...shiftedBy(still, by + days),
        ...(other && { out: held.column.key, into: column.key }),
      };
    }
    onMove(latest.current);
  };

  const up = (press: PointerEvent<HTMLElement>): void => {
    const held = grip.current;
    const moved = latest.current;
    if (!held) return;
    const was = drawn;
    drop();
    if (held.how === 'draw') {
      const area = areaOf(press.target as Element);
      const from = was?.from ?? Math.floor(held.minute / STEP) * STEP;
      // Pressing here and releasing elsewhere without drawing has no effect.
      if (was || area?.dataset.column === held.column.key)
        onDrawn(held.column, from, was?.to ?? Math.min(from + HOUR, DAY));
      return;
    }
    if (!held.begun || !moved) return;
    // The following click event belongs to the move.
    ended.current = true;
    setTimeout(() => (ended.current = false));
    const event = held.event!;
    if (moved.from === event.from && moved.to === event.to && moved.into === null) onMove(null);
    else onMoved(event, moved);
  };

  const cancel = (): void => {
    if (grip.current?.begun) onMove(null);
    drop();
  };

  return {
    drawn,
    /** Returns true if the current click event ends a move. */
    justMoved: (): boolean => ended.current,
    cancel,
    isHolding: (): boolean => grip.current?.begun ?? false,
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: cancel },
  };
}
