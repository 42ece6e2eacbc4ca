import { connectTo } from './connect.ts';
import { PATIENCE } from './patience.ts';

/** A pooler with several free connections may hand out each of them once before reusing one. */
const ROUNDS = 5;

/**
 * Returns true if something between us and the database shares its connections among sessions. Roles, prepared
 * statements and locks would then leak between them.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const [one, other] = await Promise.all([connectTo(url, PATIENCE), connectTo(url, PATIENCE)]);
  const pid = async (connection: typeof one) =>
    (await connection.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await pid(one);
      await other.query('BEGIN');
      const [taken, now] = [await pid(other), await pid(one)];
      await other.query('COMMIT');
      if (before !== now || taken === now) return true;
    }
    return false;
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}
