/** Checks between the cells of an installation; only reads. */
import { cellOf, checkCell } from '../cells/become.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { Database } from '../../kernel/base/db/database.ts';
import { DIRECTORY, namesSince, type NameReport } from '../cells/name-report.ts';
import { existingSecretBox, type SecretBox } from '../../kernel/base/secret-box.ts';
import { CellNetwork } from '../cells/network.ts';
import { SKEW_MS, type Finding } from '../../commands/doctor/doctor-finding.ts';
import { STATE, type CellState } from '../cells/state.ts';
import type { Config } from '../../config.ts';

const WAIT_MS = 5000;

/** Returns the findings. `url`: connection string of this cell's database. */
export async function cellFindings(url: string, config: Config): Promise<Finding[]> {
  const wrong = await wrongCell(url, config);
  if (wrong) return [wrong];
  const box = existingSecretBox(config);
  if (config.cells === null || box === null) return [];
  const ring = new CellNetwork(config.cells, box);
  const states = await Promise.all(ring.others.map((cell) => stateFindings(ring, box, cell)));
  return [...states.flat(), ...(await whereabouts(url, ring))];
}

async function wrongCell(url: string, { cells }: Config): Promise<Finding | null> {
  const client = await connectTo(url);
  try {
    checkCell(await cellOf(client), cells);
    return null;
  } catch (error) {
    const [wrong, remedy = ''] = (error as Error).message.split(' Remedy: ');
    return { wrong, remedy };
  } finally {
    await client.end();
  }
}

async function stateFindings(ring: CellNetwork, box: SecretBox, cell: number): Promise<Finding[]> {
  const asked = Date.now();
  let state: CellState;
  try {
    state = await ring.ask<CellState>(cell, STATE, {}, WAIT_MS);
  } catch (error) {
    return [
      {
        wrong: `${sentence((error as Error).message)} (${ring.addressOf(cell)}).`,
        remedy: (error as Error).message.endsWith('404')
          ? 'Use the same SECRET_KEY in all cells, check that CELLS names the address of each, and synchronize the clocks (NTP).'
          : 'Start its servers, or correct its address in CELLS. Until then, its businesses can’t be reached through other cells.',
      },
    ];
  }
  const answered = Date.now();
  const apart = state.now < asked ? asked - state.now : Math.max(0, state.now - answered);
  const findings: Finding[] = [];
  if (apart > SKEW_MS)
    findings.push({
      wrong: `The clocks of cell ${ring.own} and cell ${cell} are ${Math.round(apart / 1000)} s apart.`,
      remedy: 'Synchronize both with a time server (NTP).',
    });
  for (const [keys, seals, opener, sealer] of [
    [state.keys, box.keyIds[0], cell, ring.own],
    [box.keyIds, state.keys[0], ring.own, cell],
  ] as const)
    if (!keys.includes(seals))
      findings.push({
        wrong: `Cell ${opener} can’t open what cell ${sealer} seals: it lacks its SECRET_KEY.`,
        remedy: `Add the SECRET_KEY of cell ${sealer} to SECRET_KEY_PREVIOUS of cell ${opener}, then use one SECRET_KEY in all cells.`,
      });
  return findings;
}

/** Checks that each name and each business is in exactly one cell, by the reports of all cells that respond. */
async function whereabouts(url: string, ring: CellNetwork): Promise<Finding[]> {
  const reports = new Map<number, NameReport>();
  const db = new Database({ url, size: 1 });
  try {
    reports.set(ring.own, await namesSince(db, ring.own, { since: null }));
  } finally {
    await db.close();
  }
  const ask = (cell: number) => ring.ask<NameReport>(cell, DIRECTORY, { since: null }, WAIT_MS).catch(() => null);
  const answers = await Promise.all(ring.others.map(ask));
  for (const [n, answer] of answers.entries()) if (answer) reports.set(ring.others[n], answer);
  return compare(reports);
}

/** Compares reported names, by cell. Pure. */
export function compare(reports: ReadonlyMap<number, Pick<NameReport, 'names'>>): Finding[] {
  const homes = new Map<string, number[]>();
  const sentTo = new Map<string, { readonly from: number; readonly to: number }>();
  for (const [from, { names }] of reports)
    for (const [name, to] of names) {
      if (to === from) homes.set(name, [...(homes.get(name) ?? []), from]);
      else if (to !== 0) sentTo.set(name, { from, to });
    }
  const findings: Finding[] = [];
  for (const [name, cells] of homes)
    if (cells.length > 1)
      findings.push(
        twice(
          name,
          cells.toSorted((a, b) => a - b),
        ),
      );
  for (const [name, { from, to }] of sentTo)
    if (name.startsWith('business:') && reports.has(to) && !homes.has(name))
      findings.push({
        wrong: `Business ${name.slice(9)} has gone from cell ${from} to cell ${to}, which doesn’t have it.`,
        remedy: `Run the command that moved it again: rollcall move ${name.slice(9)} ${to}`,
      });
  return findings;
}

function twice(name: string, cells: readonly number[]): Finding {
  const [kind, value] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
  const both = cells.join(' and ');
  switch (kind) {
    case 'business':
      return {
        wrong: `Business ${value} lives in cells ${both} at the same time.`,
        remedy:
          'Stop the servers of one of them, find out which one has its latest bookings, and ask for help before you start them again.',
      };
    case 'slug':
      return {
        wrong: `Businesses in cells ${both} have the same address /${value}.`,
        remedy: 'Change `booking_site.slug` of one of them.',
      };
    case 'host':
      return {
        wrong: `Businesses in cells ${both} have the same domain ${value}.`,
        remedy: 'Change `booking_site.domain` of the one that it doesn’t belong to.',
      };
    default:
      return {
        wrong: `Cells ${both} have the same ${kind}.`,
        remedy: 'Restore neither from a backup of the other: rows were copied from one to the other without a move.',
      };
  }
}

const sentence = (text: string): string => text[0].toUpperCase() + text.slice(1);
