/**
 * Settings for a small machine that holds the server too; given on the command line, so they follow the release, not
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
  // A new business grows from nothing to busy within a minute: until statistics know of it, plans are those of empty
  // tables.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // In this order LOG stands above ERROR: a refused statement quotes what people typed, which is no matter for a log
  // file.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** A database that may be lost with the machine: three times fewer waits on the disk in tests. */
const NOT_DURABLE: Record<string, string> = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Command line arguments for `postgres`. */
export function embeddedSettings(
  socketDir: string,
  durable: boolean,
  more: Readonly<Record<string, string>> = {},
): string[] {
  // The setting is a list: quoted, a comma or blank in the path stays part of it.
  const settings = {
    ...SETTINGS,
    ...(durable ? {} : NOT_DURABLE),
    ...more,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
