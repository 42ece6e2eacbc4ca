import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AREAS = fileURLToPath(new URL('../areas/', import.meta.url));

/**
 * What the files of this name in the `test` folders of all areas export under `what`, put together.
 * @throws Error if two areas name the same
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
