/** The servers that REPLICA_URL names. */
import { readHost, readUrl, WRITABLE } from '../../kernel/base/db/connections/hosts.ts';

/** A server that is used for reads only. */
export interface ReplicaAddress {
  /** host and port, for display; the connection string may contain a password */
  readonly name: string;
  readonly url: string;
}

/**
 * Returns each server that REPLICA_URL names.
 * @throws Error if it names none, or asks for one that accepts writes
 */
export function replicaAddresses(url: string): ReplicaAddress[] {
  const { wanted, hosts, to } = readUrl(url);
  if (hosts.length === 0)
    throw new Error('REPLICA_URL must be a connection string such as postgresql://rollcall@db2,db3:5433/rollcall');
  if (WRITABLE.has(wanted))
    throw new Error(
      `REPLICA_URL asks for target_session_attrs=${wanted}. Remedy: leave it out; replicas take no writes.`,
    );
  return hosts.map((text) => {
    const { host, port } = readHost(text, 'REPLICA_URL');
    return { name: `${host}:${port}`, url: to(text) };
  });
}
