/** A business with the schedule of a file, imported by the product's own importer. */
import { fileURLToPath } from 'node:url';
import { createMachineToken } from '../../server/areas/people/identity/index.ts';
import { createProvider } from '../../server/areas/platform/providers/index.ts';
import {
  importSchedule,
  openSchedule,
  readMapping,
  type ScheduleSummary,
} from '../../server/areas/scheduling/schedule/import/index.ts';
import { registry } from '../../server/app.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import { ownViewer } from '../../server/kernel/work/access/viewer.ts';
import type { Database } from '../../server/kernel/base/db/database.ts';
import { DEFAULT_WORDS } from '../../server/kernel/base/values/words.ts';

const MAPPING = fileURLToPath(
  new URL('../../server/areas/scheduling/schedule/import/mappings/city-drop-in.json', import.meta.url),
);

export interface City {
  readonly provider: number;
  readonly token: string;
  readonly summary: ScheduleSummary;
  /** start of the day (in UTC) with the most events, in epoch milliseconds */
  readonly busiest: number;
}

/** Imports the schedule. The file has no capacities, so every event gets `places`. */
export async function buildCity(db: Database, csv: string, places: number): Promise<City> {
  const shipped = readMapping(MAPPING);
  const mapping = { ...shipped, event: { ...shipped.event, max_occupancy: String(places) } };
  const business = shipped.business!;
  const provider = await db.acrossTenants('the day needs its business', (tx) => createProvider(tx, business));
  const { token } = await db.transaction(provider, (tx) => createMachineToken(tx, provider, { name: 'city day' }));
  const file = await openSchedule(csv, mapping, () => {});
  const summary = await importSchedule({
    db,
    registry: registry(),
    tenant: { providerId: provider, zone: business.timezone, currency: business.currency, words: DEFAULT_WORDS },
    viewer: ownViewer(provider, 'import'),
    file,
    now: Date.now,
    onRejected() {},
    onNote() {},
    onProgress() {},
  });
  const [day] = await db.transaction(provider, (tx) =>
    tx.rows<{ at: number }>(
      sql`SELECT date_trunc('day', starts_at, 'UTC') AS at FROM event WHERE provider_id = ${provider} GROUP BY 1
        ORDER BY count(*) DESC, 1 LIMIT 1`,
    ),
  );
  if (!day) throw new Error(`no event of ${csv} could be imported`);
  return { provider, token, summary, busiest: day.at };
}
