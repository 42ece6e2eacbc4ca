/** Checks backups; only reads. */
import type { Check, Finding } from './doctor-finding.ts';

const BACKUP_DAYS = 3;
/** A backup that was never restored is a hope. */
const TEST_DAYS = 30;

const MAKE_ONE =
  'Run "rollcall backup FILE" every day. If another tool makes your backups, note each one with "rollcall backup FILE --made-elsewhere".';

/** Checks backups, by the records of `rollcall backup`, or by PostgreSQL's archive statistics. */
export const backups: Check = async (client) => {
  const {
    rows: [{ days, tested, installed, failing, why }],
  } = await client.query(`
    SELECT extract(epoch FROM now() - greatest((SELECT max(at) FROM backup_record), a.last_archived_time))::float8 /
      86400 AS days,
      extract(epoch FROM now() - (SELECT max(at) FROM restore_test))::float8 / 86400 AS tested,
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
  if (tested === null ? installed > TEST_DAYS : tested > TEST_DAYS)
    findings.push({
      wrong:
        tested === null
          ? 'No restore of a backup has been tested.'
          : `The last test of a restore was ${Math.floor(tested)} days ago.`,
      remedy:
        'Run "rollcall backup verify FILE" with the newest backup. If you test the backups of another tool, note each test with "rollcall backup verify FILE --tested-elsewhere".',
    });
  if (failing)
    findings.push({
      wrong: `PostgreSQL fails to archive its log (${why}).`,
      remedy:
        'Its log says why. Correct archive_command; until then, no later state can be restored and the disk fills up.',
    });
  return { findings };
};
