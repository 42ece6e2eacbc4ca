/** Checks of `rollcall doctor` for an installation of several processes, replicas or cells. */
import { cellFindings } from './cells.ts';
import { moves } from './moves.ts';
import { processClocks, releases, standbys } from './processes.ts';
import { replicaFindings } from './replicas.ts';
import type { Check, Finding } from '../../commands/doctor/doctor-finding.ts';
import type { Config } from '../../config.ts';

/** Checks of one database. */
export const SCALE_CHECKS: readonly Check[] = [moves, processClocks, releases, standbys];

/** Returns the problems between this database and others. `url`: connection string of its owner. */
export const findingsOfOthers = async (url: string, config: Config): Promise<Finding[]> => [
  ...(await replicaFindings(url, config.replicas)),
  ...(await cellFindings(url, config)),
];
