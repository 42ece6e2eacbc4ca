/** Checks backups; only reads. */
import type { Check, Finding } from './doctor-finding.ts';

const BACKUP_DAYS = 3;

const MAKE_ONE =
  'Run "rollcall backup FILE" every day. If another tool makes your backups, note each one with "rollcall backup FILE --made-elsewhere".';

/** Checks backups, by the records of `rollcall backup`, or by PostgreSQL's archive statistics. */
export const backups: Check = async (client) => {
  const {
    rows: [{ days, installed, failing, why }],
  } = await client.query(`
    SELECT extract(epoch FROM now() - greatest((SELECT max(at) FROM backup_record), a.last_archived_time))::float8 /
      86400 AS days,
      extract(epoch FROM now() - (SELECT min(applied_at) FROM schema_migration))::float8 / 86400 AS installed,
      coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false) AS failing,
        a.last_failed_wal AS why
    FROM pg_stat_archiver a`);
  const findings: Finding[] = [];
  if (days === null ? installed > BACKUP_DAYS : days > BACKUP_DAYS)
    findings.push({
      wrong: days === null ? 'No backup has been made.' : `The last backup is ${Math.floor(days)} days old.`,
      remedy: MAKE_ONE,
    });
  if (failing)
    findings.push({
      wrong: `PostgreSQL fails to archive its log (${why}).`,
      remedy:
        'Its log says why. Correct archive_command; until then, no later state can be restored and the disk fills up.',
    });
  return { findings };
};
