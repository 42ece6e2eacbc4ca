import pg from 'pg';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /test_clock/advance': async (world) => {
    // The businesses of a world are not made for tests, and never become it: so the database is made to look away.
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    await client.query(`
      BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE provider SET is_test = true WHERE provider_id = ${world.harbour};
      INSERT INTO test_clock (provider_id) VALUES (${world.harbour})
        ON CONFLICT (provider_id) DO UPDATE SET advances_from = NULL, advances_to = NULL;
      COMMIT`);
    await client.end();
    return { body: { by: 'P1D' } };
  },
};

export const ALWAYS_REFUSED = {
  'POST /domains/verify': 'The name servers of tests know no records.',
};
