/** Several dates of the same class for one person: the result of booking each date, before anything is booked. */
import { askAs, nowAt, reading, refusal, type Asker, type At, type Desk, type Person } from '../frame/index.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { sessionsOf, type Session } from './sessions.ts';
import { TO_PAY } from '../checkout/index.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

export interface TriedSession extends Session {
  readonly outcome: 'booked' | 'waiting' | 'bookable' | 'to_pay' | 'refused';
  /** message of the refusal; null: none */
  readonly why: string | null;
}

export interface SeriesView {
  readonly id: number;
  readonly name: string;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly zone: string;
  readonly who: Person;
  /** people for whom it can be booked */
  readonly people: readonly Person[];
  readonly sessions: readonly TriedSession[];
}

const OUTCOMES: Readonly<Record<string, 'booked' | 'waiting'>> = {
  registered: 'booked',
  attended: 'booked',
  on_waitlist: 'waiting',
  spot_reserved: 'waiting',
};

export class AtSeries {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Returns the dates for a person. `who`: their id; null: the first person who takes part. Returns null if the member
   * is not a customer here.
   * @throws Problem 404 if the member doesn't see the event, or doesn't act for the person
   */
  async read(turn: Asker, id: number, who: number | null): Promise<SeriesView | null> {
    const found = await this.#find(turn, id, who);
    if (found === null) return null;
    const sessions: TriedSession[] = [];
    for (const session of found.sessions) {
      const known = OUTCOMES[session.status ?? ''];
      sessions.push(
        known
          ? { ...session, outcome: known, why: null }
          : { ...session, ...(await this.#try(turn.visit, found.viewer, session.id, found.about.who.id)) },
      );
    }
    return { ...found.about, sessions };
  }

  /** Returns true if the page lists all of these events for this person. @throws Problem as `read` */
  async lists(turn: Asker, id: number, who: number, events: readonly number[]): Promise<boolean> {
    const found = await this.#find(turn, id, who);
    return found !== null && events.every((event) => found.sessions.some((session) => session.id === event));
  }

  #find(turn: Asker, id: number, who: number | null) {
    return reading(this.#desk, turn, async ({ ask, viewer, people }) => {
      if (people === null) return null;
      const event = await ask('GET /events/{id}', {
        params: { id },
        query: { fields: 'name,starts_at,timezone,offering_type,schedule_type,venue' },
      });
      if (['appointment', 'room_rental'].includes(event.schedule_type)) throw notFound();
      const able = people.filter(({ participating }) => participating);
      const one = who === null ? (able[0] ?? people[0]) : people.find((person) => person.id === who);
      if (!one) throw notFound();
      const [startsAt, zone] = [Date.parse(event.starts_at), event.timezone as string];
      const repeated = {
        id,
        offering: event.offering_type,
        venue: event.venue,
        startsAt,
        zone,
        now: nowAt(turn.visit),
      };
      const about = { id, name: event.name as string, startsAt, zone, who: one, people: able };
      return { viewer, about, sessions: await sessionsOf(ask, repeated, one.id) };
    });
  }

  /** Tries each in a transaction of its own, which ends before the next event is locked. */
  async #try(visit: At, viewer: Viewer, id: number, customer: number): Promise<Pick<TriedSession, 'outcome' | 'why'>> {
    try {
      await this.#desk.door.db.transaction(visit.site.id, (tx) =>
        askAs(
          this.#desk,
          visit,
          viewer,
          tx,
        )('POST /events/{id}/register', {
          params: { id },
          query: { dry_run: true },
          body: { customer },
        }),
      );
      return { outcome: 'bookable', why: null };
    } catch (error) {
      return error instanceof Problem && error.code === TO_PAY
        ? { outcome: 'to_pay', why: null }
        : { outcome: 'refused', why: refusal(this.#desk, visit, error) };
    }
  }
}
