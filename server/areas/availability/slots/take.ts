/** Taking a time that is offered: what other areas do with slots. */
import type { Problem } from '../../../kernel/api/problem.ts';
import type { Work } from '../../../kernel/work.ts';

export interface TakenSlot {
  readonly event: number;
}

export interface SlotAsked {
  readonly offeringType: number;
  readonly instructor: number | null;
  readonly venue: number;
  readonly room: number | null;
  /** wall time of the venue, `YYYY-MM-DDTHH:MM:SS` */
  readonly localStartsAt: string;
  readonly people: number;
}

/**
 * Locks the rooms and instructors of a slot, looks again whether it is free, and creates its event, which has a place for
 * each of the people. Books nobody.
 * @throws Problem `slot_taken`, with the nearest alternatives
 */
export async function takeSlot(_work: Work, _asked: { slot: string; people: number }): Promise<TakenSlot> {
  throw new Error('slots are not offered yet');
}

/** Ends an appointment that was made for a purchase which came to nothing, if nobody is booked and no seat is held. */
export async function dropAppointment(_work: Work, _event: number): Promise<void> {
  throw new Error('slots are not offered yet');
}

/** The slot of exactly this time, or why there is none. */
export async function slotAt(_work: Work, _asked: SlotAsked): Promise<{ slot: string } | { refused: Problem }> {
  throw new Error('slots are not offered yet');
}
