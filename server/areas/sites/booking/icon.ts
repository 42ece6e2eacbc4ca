/** Icons next to texts, drawn in the color of the text. They never say anything that the text does not. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { Html } from '../../../kernel/base/markup/html.ts';

/** The icons that pages show, out of nearly two thousand. */
const SHOWN = ['calendar', 'clock', 'mail', 'map-pin', 'phone', 'user'] as const;
export type IconName = (typeof SHOWN)[number];

interface IconSet {
  readonly width: number;
  readonly height: number;
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
}

/** The shapes are read once, and all others are released. */
const ICONS: ReadonlyMap<string, Html> = (() => {
  const file = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json');
  const { width, height, icons } = JSON.parse(readFileSync(file, 'utf8')) as IconSet;
  return new Map(
    SHOWN.map((name) => [
      name,
      new Html(
        `<svg class="icon" viewBox="0 0 ${width} ${height}" width="20" height="20"` +
          ` aria-hidden="true">${icons[name].body}</svg>`,
      ),
    ]),
  );
})();

export const icon = (name: IconName): Html => ICONS.get(name)!;
