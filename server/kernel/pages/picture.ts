/** Pictures on pages: the browser takes the format that it knows best, in the size that it needs. */
import { html, type Html } from '../base/markup/html.ts';

export interface Picture {
  /** for browsers that know nothing newer */
  readonly url: string;
  /** each size in each format, the newest format first, each from the smallest to the largest */
  readonly sources: readonly {
    readonly type: string;
    readonly width: number;
    readonly height: number;
    readonly url: string;
  }[];
}

export interface PictureLook {
  /** what it shows; empty where the text beside it says the same */
  readonly alt: string;
  /** how wide it is shown, as `sizes` says it */
  readonly sizes: string;
  /** it is below what is seen first */
  readonly lazy?: boolean;
  readonly class?: string;
  /** a square of so many pixels, which the picture fills; absent: in its own shape */
  readonly square?: number;
}

const EVERYWHERE = new Set(['image/jpeg', 'image/png']);

/** With its dimensions, so that nothing on the page moves when it comes. */
export function picture(shown: Picture, { alt, sizes, lazy = false, class: name, square }: PictureLook): Html {
  const { url, sources } = square === undefined ? shown : small(shown, square);
  const types = [...new Set(sources.map(({ type }) => type))];
  const set = (type: string) =>
    sources
      .filter((one) => one.type === type)
      .map((one) => `${one.url} ${one.width}w`)
      .join(', ');
  const plain = types.find((type) => EVERYWHERE.has(type));
  const { width, height } = square === undefined ? sources.at(-1)! : { width: square, height: square };
  return html`<picture>${types
    .filter((type) => !EVERYWHERE.has(type))
    .map((type) => html`<source type="${type}" srcset="${set(type)}" sizes="${sizes}">`)}<img src="${url}"${
    plain === undefined ? null : html` srcset="${set(plain)}" sizes="${sizes}"`
  } width="${width}" height="${height}" alt="${alt}"${name === undefined ? null : html` class="${name}"`}${
    lazy ? html` loading="lazy"` : null
  } decoding="async"></picture>`;
}

/** Without the sizes that nobody needs for a square of so many pixels, however fine the screen. */
function small({ url, sources }: Picture, square: number): Picture {
  const enough = Math.min(...sources.map(({ width }) => width).filter((width) => width >= 2 * square));
  const kept = sources.filter(({ width }) => width <= enough);
  return { url: kept.findLast(({ type }) => EVERYWHERE.has(type))?.url ?? url, sources: kept };
}

/** The same picture at the host that is asked: addresses of the interface name the one of the installation. */
export const here = ({ url, sources }: Picture): Picture => ({
  url: pathOf(url),
  sources: sources.map((one) => ({ ...one, url: pathOf(one.url) })),
});

const pathOf = (url: string): string => new URL(url, 'http://localhost').pathname;
