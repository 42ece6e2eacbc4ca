/** The client of the interface for the dashboard: as a staff member of one business. */
import { Rollcall } from 'rollcall-sdk';
import { fetchWithToken, token } from './session.ts';

/** For calls that belong to no business. */
export const rollcall = new Rollcall({
  baseUrl: location.origin,
  token: () => token(),
  fetch: fetchWithToken,
  mode: 'provider',
});

const clients = new Map<number, Rollcall>();

/** Returns the client for calls at this business. */
export function clientOf(business: number): Rollcall {
  let client = clients.get(business);
  if (!client) clients.set(business, (client = rollcall.with({ provider: business })));
  return client;
}
