/** Decides if a missed session can be made up for with another one: docs/algorithms/courses.md. Pure. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { many, one, say, type Text } from '../../../../kernel/base/values/words.ts';
import type { Wordings } from '../../../../kernel/base/values/wording.ts';

export interface Missed {
  /** null: the series has no make-up sessions */
  readonly makeUpDays: number | null;
  readonly cancelledGives: 'make_up' | 'credit';
  /** the session itself was cancelled */
  readonly sessionCancelled: boolean;
  /** of the booking; null if the customer was never booked */
  readonly attendance: 'not_registered' | 'registered' | 'attended' | 'no_show' | 'late_cancelled' | null;
  /** the enrollment is still active */
  readonly enrolled: boolean;
  /** its part of the price was credited */
  readonly credited: boolean;
  /** another session is booked, or took place, as its make-up session */
  readonly madeUp: boolean;
  /** day of the session, in the zone of its venue */
  readonly on: string;
}

const refused = (staff: string, customer: Text) => ({ refused: { staff, customer } });

/** Returns the last day for a make-up session of this one, or the reason why there can be none. */
export function rightToMakeUp(missed: Missed): { readonly until: string } | { readonly refused: Wordings } {
  if (!missed.enrolled)
    return refused(
      'The enrolment is cancelled. Enrol the customer again.',
      say`You are no longer enrolled in this ${one.course}.`,
    );
  if (missed.makeUpDays === null)
    return refused(
      'The series has no make-up sessions. Set make_up_days to allow them.',
      say`This ${one.course} has no make-up ${many.session}.`,
    );
  if (missed.credited)
    return refused('The price of the session was given back.', say`You got the price of this ${one.session} back.`);
  if (missed.madeUp)
    return refused(
      'The session was made up for already.',
      say`You have already chosen another ${one.session} instead.`,
    );
  if (missed.sessionCancelled && missed.cancelledGives === 'credit')
    return refused(
      'Cancelled sessions of the series are credited, not made up for.',
      say`You get the price of this ${one.session} back.`,
    );
  if (!missed.sessionCancelled && missed.attendance === 'late_cancelled')
    return refused(
      'The booking was cancelled late. Correct it if that is wrong.',
      say`This ${one.session} was cancelled too late to be made up for.`,
    );
  const lost = missed.sessionCancelled || missed.attendance === 'not_registered' || missed.attendance === 'no_show';
  if (!lost)
    return refused(
      'The customer has not missed the session. Cancel the booking in time, or mark the absence, first.',
      say`Cancel your ${one.booking} of this ${one.session} first.`,
    );
  return { until: addDays(missed.on, missed.makeUpDays) };
}
