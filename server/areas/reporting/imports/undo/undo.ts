/** Undoing an import: everything that it created is taken back, unless something was built on it since. */
import { action, answer, staffWith } from '../../../../kernel/api/endpoint.ts';
import { forgetFates, NOTHING_DONE, refuseWhileBusy, refuseWithoutRows, type StoredImport } from '../stored.ts';
import { id, integer, listOf, object, text } from '../../../../kernel/base/fields/kinds.ts';
import { importFeed } from '../feed.ts';
import { importFile } from '../import-file.ts';
import { languageOf, reasonIn } from '../reasons.ts';
import { OBJECTS } from '../kinds/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { TAKE_BACK } from './taking-back.ts';
import { updateRow } from '../../../../kernel/work/unit/row.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const SHOWN = 100;

interface Made {
  readonly line: number;
  readonly made_id: number;
}

export const undoImport = action({
  path: '/imports/{id}/undo',
  summary: 'Undo an import',
  description: `Takes back what the rows of a file created, unless something was built on it since, such as a booking of an imported customer: \`kept\` lists these rows with their reasons, at most ${SHOWN}. What the file changed in existing objects stays, and so do venues and offering types. Undo the files in the reverse order of their import: bookings before customers. Nobody gets a message. Afterwards, the file can be corrected and imported again. Try it with \`dry_run\` first.`,
  who: staffWith('super_admin'),
  target: importFile,
  returns: answer({
    undone_count: integer({ min: 0 }),
    kept_count: integer({ min: 0 }),
    kept: listOf(object({ line: integer({ min: 1 }), object: id(), reason: text() })),
  }),
  problems: ['conflict'],
  run: async ({ work, target, accepts }) => {
    const before = target as StoredImport;
    refuseWithoutRows(before);
    await refuseWhileBusy(work, before);
    const made = await work.tx.rows<Made & Record<string, unknown>>(
      sql`SELECT line, made_id FROM import_row
        WHERE provider_id = ${work.providerId} AND import_id = ${before.id} AND made_id IS NOT NULL ORDER BY line`,
    );
    const takeBack = TAKE_BACK[before.kind];
    if (made.length === 0 || !takeBack)
      throw new Problem(
        'conflict',
        'There is nothing to undo: no row of this file created anything that is still here.',
      );
    const kept = await takeBack(
      work,
      made.map(({ made_id: one }) => one),
    );
    const undone = made.filter(({ made_id: one }) => !kept.has(one)).map(({ made_id: one }) => one);
    await forgetMade(work, before, undone);
    work.touch('import', before.id, target);
    await updateRow(work, 'import', before.id, { ...NOTHING_DONE, status: 'ready' });
    await forgetFates(work, before.id);
    work.record(importFeed.undone, before.id, { import: before.id });
    work.effect('import_undone', 'import', before.id, { undone: undone.length, kept: kept.size });
    for (const one of undone.slice(0, SHOWN)) work.effect('import_undone', OBJECTS[before.kind], one);
    return {
      undone_count: undone.length,
      kept_count: kept.size,
      kept: made
        .filter(({ made_id: one }) => kept.has(one))
        .slice(0, SHOWN)
        .map(({ line, made_id: one }) => ({
          line,
          object: one,
          reason: reasonIn(languageOf(accepts), kept.get(one)!),
        })),
    };
  },
});

async function forgetMade({ tx, providerId }: Work, of: StoredImport, ids: readonly number[]): Promise<void> {
  await tx.run(sql`UPDATE import_row SET made_id = NULL
    WHERE provider_id = ${providerId} AND import_id = ${of.id} AND made_id = ANY(${ids}::bigint[])`);
  await tx.run(sql`DELETE FROM imported_object
    WHERE provider_id = ${providerId} AND object = ${OBJECTS[of.kind]} AND object_id = ANY(${ids}::bigint[])`);
}
