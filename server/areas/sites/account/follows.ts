/** Consequences of a hold or an end, read from the effects of a dry run. */
import { createHash } from 'node:crypto';
import { effectsOf, numberIn, textIn, type Ask, type Effect, type Entry } from '../frame/index.ts';
import type { Follows } from './views/follows.ts';

const OF_EVENT = 'name,starts_at,timezone';

/** Returns a hash of what a page shows, which its form sends back: people agree only to what they saw. */
export const versionOf = (shown: object): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url');

/**
 * Returns the effects for this person, in reading order. Promotions from a waitlist are left out, because they affect
 * other people.
 */
export async function listConsequences(ask: Ask, effects: readonly Effect[]): Promise<Follows[]> {
  const booked = effectsOf(effects, 'booking_cancelled', 'booking_kept');
  const events = new Map<number, Entry<'GET /events/{id}', typeof OF_EVENT>>();
  for (const id of new Set(booked.map(({ detail }) => numberIn(detail, 'event'))))
    events.set(id, await ask('GET /events/{id}', { params: { id }, query: { fields: OF_EVENT } }));
  return [
    ...effectsOf(effects, 'expiration_moved').map(({ detail }): Follows => ({
      what: 'moved',
      from: textIn(detail, 'from'),
      to: textIn(detail, 'to'),
    })),
    ...effectsOf(effects, 'credit', 'charge', 'credit_voided', 'charge_voided').map(({ effect, detail }): Follows => ({
      what: effect,
      amount: numberIn(detail, 'amount_minor'),
      dueOn: detail.due_date === undefined || detail.due_date === null ? null : textIn(detail, 'due_date'),
    })),
    ...booked.map(({ effect, detail }): Follows => {
      const { name, starts_at: startsAt, timezone: zone } = events.get(numberIn(detail, 'event'))!;
      return { what: effect, name, startsAt: Date.parse(startsAt), zone };
    }),
  ];
}
