/**
 * Checks whether this process can still work with the schema. A newer release may have migrated it: this process
 * continues if the migration allows it, and ends otherwise. Also applies migrations that waited for older processes to
 * end.
 */
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { migrate, MIGRATIONS_DIR, tooOldFor, type MigrateOptions } from '../../kernel/base/db/schema/migrate.ts';
import { readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import type { Connection } from '../../kernel/base/db/connections/connection.ts';

interface SchemaWatchOptions {
  readonly url: string;
  readonly schema: Pick<MigrateOptions, 'dir' | 'release'>;
  readonly log: { info(o: object, m: string): void; warn(o: object, m: string): void };
  /** called once, when this process can no longer work with the schema */
  readonly onTooOld: (why: string) => void;
}

const TRY_EVERY_MS = 2000;

export class SchemaWatch {
  readonly #o: SchemaWatchOptions;
  readonly #release: string;
  readonly #newest: number;
  #isOver = false;
  #migrating?: Promise<void>;
  #migrator: Connection | null = null;
  #triedAt = -Infinity;

  constructor(options: SchemaWatchOptions) {
    const { dir = MIGRATIONS_DIR, release = RELEASE } = options.schema;
    this.#o = options;
    this.#release = release;
    this.#newest = readMigrations(dir).at(-1)?.version ?? 0;
  }

  async look(connection: Connection): Promise<void> {
    if (this.#isOver) return;
    const { rows } = await connection.query(
      'SELECT version, name, oldest_release FROM public.schema_migration WHERE version >= $1 ORDER BY version',
      [this.#newest],
    );
    for (const row of rows) {
      const why = row.version > this.#newest ? tooOldFor(row, this.#release) : null;
      if (why === null) continue;
      this.#isOver = true;
      return this.#o.onTooOld(why);
    }
    // Our migrations are applied in order, so if the last one is there, all are.
    if (rows[0]?.version !== this.#newest) this.#migrateSoon();
  }

  /** Ends. A migration in progress is rolled back by the database, and left to another process or to the next start. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#migrator?.abandon('The service ends');
    await this.#migrating;
  }

  #migrateSoon(): void {
    if (this.#migrating || performance.now() - this.#triedAt < TRY_EVERY_MS) return;
    this.#triedAt = performance.now();
    const { log } = this.#o;
    this.#migrating = this.#migrate()
      .catch((err) => {
        if (!this.#isOver) log.warn({ err }, 'a migration that waited could not be applied; trying again');
      })
      .finally(() => (this.#migrating = undefined));
  }

  async #migrate(): Promise<void> {
    const { url, schema, log } = this.#o;
    this.#migrator = await connectTo(url);
    try {
      if (!this.#isOver) await migrate(this.#migrator, { ...schema, log: (line) => log.info({}, line) });
    } finally {
      await this.#migrator.end();
      this.#migrator = null;
    }
  }
}
