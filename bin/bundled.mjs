// The bundle of the service, if it was built from the current sources. Loaded before anything else, so it is plain
// JavaScript that takes milliseconds.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The file with the list of sources. */
export const LIST = 'sources.json';

/**
 * Returns the properties that detect a change of a file: its size, and the second of its last change (container images
 * don't store fractions).
 * @param {string} file
 * @returns {[size: number, seconds: number]}
 */
export function marksOf(file) {
  const { size, mtimeMs } = statSync(file);
  return [size, Math.floor(mtimeMs / 1000)];
}

/**
 * Returns the folder of the bundle below `into`.
 * @param {string} root of the project
 * @param {string} into
 * @returns {string | null} null: there is none, or a source has changed since
 */
export function currentBundle(root, into) {
  try {
    const { node, folder, files } = JSON.parse(readFileSync(join(into, LIST), 'utf8'));
    if (node !== process.version) return null;
    for (const name in files) {
      const [size, seconds] = marksOf(join(root, name));
      if (size !== files[name][0] || seconds !== files[name][1]) return null;
    }
    statSync(join(into, folder));
    return join(into, folder);
  } catch {
    return null;
  }
}

/**
 * Makes errors show the lines of the sources.
 * @param {string} root of the project
 * @param {string} folder of the bundle
 */
export function showSources(root, folder) {
  const url = `${pathToFileURL(folder).href}/`;
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${atSource(String(site), root, folder, url)}`)].join('\n');
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function atSource(site, root, folder, url) {
  const from = site.indexOf(url);
  const [, file, row, column] = (from >= 0 && /^([^:]+\.mjs):(\d+):(\d+)/.exec(site.slice(from + url.length))) || [];
  if (file === undefined) return site;
  const place = placeIn(join(folder, file), Number(row) - 1, Number(column) - 1);
  if (place === null) return site;
  const at = `${pathToFileURL(join(root, place.source)).href}:${place.line + 1}`;
  return site.slice(0, from) + at + site.slice(from + `${url}${file}:${row}:${column}`.length);
}

/**
 * Reads the table each time: unexpected errors are rare, and the table takes much memory.
 * @param {string} file of the bundle
 * @param {number} row from 0
 * @param {number} column from 0
 * @returns {{ source: string, line: number } | null} `line` from 0
 */
export function placeIn(file, row, column) {
  try {
    const bytes = readFileSync(`${file}.lines`);
    const places = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    let [low, high] = [0, places.length / 4];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [atRow, atColumn] = [places[middle * 4], places[middle * 4 + 1]];
      if (atRow < row || (atRow === row && atColumn <= column)) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return null;
    const sources = JSON.parse(readFileSync(`${file}.sources`, 'utf8'));
    return { source: sources[places[low * 4 - 2]], line: places[low * 4 - 1] };
  } catch {
    return null;
  }
}
