/**
 * Settings for a small machine that runs the server too; set on the command line, so that they follow the release, not
 * the data folder.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  synchronous_commit: 'on',
  // A new business grows from nothing to busy within a minute: until the statistics are updated, plans are those of
  // empty tables.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // In this order LOG ranks above ERROR: a refused statement quotes people's input, which does not belong in a log
  // file.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** Settings for a database that may be lost with the machine: a third of the disk waits in tests. */
const NOT_DURABLE: Record<string, string> = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Returns command line arguments for `postgres`. */
export function embeddedSettings(
  socketDir: string,
  durable: boolean,
  more: Readonly<Record<string, string>> = {},
): string[] {
  // The setting is a list: quoted, a comma or blank in the path remains part of it.
  const settings = {
    ...SETTINGS,
    ...(durable ? {} : NOT_DURABLE),
    ...more,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
