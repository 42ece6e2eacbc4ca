/** The interface, as the dashboard calls it: in the eyes of a member of staff of one business. */
import { Rollcall } from 'rollcall-sdk';
import { fetchWithToken, token } from './session.ts';

/** For what belongs to no business. */
export const rollcall = new Rollcall({
  baseUrl: location.origin,
  token: () => token(),
  fetch: fetchWithToken,
  mode: 'provider',
});

const clients = new Map<number, Rollcall>();

/** For calls at this business. */
export function clientOf(business: number): Rollcall {
  let client = clients.get(business);
  if (!client) clients.set(business, (client = rollcall.with({ provider: business })));
  return client;
}
