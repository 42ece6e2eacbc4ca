/** Types of a calendar that was read. The parser is in a separate module, which only the thread that parses loads. */

export interface Asked {
  readonly text: string;
  /** time zone of the business, for calendars that name none of their own */
  readonly zone: string;
  /** in epoch milliseconds; events between the two times are returned */
  readonly from: number;
  readonly to: number;
}

export interface OutsideEvent {
  /** id of the event, with the originally planned time if it recurs */
  readonly id: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly allDay: boolean;
  readonly busy: boolean;
  readonly status: 'CONF' | 'TENT' | 'CANC' | 'UNKN';
  readonly visibility: 'DEFT' | 'PUBL' | 'PRIV' | 'UNKN';
  readonly title: string | null;
  readonly location: string | null;
  readonly timezone: string | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export interface OutsideCalendar {
  readonly name: string | null;
  readonly timezone: string | null;
  readonly events: readonly OutsideEvent[];
  /** parts that could not be read as written, in sentences for the owner of the calendar */
  readonly warnings: readonly string[];
}

/** Error for a calendar that can't be read, with a message for the person who connected it. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
