/** Devices on which customers agreed to get push notifications. */
import {
  action,
  answer,
  create,
  filter,
  one,
  read,
  remove,
  type Who,
  listAndGet,
} from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { areKeys } from './encrypt.ts';
import { boolean, id, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { communicationSettings } from '../messages/index.ts';
import { hashOf, keysOf, sealSubscription } from './subscription.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { publicKeyOf } from './server-key.ts';
import { pushNotificationToken } from './push-notification-token.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { pushNotificationTokenFeed } from './feed.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who: Who = { provider: ['customers'], customer: true, unregistered: false };
/** Nobody can agree on behalf of somebody else. */
const themselves: Who = { provider: false, customer: true, unregistered: false };
const path = '/push_notification_tokens';
/** More are abandoned browsers: the oldest is deleted. */
const MAX_PER_PERSON = 20;

const f = pushNotificationToken.fields;

const about = (row: { readonly id: number; readonly customer_id: number }) => ({
  push_notification_token: row.id,
  customer: row.customer_id,
});

/** The host name is resolved while no transaction is open: a name server may be slow. */
async function checkEndpoint({ endpoint }: { endpoint?: string }, { outbound }: Installation): Promise<void> {
  const problem = endpoint === undefined ? null : await outbound.problem(endpoint);
  if (problem !== null) throw invalid('endpoint', problem);
}

/** Deletes these devices, and the messages queued for them. */
export async function forgetTokens(work: Work, ids: readonly number[]): Promise<void> {
  const gone = await work.tx.rows<{ id: number; customer_id: number }>(
    sql`DELETE FROM push_notification_token WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])
      RETURNING id, customer_id`,
  );
  for (const row of gone) work.record(pushNotificationTokenFeed.deleted, row.id, about(row));
}

/** A device belongs to one person of a business, the one who agreed on it last. */
async function makeRoom(work: Work, customer: number, endpointHash: string): Promise<void> {
  const { tx, providerId } = work;
  const old = await tx.rows<{ id: number }>(sql`
    SELECT id FROM push_notification_token WHERE provider_id = ${providerId} AND fingerprint = ${endpointHash}::bytea
    UNION (SELECT id FROM push_notification_token WHERE provider_id = ${providerId} AND customer_id = ${customer}
           ORDER BY id DESC OFFSET ${MAX_PER_PERSON - 1})`);
  if (old.length > 0)
    await forgetTokens(
      work,
      old.map((row) => row.id),
    );
}

export const tokenEndpoints = [
  read({
    path: '/push_notification_settings',
    summary: 'Get what a device needs to subscribe to push notifications',
    description:
      'If `enabled`, subscribe with `application_server_key` (`PushManager.subscribe`), and send the subscription to `POST /push_notification_tokens`. The business allows push notifications with `push_notifications` of its messaging settings.',
    who,
    returns: answer({
      enabled: boolean().describe('Whether the business sends push notifications.'),
      application_server_key: text().describe('The public key of this installation (VAPID), base64url.'),
    }),
    run: async ({ work }) => ({
      enabled: (await communicationSettings(work)).push_notifications,
      application_server_key: publicKeyOf(work.installation.box),
    }),
  }),
  ...listAndGet(pushNotificationToken, {
    path,
    summary: 'List devices with push notifications',
    get: 'Get a device with push notifications',
    who,
    filters: { customer: filter(id(), (t, customer) => sql`${raw(t)}.customer_id = ${customer}`) },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: '-id',
  }),
  create(pushNotificationToken, {
    path,
    summary: 'Subscribe a device to push notifications',
    description:
      'Customers subscribe the device in their hands, for themselves. They get offers from the waitlist on it. A device that subscribes again, for anyone, replaces its earlier subscription at the business.',
    who: themselves,
    body: {
      endpoint: uri().describe('`endpoint` of the subscription.'),
      p256dh: text({ max: 100 }).describe('`keys.p256dh` of the subscription.'),
      auth: text({ max: 40 }).describe('`keys.auth` of the subscription.'),
      name: f.name.optional(),
    },
    problems: ['conflict'],
    ahead: checkEndpoint,
    run: async ({ work, body: { endpoint, p256dh, auth, name } }) => {
      const { providerId, installation } = work;
      if (!(await communicationSettings(work)).push_notifications)
        throw new Problem('conflict', 'This business does not send push notifications.');
      if (!areKeys(keysOf({ p256dh, auth })))
        throw invalid('p256dh', 'Must be the keys that the browser returned with the subscription, base64url.');
      const customer = work.viewer.customerId!;
      const endpointHash = hashOf(endpoint);
      // Concurrent requests for one device wait for each other: otherwise, both could find none.
      await work.tx.run(sql`SELECT pg_advisory_xact_lock(771061, hashtext(${`${providerId}:${endpointHash}`}))`);
      await makeRoom(work, customer, endpointHash);
      const token = await insertRow(work, 'push_notification_token', {
        customer_id: customer,
        name: name ?? null,
        service: new URL(endpoint).host,
        fingerprint: endpointHash,
        sealed: sealSubscription(installation.box, providerId, { endpoint, p256dh, auth }),
        public_key: publicKeyOf(installation.box),
      });
      work.record(pushNotificationTokenFeed.created, token, { push_notification_token: token, customer });
      return token;
    },
  }),
  action({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Update a device with push notifications',
    description: 'Staff can switch a device off, and only its customer can switch it on again.',
    who,
    target: pushNotificationToken,
    body: allOptional({ name: f.name, enabled: f.enabled }),
    returns: one(pushNotificationToken),
    run: async ({ work, body, target }) => {
      if (body.enabled === true && !target.enabled && work.viewer.mode === 'provider')
        throw new Problem('permission_denied', 'Only the customer can switch on push notifications on their device.');
      await updateRow(work, 'push_notification_token', target.id, body);
      const changed = changedNames(body);
      if (changed.length > 0)
        work.record(pushNotificationTokenFeed.updated, target.id, { ...about(target as never), changed });
      return target.id;
    },
  }),
  remove(pushNotificationToken, {
    path: `${path}/{id}`,
    summary: 'Stop push notifications on a device',
    who,
    run: ({ work, target }) => forgetTokens(work, [target.id]),
  }),
];
