import { answer, EVERYONE, outside } from '../../../kernel/api/endpoint.ts';
import { applicationBy, direct_auth_key, reaches, applicationWhence } from './direct-key.ts';
import { checkReferral, createCustomer, fieldValues, writeFieldValues } from '../customers/index.ts';
import { doorForCall, emailKey, faultText, readyAccount, notNow } from '../identity/index.ts';
import { findTenant } from '../../platform/providers/index.ts';
import { email, embeddedOne, id, object, personName, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid, notFound, Problem } from '../../../kernel/base/problem.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';
import { grantOf, resolveViewer } from '../../../kernel/work/access/grant.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startAuthorization } from './oauth/tokens.ts';
import { tokens } from './password-login.ts';
import { wholes } from '../../../kernel/api/reading/whole.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

type Refusal = 'account' | 'record';

const REFUSED: Record<Refusal, string> = {
  account: 'This address already has an account. Log in with it.',
  record:
    'The business already has a customer record with this address. We sent an email to it: once the address is confirmed, the record belongs to the account.',
};

export const register_customer = outside({
  path: '/providers/{id}/register_customer',
  belongsTo: 'installation',
  dryRun: 'Each call counts towards the limit on sign-ups, and the tokens in the response work immediately.',
  summary: 'Sign up a person as a customer',
  description: `For applications that the operator approved for direct authentication. Creates an account and its customer record, sends an email to confirm the address, and logs the person in.

An address that already has an account is refused (\`already_exists\`) and never gets tokens here: log in with it. An address that the business has a record of is refused too, but the account is created, and it gets the record when the address is confirmed with the link in the email.`,
  who: EVERYONE,
  body: {
    email: email(),
    password: text({ max: 1000, verbatim: true }),
    // the interface allows 255; the account, which gets the same name, 128
    first_name: personName({ max: 128 }),
    last_name: personName({ max: 128 }),
    venue: id().optional(),
    referral_code: text({ max: 100 })
      .nullable()
      .optional()
      .describe(
        'Referral code of the customer who referred the person. If referrals are turned on, it starts a referral.',
      ),
    field_values: fieldValues().optional(),
    direct_auth_key,
    verification_key: text({ max: 32 }).optional().describe('Leave this out: signing up needs no second factor.'),
  },
  returns: answer({ customer: embeddedOne('customer', () => raw('NULL')), credentials: object(tokens) }),
  problems: ['already_exists'],
  run: async ({ db, now, body, params, ip, baseUrl, pagesUrl, installation, registry, transact }) => {
    const tenant = await tenantOf(db, pathId(params.id));
    if (!tenant) throw notFound();
    const application = await applicationBy(db, body.direct_auth_key, now);
    if (!reaches(application, tenant.providerId)) throw notFound();
    checkUnkept(body);
    const { email: address, password, first_name, last_name, venue, referral_code } = body;
    const whence = { ...applicationWhence(application, ip), providerId: tenant.providerId };
    const ready = await readyAccount(
      doorForCall({ db, installation, registry, now }),
      { email: address, password, firstName: first_name, lastName: last_name },
      whence,
    );
    if (ready.outcome === 'password') throw invalid('password', faultText(ready.fault));
    if (ready.outcome !== 'ready') throw notNow(ready);
    const made = await transact(async (work) => {
      const { tx } = work;
      if (venue !== undefined) await checkVenue(tx, tenant.providerId, venue);
      await checkReferral(tx, tenant.providerId, referral_code);
      const userId = await ready.make(tx);
      if (userId === null) return 'account';
      // The record of somebody is not given to the first person who enters its address: the account is created, and
      // claims the record once the address is confirmed.
      if (await hasRecord(tx, tenant.providerId, address)) return 'record';
      const here = work.at(tenant);
      const customerId = await createCustomer(here, {
        first_name,
        last_name,
        email: address,
        venue,
        user_id: userId,
        referred_by_code: referral_code,
      });
      await writeFieldValues(here, customerId, body.field_values, { isSignUp: true });
      const { authorizationId: _, ...credentials } = await startAuthorization(tx, installation, now, {
        providerId: application.providerId,
        applicationId: application.id,
        userId,
        scopes: application.scopes,
        secondFactor: false,
      });
      const own = grantOf({
        credential: `user:${userId}`,
        kind: 'person',
        profiles: [{ mode: 'customer', providerId: tenant.providerId, customerId }],
      });
      const viewer = await resolveViewer(own, tenant.providerId, 'customer', async () => true);
      const shown = await wholes({ tx, registry }, 'customer', [customerId], viewer, {
        zone: tenant.zone,
        currency: tenant.currency,
        baseUrl,
        pagesUrl,
        now,
        secrets: installation.box,
      });
      return { customer: shown.get(customerId)!, credentials };
    });
    // Thrown after the account and its email are committed.
    if (made === 'account' || made === 'record')
      throw new Problem('already_exists', REFUSED[made], { email: [REFUSED[made]] });
    return made;
  },
});

async function tenantOf(
  db: { acrossTenants: <T>(why: string, work: (tx: Transaction) => Promise<T>) => Promise<T> },
  providerId: number | null,
): Promise<Tenant | null> {
  if (providerId === null) return null;
  return db.acrossTenants('a path names a business of any application', (tx) => findTenant(tx, providerId));
}

function checkUnkept({ verification_key }: { verification_key?: string }): void {
  if (verification_key !== undefined)
    throw invalid('verification_key', 'Signing up needs no second factor. Leave this out.');
}

async function checkVenue(tx: Transaction, providerId: number, venue: number): Promise<void> {
  const found = await tx.one(
    sql`SELECT FROM venue WHERE provider_id = ${providerId} AND id = ${venue} AND NOT archived`,
  );
  if (!found) throw invalid('venue', `There is no venue with the id ${venue}.`);
}

const hasRecord = async (tx: Transaction, providerId: number, address: string): Promise<boolean> =>
  (await tx.one(
    sql`SELECT FROM customer WHERE provider_id = ${providerId} AND lower(email) = ${emailKey(address)}
      AND deleted_at IS NULL AND NOT is_guest`,
  )) !== undefined;
