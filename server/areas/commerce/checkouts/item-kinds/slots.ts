/**
 * Appointments and room rentals: a place at an event, as for classes, but the event is created first. It is created
 * from the chosen free time when the item is added, so that nobody else can take that time while the customer pays. The
 * event shares the fate of its seats: it ends when the last seat is gone.
 */
import { DROP_IN_CLASS, MEMBERSHIP_CLASS } from './classes.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { a, say } from '../../../../kernel/base/values/words.ts';
import { takeSlot } from '../../../availability/slots/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { ItemKind, Said, Wanted } from './kind.ts';
import type { ItemType } from './types.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The property that names a free time, for each schedule type. */
const SLOT = { appointment: 'appointment_slot', room_rental: 'room_rental_slot' } as const;
type Schedule = keyof typeof SLOT;

const NOT_THIS: Readonly<Record<Schedule, (field: string) => Problem>> = {
  appointment: (field) =>
    invalid(field, {
      staff: 'This is not an appointment. Send the item type that matches, or leave it out.',
      customer: say`This is not ${a.appointment}. Please start again.`,
    }),
  room_rental: (field) =>
    invalid(field, {
      staff: 'This is no room rental. Send the type of item that belongs to it, or leave the type out.',
      customer: say`This is not ${a.rental}. Please start again.`,
    }),
};

export const scheduleOf = async (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  event: number,
): Promise<string | undefined> => {
  const row = await tx.one<{ schedule_type: string }>(sql`
    SELECT o.schedule_type FROM event e JOIN offering_type o ON o.provider_id = e.provider_id
      AND o.id = e.offering_type_id
    WHERE e.provider_id = ${providerId} AND e.id = ${event}`);
  return row?.schedule_type;
};

/**
 * Reserves a free time for one person and returns the id of its event. If the body names a free time that doesn't
 * exist, the error is about the body, not the path.
 */
export async function takeTime(work: Work, slot: string, property: string): Promise<number> {
  try {
    return (await takeSlot(work, { slot, people: 1 })).event;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    throw invalid(property, {
      staff: 'There is no free time with this id. List the free times again, and send an id from there.',
      customer: 'This time is not there. Please choose a time again.',
    });
  }
}

/** Derives the item kind from that of a class, for a free time or for an existing event. */
const like = (of: ItemKind, type: ItemType, schedule: Schedule, description: string): ItemKind => {
  const property: Said = SLOT[schedule];
  return {
    ...of,
    type,
    description,
    needs: [],
    takes: ['event', ...(of.takes ?? [])],
    says: {
      properties: [property],
      optional: [property],
      read: (_work, sent, issues) => {
        const slot = (sent[property] as string | null | undefined) ?? null;
        const event = (sent as { event?: number | null }).event ?? null;
        if (slot === null && event === null)
          issues.add(property, 'Send this, or `event` for a time that is booked already.');
        if (slot !== null && event !== null) issues.add(property, 'Send this or `event`, not both.');
        return { slot };
      },
    },
    take: async <W extends Wanted>(work: Work, wanted: W): Promise<W> =>
      wanted.slot === null || wanted.event_id !== null
        ? wanted
        : { ...wanted, event_id: await takeTime(work, wanted.slot, property) },
    check: async (work, wanted, around) => {
      if ((await scheduleOf(work, wanted.event_id!)) !== schedule)
        throw NOT_THIS[schedule](wanted.slot === null ? 'event' : property);
      await of.check(work, wanted, around);
    },
  };
};

export const DROP_IN_APPOINTMENT = like(
  DROP_IN_CLASS,
  'APPT_DRP',
  'appointment',
  'An appointment for its drop-in price: at a free time, or at the time of an event that is there.',
);

export const MEMBERSHIP_APPOINTMENT = like(
  MEMBERSHIP_CLASS,
  'APPT_MEM',
  'appointment',
  'An appointment that a membership pays for. Its price is what the membership adds for each use.',
);

export const DROP_IN_RENTAL = like(
  DROP_IN_CLASS,
  'ROOM_RTL_DRP',
  'room_rental',
  'A room for its drop-in price: at a free time, or at the time of an event that is there.',
);

export const MEMBERSHIP_RENTAL = like(
  MEMBERSHIP_CLASS,
  'ROOM_RTL_MEM',
  'room_rental',
  'A room that a membership pays for. Its price is what the membership adds for each use.',
);
