/** A calendar as it was read: apart from what reads it, which only the thread that does so loads. */

export interface Asked {
  readonly text: string;
  /** of the business: for a calendar that names no zone of its own */
  readonly zone: string;
  /** epoch ms; what takes place between them is returned */
  readonly from: number;
  readonly to: number;
}

export interface OutsideEvent {
  /** the event, and the time that it was planned for if it is repeated */
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
  /** what could not be read as it was written, in sentences for the person whose calendar it is */
  readonly warnings: readonly string[];
}

/** Why it can't be read, in words for the person who connected it. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
