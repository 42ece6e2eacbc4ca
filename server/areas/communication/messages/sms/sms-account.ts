/** The number for a customer's text messages: entered, and verified by a code that is sent to it. */
import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { action, answer, get, one, type Who } from '../../../../kernel/api/endpoint.ts';
import { boolean, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { checkActsFor, customer, ofMyFamily } from '../../../people/customers/index.ts';
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem, Refused } from '../../../../kernel/base/problem.ts';
import { addressKey, countAcrossBusinesses, throttleKey } from '../../../people/identity/index.ts';
import { queueMessage } from '../queue.ts';
import { smsAccountFeed } from '../feed.ts';
import { readPhone } from './phone.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { ENGLISH } from '../../../../kernel/base/languages/languages.ts';
import { SMS_TEXTS } from './texts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const smsAccount = resource('sms_account', {
  description: "The phone number for a customer's text messages.",
  idColumn: 'customer_id',
  object: null,
  fields: {
    verified: boolean()
      .from((t) => raw(`(${t}.verified_at IS NOT NULL)`))
      .describe('Until the number is verified, only the code is sent to it.'),
    country: text({ max: 2 }),
    full_number: text({ max: 16 }).describe('As +441632960000.'),
    phone_number: text({ max: 40 }).describe('The number as it was entered.'),
    enabled: boolean().describe('False if the customer does not want text messages.'),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  secret: ['code_hash', 'code_tries', 'codes', 'codes_since', 'code_expires_at'],
});

const who: Who = { provider: ['customers'], customer: true, unregistered: false };
const MINUTE = 60_000;
const CODE_MS = 15 * MINUTE;
const MAX_TRIES = 5;
const MAX_CODES_PER_HOUR = 5;
/** Across all businesses: a code costs money, and disturbs the owner of the number. */
const TO_NUMBER = { most: 10, windowMs: 24 * 60 * MINUTE };
/** A server may ask on behalf of all customers of an application. */
const FROM_NETWORK = { most: 60, windowMs: 60 * MINUTE };

interface Account {
  readonly country: string;
  readonly full_number: string;
  readonly enabled: boolean;
  readonly verified_at: number | null;
  readonly code_hash: string | null;
  readonly code_expires_at: number | null;
  readonly code_tries: number;
  readonly codes: number;
  readonly codes_since: number | null;
}

const readAccount = (work: Work, customerId: number): Promise<Account | undefined> =>
  work.tx.one<Account>(
    sql`SELECT customer_id, country, phone_number, full_number, enabled, verified_at,
      encode(code_hash, 'hex') AS code_hash, code_expires_at, code_tries, codes, codes_since
        FROM sms_account WHERE provider_id = ${work.providerId} AND customer_id = ${customerId} FOR UPDATE`,
  );

const codeHash = (work: Work, customerId: number, number: string, code: string): Buffer =>
  work.installation.box.fingerprint('sms code', `${work.providerId}:${customerId}:${number}:${code}`);

/** Refuses a country to which the operator sends no text messages. @throws Problem */
async function checkCountry({ tx, providerId, installation }: Work, code: string): Promise<void> {
  const { smsCountries: others } = installation.messages;
  if (others === null || others.includes(code)) return;
  const { country } = (await tx.one<{ country: string }>(
    sql`SELECT country FROM provider WHERE provider_id = ${providerId}`,
  ))!;
  if (country !== code)
    throw invalid(
      'country',
      `Text messages can’t be sent to numbers in ${code} here. Enter a number in ${[...new Set([country, ...others])].join(', ')}.`,
    );
}

const wait = (seconds: number, why: string): Problem =>
  new Problem(
    'rate_limited',
    `${why} Try again in ${Math.ceil(seconds / 60)} minutes.`,
    {},
    { 'retry-after': String(seconds) },
  );

/** Counts codes across businesses: those sent to the number, and those requested from the network. */
async function countCode(work: Work, number: string, ip: string): Promise<Problem | null> {
  const { box } = work.installation;
  const counts = [
    [throttleKey(box, 'sms code', number), TO_NUMBER],
    [addressKey(box, 'sms code', ip), FROM_NETWORK],
  ] as const;
  for (const [key, policy] of counts) {
    const seconds = await countAcrossBusinesses(work.tx, key, policy, work.realNow);
    if (seconds !== null) return wait(seconds, 'Many codes were already sent.');
  }
  return null;
}

/**
 * Sends a code, unless the customer or the number recently had many; the refusal then says when another is possible.
 */
async function sendCode(work: Work, customerId: number, account: Account, ip: string): Promise<Problem | null> {
  await checkCountry(work, account.country);
  const hourAgo = work.now - 60 * MINUTE;
  const fresh = account.codes_since === null || account.codes_since <= hourAgo;
  // One at a time for a number: otherwise, concurrent requests would see each other's codes too late.
  await work.tx.run(
    sql`SELECT pg_advisory_xact_lock(771014, hashtext(${`${work.providerId}:${account.full_number}`}))`,
  );
  const row = await work.tx.one<{ n: number; first: number | null }>(
    sql`SELECT count(*) AS n, min(queued_at) AS first FROM message
        WHERE provider_id = ${work.providerId} AND kind = 'verification_code' AND recipient = ${account.full_number}
          AND queued_at > ${instant(hourAgo)}`,
  );
  const often = !fresh && account.codes >= MAX_CODES_PER_HOUR;
  if (often || row!.n >= MAX_CODES_PER_HOUR) {
    const since = Math.max(often ? account.codes_since! : 0, row!.n >= MAX_CODES_PER_HOUR ? row!.first! : 0);
    const seconds = Math.max(1, Math.ceil((since + 60 * MINUTE - work.now) / 1000));
    return wait(seconds, `${MAX_CODES_PER_HOUR} codes were already sent within an hour.`);
  }
  const refused = await countCode(work, account.full_number, ip);
  if (refused) return refused;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await work.tx.run(
    sql`UPDATE sms_account
      SET code_hash = ${`\\x${codeHash(work, customerId, account.full_number, code).toString('hex')}`}::bytea,
        code_expires_at = ${instant(work.now + CODE_MS)}, code_tries = 0,
          codes = ${fresh ? 1 : account.codes + 1}, codes_since = ${instant(fresh ? work.now : account.codes_since)}
        WHERE provider_id = ${work.providerId} AND customer_id = ${customerId}`,
  );
  const business = await work.tx.one<{ name: string }>(
    sql`SELECT name FROM provider WHERE provider_id = ${work.providerId}`,
  );
  const { reader = ENGLISH } = work.tenant;
  const { skipped } = await queueMessage(work, {
    channel: 'sms',
    purpose: 'transactional',
    kind: 'verification_code',
    to: { customer: customerId },
    subject: null,
    text: SMS_TEXTS.for(reader, work.tenant.words)('code', { code, business: business!.name }),
    language: reader.language,
    key: `verification_code:${customerId}:${randomUUID()}`,
    secret: true,
    number: account.full_number,
  });
  return skipped === 'quota' ? new Problem('rate_limited', 'No more text messages can be sent this month.') : null;
}

const read = get(smsAccount, {
  path: '/customers/{id}/sms_account',
  summary: "Get a customer's phone number for text messages",
  who,
});
const tolerated = 'Accepted and ignored.';

const readSmsAccount = {
  ...read,
  query: {
    country: text({ max: 10 }).optional().describe(tolerated),
    enabled: boolean().optional().describe(tolerated),
    phone_number: text({ max: 40 }).optional().describe(tolerated),
  },
};

const writeSmsAccount = action({
  method: 'PUT',
  path: '/customers/{id}/sms_account',
  summary: "Set a customer's phone number for text messages",
  description:
    'A code is sent to a new number. Verify the number with the code, using `POST …/sms_account/verify`. At most five codes are sent per hour, and ten a day to one number. Numbers that cost the sender extra are refused, and so are numbers in countries that the operator sends no text messages to.',
  who,
  target: customer,
  body: {
    phone_number: text({ max: 40 }).describe('As you would dial it in the country, or with its country code.'),
    country: text({ max: 2 }).describe('For example CA or GB.'),
    enabled: boolean(),
  },
  returns: one(smsAccount),
  problems: ['rate_limited'],
  run: async ({ work, body, target, ip }) => {
    await checkActsFor(work, target.id);
    const phone = readPhone(body.phone_number, body.country);
    if ('problem' in phone) throw invalid(phone.field, phone.problem);
    await checkCountry(work, phone.country);
    const before = await readAccount(work, target.id);
    work.touch('sms_account', target.id, (before as Record<string, any> | undefined) ?? null);
    const same = before?.full_number === phone.full;
    const at = instant(work.now);
    await work.tx.run(sql`
      INSERT INTO sms_account (provider_id, customer_id, country, phone_number, full_number, enabled, created_at,
        updated_at)
      VALUES (${work.providerId}, ${target.id}, ${phone.country}, ${body.phone_number}, ${phone.full}, ${body.enabled},
        ${at}, ${at})
      ON CONFLICT (provider_id, customer_id) DO UPDATE SET country = excluded.country,
        phone_number = excluded.phone_number, full_number = excluded.full_number,
        enabled = excluded.enabled, updated_at = excluded.updated_at,
        verified_at = CASE WHEN sms_account.full_number = excluded.full_number THEN sms_account.verified_at END,
        code_hash = CASE WHEN sms_account.full_number = excluded.full_number THEN sms_account.code_hash END`);
    const account = (await readAccount(work, target.id))!;
    work.record(smsAccountFeed.updated, target.id, {
      customer: target.id,
      changed: same ? ['enabled'] : ['full_number', 'enabled', 'verified'],
    });
    const wanted = body.enabled && account.verified_at === null && !(same && account.code_hash !== null);
    const refused = wanted ? await sendCode(work, target.id, account, ip) : null;
    if (refused) throw refused;
    return target.id;
  },
});

const verify = action({
  path: '/customers/{id}/sms_account/verify',
  dryRun: 'Each code that you send counts as an attempt.',
  summary: "Verify a customer's phone number",
  description:
    'Send the code that the number received. Without a code, or with null, a new one is sent. After five wrong codes, the code is no longer valid.',
  who,
  target: smsAccount,
  body: { verification_code: text({ max: 8 }).nullable().optional() },
  returns: answer({ status: oneOf(['OK']) }),
  problems: ['rate_limited', 'conflict'],
  run: async ({ work, body, target, ip }) => {
    await checkActsFor(work, target.customer_id);
    const account = (await readAccount(work, target.customer_id))!;
    if (account.verified_at !== null) return { status: 'OK' };
    const theAccount = sql`provider_id = ${work.providerId} AND customer_id = ${target.customer_id}`;
    if (body.verification_code === undefined || body.verification_code === null) {
      if (!account.enabled)
        throw new Problem('conflict', 'The customer does not want text messages. Set `enabled` first.');
      const refused = await sendCode(work, target.customer_id, account, ip);
      if (refused) throw refused;
      return { status: 'OK' };
    }
    if (account.code_hash === null || account.code_expires_at! <= work.now || account.code_tries >= MAX_TRIES) {
      throw new Problem('conflict', 'There is no valid code any more. Send null to get a new one.', {
        verification_code: ['This code is no longer valid.'],
      });
    }
    const code = body.verification_code.replaceAll(/[\s-]/g, '');
    if (
      !timingSafeEqual(
        Buffer.from(account.code_hash, 'hex'),
        codeHash(work, target.customer_id, account.full_number, code),
      )
    ) {
      await work.tx.run(sql`UPDATE sms_account SET code_tries = code_tries + 1 WHERE ${theAccount}`);
      // The count is committed although the response is a refusal.
      return new Refused(invalid('verification_code', 'This is not the code that was sent.'));
    }
    await work.tx.run(
      sql`UPDATE sms_account SET verified_at = ${instant(work.now)}, updated_at = ${instant(work.now)}, code_hash = NULL
        WHERE ${theAccount}`,
    );
    work.record(smsAccountFeed.updated, target.customer_id, { customer: target.customer_id, changed: ['verified'] });
    return { status: 'OK' };
  },
});

export const smsAccountEndpoints = [readSmsAccount, writeSmsAccount, verify];
