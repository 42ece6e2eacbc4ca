/** Addresses that a business no longer writes to, and why. */
import { deleteRow } from '../../../kernel/work/unit/row.ts';
import { create, filter, remove, staffWith, listAndGet } from '../../../kernel/api/endpoint.ts';
import { id, instant, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { addressKey } from '../../../kernel/base/values/mail-address.ts';
import { isMailAddress } from '../../../kernel/base/mail/address.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { CHANNELS } from './message.ts';
import { suppress } from './suppress.ts';
import { SUPPRESSION_REASONS, suppressionFeed } from './feed.ts';
import type { StoppedBecause } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const suppression = resource('suppression', {
  description:
    'An address that nothing more is sent to. `unsubscribed` stops marketing only; the other reasons stop everything.',
  fields: {
    id: id(),
    channel: oneOf(CHANNELS),
    address: text({ max: 254, fold: addressKey }).describe(
      'An email address in lowercase, or a phone number like +441632960000.',
    ),
    reason: oneOf(SUPPRESSION_REASONS),
    note: text({ max: 500 }).nullable(),
    message: ref('message').nullable().describe('The message that led to the suppression.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});

const f = suppression.fields;
const who = staffWith('super_admin');

export const suppressionEndpoints = [
  ...listAndGet(suppression, {
    path: '/communication/suppressions',
    summary: 'List suppressed addresses',
    get: 'Get a suppressed address',
    who,
    filters: {
      channel: filter(f.channel, (t, value) => sql`${raw(t)}.channel = ${value}`),
      reason: filter(f.reason, (t, value) => sql`${raw(t)}.reason = ${value}`),
      address: filter(f.address, (t, value) => sql`${raw(t)}.address = ${value}`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, address: { by: (t) => raw(`${t}.address`) } },
    defaultSort: '-id',
  }),
  create(suppression, {
    path: '/communication/suppressions',
    summary: 'Suppress an address',
    who,
    body: {
      channel: f.channel.default('email'),
      address: f.address,
      note: f.note.optional(),
      reason: f.reason.default('manual'),
    },
    problems: ['already_exists'],
    run: async ({ work, body }) => {
      const { address } = body;
      if (body.channel === 'email' ? !isMailAddress(address) : !/^\+[0-9]{6,15}$/.test(address)) {
        throw invalid(
          'address',
          body.channel === 'email'
            ? 'Enter a valid email address.'
            : 'Enter a phone number with its country code, for example +441632960000.',
        );
      }
      const known = await work.tx.one(
        sql`SELECT 1 FROM suppression WHERE provider_id = ${work.providerId} AND channel = ${body.channel}
          AND address = ${address}`,
      );
      if (known) throw taken();
      return suppress(work, { channel: body.channel!, address, reason: body.reason!, note: body.note });
    },
  }),
  remove(suppression, {
    path: '/communication/suppressions/{id}',
    summary: 'Remove a suppressed address',
    description:
      'Messages can be sent to the address again. This does not make a person who unsubscribed agree to marketing; only they can do that.',
    who,
    run: async ({ work, target }) => {
      await deleteRow(work, 'suppression', target.id);
      work.record(suppressionFeed.deleted, target.id, { suppression: target.id, reason: target.reason });
    },
  }),
];

/**
 * Returns why nothing is sent to the address; null if messages are sent. Somebody who unsubscribed still gets
 * everything but marketing.
 */
export const stoppedBecause = async ({ tx, providerId }: Work, address: string): Promise<StoppedBecause | null> =>
  (
    await tx.one<{ reason: StoppedBecause }>(
      sql`SELECT reason FROM suppression WHERE provider_id = ${providerId} AND channel = 'email'
        AND address = ${addressKey(address)} AND reason <> 'unsubscribed'`,
    )
  )?.reason ?? null;

export const taken = (): Problem =>
  new Problem('already_exists', 'address: This address is already suppressed.', {
    address: ['This address is already suppressed.'],
  });
