/** Push notifications of a person: turning them on for the current device, and off for any. */
import {
  askAlone,
  type At,
  type Desk,
  type Business,
  at,
  namesOf,
  pushFields,
  withDone,
  type Ask,
  accountPage,
  acting,
  memberPage,
  reading,
  type Asker,
  writtenFor,
} from '../frame/index.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { DevicesView } from './views/devices.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const BACK = 'profile/messages';
const PAGE = `${BACK}/devices`;
const MAX_ROWS = 50;

/** Its forms are on the page of messages, and lead back there. */
export const deviceRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: writtenFor,
    here: accountPage(BACK),
    show: ({ visit }) => seeOther(at(visit.site, BACK)),
    forms: { on: (turn) => turnOn(desk, turn), off: (turn) => turnOff(desk, turn) },
  });

/** Returns the devices; null if the business sends no notifications and no device is subscribed. */
export async function devicesOf(ask: Ask): Promise<DevicesView | null> {
  const { enabled, application_server_key: key } = await ask('GET /push_notification_settings', {});
  const { results } = await ask('GET /push_notification_tokens', {
    query: { fields: 'id,name,fingerprint,created_at', page_size: MAX_ROWS },
  });
  if (!enabled && results.length === 0) return null;
  return {
    key: enabled ? key : null,
    devices: results.map((one) => ({
      id: one.id,
      name: one.name,
      hash: one.fingerprint,
      since: Date.parse(one.created_at),
    })),
  };
}

const done = ({ site }: At, what: string): string => withDone(at(site, BACK), what);

async function turnOn(desk: Desk, turn: Asker): Promise<string> {
  const { visit } = turn;
  const { values } = readForm(pushFields, visit.sent);
  const viewer = await reading(desk, turn, async (as) => as.viewer);
  const { browser, system } = namesOf(visit.agent);
  const name = [browser, system].filter(Boolean).join(', ') || null;
  try {
    await askAlone(desk, visit, viewer)('POST /push_notification_tokens', { body: { ...values, name } });
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return done(visit, 'not-possible');
    throw error;
  }
  return done(visit, 'push-on');
}

async function turnOff(desk: Desk, turn: Asker): Promise<string> {
  const id = idIn(turn.visit.sent.get('id'));
  await acting(desk, turn, async ({ ask }) => {
    // Turning off twice has the same effect as once.
    const { results } = await ask('GET /push_notification_tokens', { query: { fields: 'id', page_size: MAX_ROWS } });
    if (results.some((one) => one.id === id)) await ask('DELETE /push_notification_tokens/{id}', { params: { id } });
  });
  return done(turn.visit, 'push-off');
}
