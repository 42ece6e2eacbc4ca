/** The functions that the account pages need from the applications area. */
import {
  connectionsElsewhere,
  connectionsOf,
  disconnect,
  disconnectElsewhere,
  permissionsFor,
  registeredAssistants,
  type AssistantChoices,
  type AssistantLimits,
  type Interactions,
} from '../../people/applications/index.ts';
import { noteUserEvent, type AccountDoor } from '../../people/identity/index.ts';
import type { ChosenForAssistant, Connections, ConsentDesk, LogInDesk } from '../frame/index.ts';

/** Returns the limits that a staff member chose. If every venue was chosen, later ones are included too. */
function limitsFrom(choices: AssistantChoices, { groups, venues }: ChosenForAssistant): AssistantLimits {
  const chosen = choices.venues.filter(({ id }) => venues.includes(String(id)));
  const all = choices.groups.every((group) => groups.includes(group));
  return {
    permissions: all ? null : permissionsFor(choices.groups.filter((group) => groups.includes(group))),
    venues: choices.venues.length < 2 || chosen.length === choices.venues.length ? null : chosen.map(({ id }) => id),
  };
}

export function desksFor(
  { db, now, cells }: AccountDoor,
  interactions: Interactions,
): { connections: Connections; consents: ConsentDesk; logIns: LogInDesk } {
  return {
    connections: {
      list: async (userId) => {
        const here = await db.acrossTenants('a person sees what acts for it at every business', (tx) =>
          connectionsOf(tx, userId, now()),
        );
        const { connections, away } = await connectionsElsewhere(cells, userId);
        return { connections: [...here, ...connections], away };
      },
      registered: (providerId) => db.looking(providerId, (tx) => registeredAssistants(tx, providerId)),
      end: async (userId, id, whence) => {
        const here = await db.acrossTenants('a person ends what acts for it at every business', async (tx) => {
          const ended = await disconnect(tx, userId, id, now());
          if (ended)
            await noteUserEvent(tx, userId, 'application_disconnected', { ...whence, application: ended.name }, now());
          return ended !== null;
        });
        return here || disconnectElsewhere(cells, { user: userId, application: id, whence });
      },
    },
    consents: {
      question: async (id, { account }) => {
        const pending = await interactions.pending(id);
        if (pending?.asks !== 'consent') return null;
        const { application, destination, wishes, businesses } = pending;
        return {
          id,
          application: application.name,
          destination,
          wishes,
          businesses,
          choices: await interactions.choicesFor(id, account.id),
        };
      },
      answer: async (id, { account, session }, allowed, whence) => {
        if (allowed === false) return interactions.deny(id);
        const pending = await interactions.pending(id);
        const choices = allowed === true ? null : await interactions.choicesFor(id, account.id);
        const limits = allowed === true || choices === null ? undefined : limitsFrom(choices, allowed);
        const to = pending?.asks === 'consent' ? await interactions.finishConsent(id, session, limits) : null;
        if (to) {
          await db.acrossTenants('what happened to an account belongs to no business', (tx) =>
            noteUserEvent(
              tx,
              account.id,
              'application_connected',
              { ...whence, application: pending!.application.name },
              now(),
            ),
          );
        }
        return to;
      },
    },
    logIns: {
      waiting: async (id) => {
        const pending = await interactions.pending(id);
        return pending?.asks === 'login' ? { hint: pending.loginHint, after: pending.logInAfter } : null;
      },
      arrived: (id, { session }) => interactions.finishLogIn(id, session),
    },
  };
}
