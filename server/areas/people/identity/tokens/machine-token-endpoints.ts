/** Machine tokens over HTTP, for the dashboard and for programs that rotate them. */
import { action, create, one, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { machineTokenFeed } from '../feed.ts';
import { changedNames } from '../../../../kernel/work/unit/row.ts';
import { id, instant, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { instant as at, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { nowInstant } from '../../../../kernel/work/access/viewer.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { createMachineToken, revokeMachineToken } from './machine-token.ts';

const name = () => text({ max: 100 }).describe('User of the token.');

export const machineToken = resource('machine_token', {
  description:
    'A token for a program of the business. It acts in provider mode, with every permission. The token itself is shown only once, when it is created.',
  fields: {
    id: id(),
    name: name(),
    token: text()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('The token, in the response that creates it. Null in every other response.'),
    begins_with: text()
      .from((t) => raw(`${t}.token_hint`))
      .describe('The first characters of the token, to tell tokens apart.'),
    created_at: instant(),
    expires_at: instant().nullable(),
    revoked_at: instant().nullable(),
    last_used_at: instant().nullable().describe('Accurate to the minute.'),
  },
  visible: { provider: true, customer: false, unregistered: false },
  secret: ['token_hash'],
});

const SUPER_ADMIN = staffWith('super_admin');

const works = sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowInstant}::timestamptz)`;

const listTokens = listAndGet(machineToken, {
  path: '/machine_tokens',
  summary: 'List machine tokens, without their secrets',
  get: 'Get a machine token, without its secret',
  who: SUPER_ADMIN,
  filters: {
    status: {
      field: oneOf(['active', 'ended']).optional(),
      cases: { active: () => works, ended: () => sql`NOT (${works})` },
    },
  },
});

const createToken = create(machineToken, {
  path: '/machine_tokens',
  summary: 'Create a machine token',
  description:
    'The response contains the token, only this once. Only a hash of it is stored, so a lost token must be replaced.',
  who: SUPER_ADMIN,
  body: { name: name(), expires_at: instant().nullable().optional() },
  run: async ({ work, body }) => {
    if (body.expires_at && body.expires_at <= work.realNow) throw invalid('expires_at', 'Must be in the future.');
    const { id: made, token } = await createMachineToken(work.tx, work.providerId, {
      name: body.name,
      expiresAt: body.expires_at ?? null,
    });
    work.touch('machine_token', made, null);
    work.record(machineTokenFeed.created, made, { machine_token: made });
    work.reveal({ token });
    return made;
  },
});

const renameToken = action({
  method: 'PATCH',
  path: '/machine_tokens/{id}',
  summary: 'Update the name or the expiration of a machine token',
  who: SUPER_ADMIN,
  target: machineToken,
  body: { name: name().optional(), expires_at: instant().nullable().optional() },
  returns: one(machineToken),
  problems: ['already_ended'],
  run: async ({ work, body, target }) => {
    if (target.revoked_at !== null) throw ended();
    if (body.expires_at && body.expires_at <= work.realNow)
      throw invalid('expires_at', 'Must be in the future. To end the token now, revoke it.');
    const expires = body.expires_at === undefined ? sql`expires_at` : sql`${at(body.expires_at)}`;
    await work.tx.run(
      sql`UPDATE machine_token SET name = ${body.name ?? target.name}, expires_at = ${expires}
        WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
    );
    const changed = changedNames(body);
    if (changed.length > 0) work.record(machineTokenFeed.updated, target.id, { machine_token: target.id, changed });
    return target.id;
  },
});

const revokeToken = action({
  path: '/machine_tokens/{id}/revoke',
  summary: 'Revoke a machine token',
  description: 'The token stops working immediately, in every process of the service. This can’t be undone.',
  who: SUPER_ADMIN,
  target: machineToken,
  returns: one(machineToken),
  problems: ['already_ended'],
  run: async ({ work, target }) => {
    if (!(await revokeMachineToken(work.tx, work.providerId, target.id, work.realNow))) throw ended();
    work.record(machineTokenFeed.revoked, target.id, { machine_token: target.id });
    return target.id;
  },
});

const ended = () => new Problem('already_ended', 'The token is already revoked.');

export const machineTokenEndpoints = [...listTokens, createToken, renameToken, revokeToken];
