/** The actual or previewed outcome of a date. */
import { words } from '../words.ts';

export type Outcome = 'booked' | 'already_booked' | 'waitlisted' | 'opens_later' | 'unavailable';

export function OutcomeTag({ outcome }: { readonly outcome: Outcome }) {
  const kind = { booked: ' good', already_booked: ' good', waitlisted: '', opens_later: '', unavailable: ' wrong' };
  return <span className={`tag${kind[outcome]}`}>{words.say(`outcome.${outcome}`)}</span>;
}
