/** Renders the pictures of the demo studio from its drawings, as if they had been uploaded. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw, drawOwn } from '../areas/platform/images/index.ts';
import { DRAWINGS, sumsOfDrawings } from '../demo/drawings.ts';
import { fileOf, INDEX, PICTURES, type Made } from '../demo/pictures.ts';

const sums = sumsOfDrawings();
rmSync(PICTURES, { recursive: true, force: true });
mkdirSync(PICTURES);
const made: Made[] = [];
for (const { name, svg, width } of DRAWINGS) {
  const whose = { business: 0, gone: new AbortController().signal };
  const { files, ...drawn } = await draw(await drawOwn(svg, width), whose);
  for (const file of files) writeFileSync(join(PICTURES, fileOf(name, file)), file.bytes);
  made.push({ name, drawing: sums[name], ...drawn });
}
// Puts lists of numbers on one line, as `npm run check` requires.
const text = JSON.stringify(made, null, 2).replaceAll(/\[[\s\d,]+\]/g, (list) =>
  JSON.stringify(JSON.parse(list)).replaceAll(',', ', '),
);
writeFileSync(join(PICTURES, INDEX), `${text}\n`);
