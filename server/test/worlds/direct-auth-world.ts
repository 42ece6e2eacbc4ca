/** Applications that may take passwords, and people who enter them there. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { approveDirectAuth, changeApplication, type NewApplication } from '../../areas/people/applications/index.ts';
import { beginSecondFactor, createUser } from '../../areas/people/identity/index.ts';
import { newApplication } from './oauth-world.ts';
import { row } from '../schedule-world.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { ApiAnswer, World } from '../world.ts';
import type { StaffPermission } from '../../areas/people/staff/index.ts';

export const PASSWORD = 'otter kettle midnight ferry';

export interface DirectApplication {
  readonly id: number;
  readonly key: string;
}

export async function newDirectApplication(
  world: World,
  {
    providerId = world.harbour,
    wide = false,
    ...values
  }: Partial<NewApplication> & { providerId?: number; wide?: boolean } = {},
): Promise<DirectApplication> {
  const { id } = await newApplication(world, values, providerId);
  return world.work(providerId, async (work) => {
    await changeApplication(work, id, { installation_wide: wide });
    await approveDirectAuth(work, id);
    return { id, key: work.revealed!.direct_auth_key as string };
  });
}

export interface Member {
  readonly userId: number;
  readonly email: string;
}

export async function newMember(world: World): Promise<Member> {
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  const userId = await across(world, async (tx) => {
    const id = await createUser(tx, { email, password: PASSWORD });
    await tx.run(sql`UPDATE user_account SET first_name = 'Ada', email_confirmed_at = now() WHERE id = ${id}`);
    return id;
  });
  return { userId, email };
}

const across = <T>(world: World, act: Parameters<typeof world.app.db.acrossTenants<T>>[1]): Promise<T> =>
  world.app.db.acrossTenants('a test makes people, who belong to no business', act);

export const makeStaff = (
  world: World,
  { userId, email }: Member,
  permissions: StaffPermission[] = [],
  providerId = world.harbour,
): Promise<number> =>
  row(world, 'staff', { user_id: userId, first_name: 'Ada', last_name: 'Byron', email, permissions }, providerId);

export const makeCustomer = (world: World, { userId, email }: Member, providerId = world.harbour): Promise<number> =>
  world.newCustomer({ user_id: userId, email }, providerId);

/** Turns on an authenticator. Returns a function that computes its code at a given time. */
export async function enrol(world: World, { userId }: Member): Promise<(at?: number) => string> {
  const begun = await beginSecondFactor(world.app.accounts, userId, 'Harbour');
  await across(world, (tx) => tx.run(sql`UPDATE user_account SET totp_confirmed_at = now() WHERE id = ${userId}`));
  const totp = new TOTP({ secret: Secret.fromBase32(begun!.secret), digits: 6, period: 30 });
  return (at = world.now) => totp.generate({ timestamp: at });
}

export const logIn = (
  world: World,
  application: DirectApplication,
  member: Pick<Member, 'email'>,
  more: Record<string, unknown> = {},
): Promise<ApiAnswer> =>
  world.post('/auth/password_login', {
    provider: null,
    body: { username: member.email, password: PASSWORD, direct_auth_key: application.key, ...more },
  });

export async function tokensOf(
  world: World,
  application: DirectApplication,
  member: Pick<Member, 'email'>,
  more: Record<string, unknown> = {},
): Promise<{ access_token: string; refresh_token: string }> {
  const answer = await logIn(world, application, member, more);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.body.access_token, answer.text);
  return answer.body;
}

export async function pendingOf(world: World, application: DirectApplication, member: Member): Promise<any> {
  const { status, body, text } = await logIn(world, application, member);
  assert.deepEqual([status, body.object], [200, 'pending_login'], text);
  return body;
}

let numbers = 0;
export const newPhone = (): string => `+1 416 555 ${String(++numbers).padStart(4, '0')}`;

export const start = (
  world: World,
  application: DirectApplication,
  pending: { id: string },
  phone: string,
  more: Record<string, unknown> = {},
): Promise<ApiAnswer> =>
  world.post('/auth/two_factor/start_verification', {
    provider: null,
    body: {
      phone_number: phone,
      provider: world.harbour,
      direct_auth_key: application.key,
      pending_login: pending.id,
      ...more,
    },
  });

export const verify = (world: World, phone: string, code: string): Promise<ApiAnswer> =>
  world.post('/auth/two_factor/verify', { provider: null, body: { phone_number: phone, verification_code: code } });
