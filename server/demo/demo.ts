/**
 * A realistic small studio, created on the first start of an empty installation, so that there is something to look at.
 */
import { randomBytes } from 'node:crypto';
import { createCustomer } from '../areas/people/customers/index.ts';
import { createMachineToken, createUser } from '../areas/people/identity/index.ts';
import { createProcessor } from '../areas/money/payments/index.ts';
import {
  changeBusiness,
  changePictures,
  createProvider,
  isFirstBusiness,
  isUntouched,
} from '../areas/platform/providers/index.ts';
import { placeCredentials, type DemoCredentials, type Login } from './credentials.ts';
import { placePictures, readPictures } from './pictures.ts';
import { fillStudio, INSTRUCTOR } from './week.ts';
import { createStaffMember } from '../areas/people/staff/index.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { ownViewer } from '../kernel/work/access/viewer.ts';
import { Work } from '../kernel/work/unit/work.ts';
import type { App } from '../app.ts';
import type { Transaction } from '../kernel/base/db/database.ts';
import { DEFAULT_WORDS } from '../kernel/base/values/words.ts';

const STUDIO = { name: 'Harbour Lane Studio', timezone: 'America/Toronto', currency: 'CAD', country: 'CA', test: true };
/** The texts of its booking site. */
const ABOUT = {
  description:
    'Yoga, Pilates and strength in two bright rooms by the harbour.\n\nSmall groups, teachers who know your name, and mats for everyone. Come ten minutes early on your first day, and we’ll show you around.',
  contact_email: 'hello@demo.example',
  contact_phone_number: '+1 416 555 0142',
  brand_color: '#0f766e',
  brand_heading_font: 'transitional',
};

/**
 * Creates the demo business if the installation never had a business; returns what brings it to life, or null. All in
 * one transaction, and the file with the secrets is written before the commit: a crash leaves either both, or a file
 * that the next start overwrites.
 */
export async function makeDemo(
  { db, registry, installation }: Pick<App, 'db' | 'registry' | 'installation'>,
  dataDir: string,
  now: number,
): Promise<(() => Promise<void>) | null> {
  if (!(await db.acrossTenants('a demo business is made where there never was one', isUntouched))) return null;
  return db.acrossTenants('the first start makes a demo business', async (tx) => {
    if (!(await isFirstBusiness(tx))) return null;
    const { credentials, studio, cardProcessor, deskProcessor, workAt } = await makeStudio(
      tx,
      { registry, installation },
      now,
    );
    placeCredentials(dataDir, credentials);
    return () =>
      db.acrossTenants('the demo business gets a past, once the service answers', async (later) => {
        // Loaded after the service answers, like everything that the first start can do without.
        const { bringToLife } = await import('./life.ts');
        await actFor(later, credentials.provider_id);
        await bringToLife({ studio, cardProcessor, deskProcessor, now, workAt: (at) => workAt(later, at) });
      });
  });
}

const login = (name: string): Login => ({
  email: `${name}@demo.example`,
  password: randomBytes(12).toString('base64url'),
});

/** From here on, the transaction acts for this business. */
const actFor = (tx: Transaction, providerId: number): Promise<unknown> =>
  tx.run(sql`SELECT set_config('rollcall.provider_id', ${String(providerId)}, true)`);

async function makeStudio(
  tx: Transaction,
  { registry, installation }: Pick<App, 'registry' | 'installation'>,
  now: number,
) {
  const providerId = await createProvider(tx, STUDIO);
  await actFor(tx, providerId);
  const [owner, customer, instructor, desk] = [login('owner'), login('customer'), login('maya'), login('desk')];
  // Hashing a password takes long, and doesn't need the connection.
  const [ownerUser, customerUser, instructorUser, deskUser] = await Promise.all([
    createUser(tx, { ...owner, firstName: 'Robin', lastName: 'Hale' }),
    createUser(tx, { ...customer, firstName: 'Sam', lastName: 'Okafor' }),
    createUser(tx, { ...instructor, firstName: INSTRUCTOR, lastName: 'Lindqvist' }),
    createUser(tx, { ...desk, firstName: 'Noor', lastName: 'Haddad' }),
  ]);
  /** Returns work for the business as of a moment. */
  const workAt = (inside: Transaction, at: number): Work =>
    new Work({
      tx: inside,
      registry,
      installation,
      tenant: {
        providerId,
        zone: STUDIO.timezone,
        currency: STUDIO.currency,
        words: DEFAULT_WORDS,
        testClock: { aheadMs: 0 },
      },
      viewer: ownViewer(providerId, 'demo'),
      now: at,
      requestId: 'demo',
    });
  const work = workAt(tx, now);
  const shown = await placePictures(work, readPictures());
  await changeBusiness(work, ABOUT, []);
  await changePictures(work, { logo_id: shown('logo').id, cover_id: shown('cover').id });
  await createStaffMember(work, {
    user_id: ownerUser,
    first_name: 'Robin',
    last_name: 'Hale',
    email: owner.email,
    permissions: { super_admin: true },
  });
  await createStaffMember(work, {
    user_id: deskUser,
    first_name: 'Noor',
    last_name: 'Haddad',
    email: desk.email,
    permissions: { attendances: true, customers: true, pos: true },
  });
  const demoCustomer = await createCustomer(work, {
    user_id: customerUser,
    first_name: 'Sam',
    last_name: 'Okafor',
    email: customer.email,
  });
  const cardProcessor = await createProcessor(work, { kind: 'sandbox', name: 'Card' });
  const deskProcessor = await createProcessor(work, { kind: 'offline', name: 'At the desk' });
  const studio = await fillStudio(work, { demoCustomer, instructorUser }, shown);
  const { token } = await createMachineToken(tx, providerId, { name: 'demo' });
  for (const record of work.takeRecords()) await tx.run(record);
  const credentials: DemoCredentials = {
    base_url: '',
    provider_id: providerId,
    m2m_token: token,
    owner,
    customer,
    instructor,
    desk,
  };
  return { credentials, studio, cardProcessor, deskProcessor, workAt };
}
