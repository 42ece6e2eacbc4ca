/** The settings of the wing: which cell this is, and the replicas of its database. */
import { readCells, type CellSettings } from './cells/settings.ts';
import { replicaAddresses, type ReplicaAddress } from './replicas/addresses.ts';
import type { Setting } from '../kernel/base/setting.ts';

export const REPLICA_SETTING: Setting = {
  names: ['REPLICA_URL'],
  default: null,
  text: 'hot standbys of that PostgreSQL to answer lists, reports, exports and public pages, for example `postgresql://rollcall:…@db2,db3/rollcall`; they never show less than the primary, see [operations](#reads-on-replicas)',
};

export const CELL_SETTING: Setting = {
  names: ['CELL', 'CELLS'],
  default: null,
  text: 'which of several cells this is, and where each one answers the others, for example `2` and `1=https://cell1.internal.example.net,2=https://cell2.internal.example.net`; see [operations](#several-cells)',
};

export interface ScaleConfig {
  /** hot standbys that serve reads; none: the primary serves everything */
  readonly replicas: readonly ReplicaAddress[];
  /** which of several cells this is; null: there is only one */
  readonly cells: CellSettings | null;
}

/** Reads the settings. Throws an error that names the variable with an invalid value. */
export const readScaleConfig = (env: NodeJS.ProcessEnv): ScaleConfig => ({
  replicas: readReplicas(env),
  cells: readCells(env),
});

function readReplicas(env: NodeJS.ProcessEnv): ReplicaAddress[] {
  if (!env.REPLICA_URL) return [];
  if (!env.DATABASE_URL) throw new Error('DATABASE_URL must be set where REPLICA_URL is');
  return replicaAddresses(env.REPLICA_URL);
}
