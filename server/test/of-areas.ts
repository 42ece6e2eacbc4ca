import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AREAS = fileURLToPath(new URL('../areas/', import.meta.url));

/**
 * Returns the exports named `what` of all files with this name in the areas' `test` folders, merged.
 * @throws Error if two areas export the same key
 */
export async function ofAreas<T>(file: string, what: string): Promise<Record<string, T>> {
  const all: Record<string, T> = {};
  for (const path of globSync(`*/*/test/${file}`, { cwd: AREAS }).toSorted()) {
    const found: Record<string, T> = (await import(`${AREAS}${path}`))[what] ?? {};
    const twice = Object.keys(found).find((name) => name in all);
    if (twice) throw new Error(`"${twice}" is in ${path}, and in the ${file} of another area too`);
    Object.assign(all, found);
  }
  return all;
}
