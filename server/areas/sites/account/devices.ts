/** Push notifications of a person: turning them on for the current device, and off for any. */
import {
  askAlone,
  askAs,
  forMembers,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  eyesOf,
  namesOf,
  pushFields,
  withDone,
  type Ask,
} from '../frame/index.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { DevicesView } from './views/devices.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const BACK = 'profile/messages';
const PAGE = `${BACK}/devices`;
const MAX_ROWS = 50;

export function deviceRoutes(desk: Desk): PageRoute<Business>[] {
  const form = (name: string, act: (visit: At, member: Member) => Promise<PageAnswer>): PageRoute<Business> => ({
    path: `/{provider_id}/${PAGE}/${name}`,
    charged: 'page',
    get: async ({ site }) => seeOther(at(site, BACK)),
    post: forMembers(desk, act, BACK),
  });
  return [
    form('on', (visit, member) => turnOn(desk, visit, member)),
    form('off', (visit, member) => turnOff(desk, visit, member)),
  ];
}

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

const done = ({ site }: At, what: string): PageAnswer => seeOther(withDone(at(site, BACK), what));

async function turnOn(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { values } = readForm(pushFields, visit.sent);
  const viewer = await desk.door.db.looking(visit.site.id, async (tx) => (await eyesOf(tx, visit, member)).viewer);
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

async function turnOff(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const id = idIn(visit.sent.get('id'));
  await desk.door.db.transaction(visit.site.id, async (tx) => {
    const { viewer } = await eyesOf(tx, visit, member);
    const ask = askAs(desk, visit, viewer, tx);
    // Turning off twice has the same effect as once.
    const { results } = await ask('GET /push_notification_tokens', { query: { fields: 'id', page_size: MAX_ROWS } });
    if (results.some((one) => one.id === id)) await ask('DELETE /push_notification_tokens/{id}', { params: { id } });
  });
  return done(visit, 'push-off');
}
