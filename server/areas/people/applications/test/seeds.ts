import { createApplication, startAuthorization } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { createUser } from '../../identity/index.ts';
import { name, slug, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  application: (world, providerId) =>
    world.work(providerId, (work) =>
      createApplication(work, {
        name: name('Kiosk'),
        domain: 'kiosk.example.com',
        scopes: ['read'],
        allowed_callback_urls: ['https://kiosk.example.com/cb'],
      }),
    ),
  assistant: async (world, providerId) => {
    const application = await world.work(providerId, (work) =>
      createApplication(work, { name: name('Otter'), scopes: ['read', 'read_write'], is_assistant: true }),
    );
    const email = `${slug()}@example.com`;
    const userId = await world.app.db.acrossTenants('a sample of an account', async (tx) => {
      const id = await createUser(tx, { email, password: `correct ${slug()}` });
      await tx.run(
        sql`INSERT INTO staff (provider_id, user_id, first_name, last_name, email, permissions)
          VALUES (${providerId}, ${id}, 'Ada', 'Byron', ${email}, ARRAY['customers'])`,
      );
      return id;
    });
    await world.newCustomer({ user_id: userId }, providerId);
    return world.app.db.acrossTenants('a sample of an assistant', async (tx) => {
      const { authorizationId } = await startAuthorization(tx, world.app.installation, world.now, {
        providerId,
        applicationId: application,
        userId,
        scopes: ['read', 'read_write'],
        entrance: 'mcp',
        secondFactor: false,
      });
      return authorizationId;
    });
  },
};
