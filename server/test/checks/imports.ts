// Checks every import of the project against the rules of import-rules.ts, and finds cycles among modules.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areaOf, hasRooms, IMPORT_RULES, isTest } from './import-rules.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Import {
  readonly from: string;
  readonly to: string;
  /** erased before the code runs, so it cannot create a cycle that matters */
  readonly typeOnly: boolean;
  /** imports nothing from the module, only the effects of loading it */
  readonly bare: boolean;
  /** loaded when the code comes to it */
  readonly isLate: boolean;
}

const COMMENTS = /^\s*(?:\/\/|\/?\*).*$/gm;
const STATIC = /^(?:import|export)\s+(type\s+)?([\w*{][^;'"`]*?\sfrom\s+)?'([^'\n]+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^'\n]+)'\s*\)/g;

/** Returns the imports of a source, with paths from the root. */
export function importsOf(from: string, source: string): Import[] {
  const code = source.replace(COMMENTS, '');
  const resolve = (to: string) => (to.startsWith('.') ? normalize(join(dirname(from), to)) : to);
  return [
    ...[...code.matchAll(STATIC)].map(([, type, names, to]) => ({
      from,
      to: resolve(to),
      typeOnly: type !== undefined,
      bare: names === undefined,
      isLate: false,
    })),
    ...[...code.matchAll(DYNAMIC)].map(([, to]) => ({
      from,
      to: resolve(to),
      typeOnly: false,
      bare: false,
      isLate: true,
    })),
  ];
}

/**
 * Returns each violation as a sentence. `areas`: their folders (`people/staff`), in the order in which they may use
 * each other.
 */
export function breaches(imports: readonly Import[], areas: readonly string[]): string[] {
  const broken = imports.flatMap(({ from, to, bare }) =>
    IMPORT_RULES.filter((rule) => rule.forbids(from, to, areas, bare)).map(
      (rule) => `${from} imports ${to}: ${rule.name}. ${rule.why}`,
    ),
  );
  return [
    ...broken,
    ...circles(imports.filter((i) => !i.typeOnly || isShipped(i))).map((circle) => `A circle: ${circle.join(' → ')}`),
    ...circles(betweenRooms(imports)).map((circle) => `A circle of rooms: ${circle.join(' → ')}`),
  ];
}

/**
 * Returns true for an import among the areas, the kernel and the wing, where type imports count too: files that need
 * each other's types can only be understood as one.
 */
const isShipped = ({ from, to }: Import): boolean =>
  [from, to].every((file) => /^server\/(?:areas|kernel|scale)\//.test(file) && !isTest(file));

/**
 * Returns the imports between the rooms of the kernel and of the wing, types included: rooms that need each other can
 * only be understood as one. A room is a folder; in a folder that has folders, each file is a room.
 */
function betweenRooms(imports: readonly Import[]): Import[] {
  const inside = imports.filter(({ from, to }) => [from, to].every((file) => hasRooms(file) && !isTest(file)));
  const parents = new Set(inside.flatMap(({ from, to }) => [from, to]).map((file) => dirname(dirname(file))));
  const roomOf = (file: string): string => (parents.has(dirname(file)) ? file : dirname(file));
  return inside.map((i) => ({ ...i, from: roomOf(i.from), to: roomOf(i.to) })).filter(({ from, to }) => from !== to);
}

/** Returns one cycle for each module that closes one, found depth first. */
function circles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, (i) => i.from);
  const done = new Set<string>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) return void found.push([...path.slice(at), file]);
    if (done.has(file)) return;
    path.push(file);
    for (const { to } of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of next.keys()) visit(file);
  return found;
}

/** Files of the kernel that one area uses, each with the reason why it isn't there. */
const STAYS_IN_KERNEL = new Map([
  ['server/kernel/api/reading/whole.ts', 'it reads resources of all areas by their declarations'],
  ['server/kernel/base/db/discard.ts', 'it deletes rows of all areas by their declarations'],
  ['server/kernel/base/db/person.ts', 'it reads and erases rows of all areas by their declarations'],
  ['server/kernel/work/unit/repoint.ts', 'it changes rows of all areas by their declarations'],
]);

/** Returns each file of the kernel that only one area uses, as a sentence. */
export function ofOneArea(imports: readonly Import[]): string[] {
  const ships = imports.filter(({ from, to }) => to.startsWith('server/kernel/') && !isTest(from));
  return [...Map.groupBy(ships, ({ to }) => to)].flatMap(([file, uses]) => {
    const users = new Set(uses.map(({ from }) => areaOf(from) ?? from));
    const [area] = users;
    if (users.size > 1 || !uses.every(({ from }) => areaOf(from)) || STAYS_IN_KERNEL.has(file)) return [];
    return [`${file} is used by ${area} only. Move it there.`];
  });
}

const MAX_FILES = 40;

/** Folders with more source files than `MAX_FILES`, each with its reason. */
const MAY_BE_CROWDED = new Map([['bench', 'each measurement is a program of its own']]);

/** Returns each folder in which these files are too many to find one's way, as a sentence. */
export function crowded(files: Iterable<string>): string[] {
  return [...Map.groupBy(files, dirname)]
    .filter(([folder, inside]) => inside.length > MAX_FILES && !MAY_BE_CROWDED.has(folder))
    .map(([folder, inside]) => `${folder} has ${inside.length} files. Divide it into rooms of at most ${MAX_FILES}.`);
}

/** Returns every source file of the project. */
export function projectFiles(): string[] {
  const files = globSync(['{server,bench,deploy,sdk}/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: ROOT }).toSorted();
  if (files.length === 0) throw new Error('no source file was found: nothing would be checked');
  return files.map((file) => file.replaceAll('\\', '/'));
}

/** Returns every import of the project. */
export const projectImports = (): Import[] =>
  projectFiles().flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));

/**
 * Returns the folders of the areas (`people/staff`) in the order of GROUPS. Reads the source text, because a check must
 * not depend on a program that starts.
 */
export function areaOrder(source = readFileSync(join(ROOT, 'server/app.ts'), 'utf8')): string[] {
  const groups = /GROUPS\s*(?::[^=]*)?=\s*\{([^}]*)\}/.exec(source)?.[1];
  if (!groups) throw new Error('server/app.ts has no list GROUPS');
  return [...groups.matchAll(/(\w+):\s*\[([^\]]*)\]/g)].flatMap(([, group, areas]) =>
    [...areas.matchAll(/\w+/g)].map(([name]) => {
      const folder = new RegExp(`^import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from '\\./areas/(\\w+/[^/]+)/`, 'm').exec(
        source,
      )?.[1];
      if (!folder?.startsWith(`${group}/`))
        throw new Error(`server/app.ts lists "${name}" in ${group}, and imports it from ${folder ?? 'no area'}`);
      return folder;
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const imports = projectImports();
  const broken = [...breaches(imports, areaOrder()), ...crowded(projectFiles()), ...ofOneArea(imports)];
  if (broken.length > 0) {
    console.error(broken.join('\n'));
    process.exitCode = 1;
  } else {
    console.log(`${imports.length} imports of ${new Set(imports.map((i) => i.from)).size} files keep the rules.`);
  }
}
