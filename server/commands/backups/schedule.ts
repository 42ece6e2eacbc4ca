/** Makes the daily backup while the service runs. */
import type { Config } from '../../config.ts';
import type { Logger } from 'pino';

const FIRST_AFTER_MS = 5 * 60_000;
const EVERY_MS = 10 * 60_000;
/** After a failure, for example of a full disk, there is an hour to mend it. */
const AGAIN_AFTER_MS = 60 * 60_000;

export interface DailyBackups {
  /** Stops. A backup that is being made is given up: it has no name yet. */
  end(): void;
}

/** Starts looking whether a backup is due: in the process that runs the jobs, not in others that only serve. */
export function startDailyBackups(url: string, config: Config, log: Logger): DailyBackups {
  if (!config.dailyBackups || config.role === 'server') return { end: () => undefined };
  let ended = false;
  let timer = setTimeout(look, FIRST_AFTER_MS).unref();
  async function look(): Promise<void> {
    let next = EVERY_MS;
    try {
      // Loaded when needed: a start must not wait for it.
      const { backUpDaily, isBackupDue } = await import('./daily.ts');
      const { openOffSite } = await import('./off-site.ts');
      const now = Date.now();
      if (isBackupDue({ config, now })) {
        const folder = await backUpDaily({ url, config, now, offSite: openOffSite(config) });
        log.info({ folder }, 'made the daily backup');
      }
    } catch (error) {
      log.error(error, 'the daily backup failed');
      next = AGAIN_AFTER_MS;
    }
    if (!ended) timer = setTimeout(look, next).unref();
  }
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}
