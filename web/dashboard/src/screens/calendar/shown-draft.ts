/** The values of an event's form in words, to compare two versions. */
import { longDay } from './columns.ts';
import { words } from './words.ts';
import type { Draft } from './draft.ts';
import type { Places } from '../../app/places.ts';

const LABELS = {
  name: 'name',
  venue: 'venue',
  room: 'room',
  instructors: 'instructors',
  date: 'date',
  start: 'start',
  end: 'end',
  places: 'places',
  waitlist: 'waitlist',
  call: 'online',
  callPlaces: 'online.places',
} as const;

export const labelOf = (name: keyof Draft): string =>
  name in LABELS ? words.say(LABELS[name as keyof typeof LABELS]) : name;

const nameIn = (all: readonly { readonly id: number; readonly name: string }[], id: string): string =>
  all.find((one) => String(one.id) === id)?.name ?? '';

/** Returns the value of a field as the form shows it; empty if nothing is chosen. */
export function inWords(draft: Draft, name: keyof Draft, { venues, rooms, instructors }: Places): string {
  if (name === 'venue' || name === 'call') return nameIn(venues, draft[name]);
  if (name === 'room') return nameIn(rooms, draft.room);
  if (name === 'instructors') return draft.instructors.map((id) => nameIn(instructors, String(id))).join(', ');
  return name === 'date' && draft.date !== '' ? longDay(draft.date) : String(draft[name]);
}
