/** Pictures on pages: the browser picks the best format that it supports, in the size that it needs. */
import { html, type Html } from '../base/markup/html.ts';

export interface Picture {
  /** for browsers that support no newer format */
  readonly url: string;
  /** every size in every format: newest format first, each from the smallest size to the largest */
  readonly sources: readonly {
    readonly type: string;
    readonly width: number;
    readonly height: number;
    readonly url: string;
  }[];
}

interface PictureLook {
  /** alternative text; empty if the text next to the picture says the same */
  readonly alt: string;
  /** displayed width, in the syntax of the `sizes` attribute */
  readonly sizes: string;
  /** below the first screen */
  readonly lazy?: boolean;
  readonly class?: string;
  /** side in pixels of the square that the picture fills; absent: the picture's own shape */
  readonly square?: number;
}

const EVERYWHERE = new Set(['image/jpeg', 'image/png']);

/** Renders a picture with its dimensions, so that the page doesn't shift when it loads. */
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

/** Leaves out the sizes that no screen needs for a square of this side, however high its resolution. */
function small({ url, sources }: Picture, square: number): Picture {
  const enough = Math.min(...sources.map(({ width }) => width).filter((width) => width >= 2 * square));
  const kept = sources.filter(({ width }) => width <= enough);
  return { url: kept.findLast(({ type }) => EVERYWHERE.has(type))?.url ?? url, sources: kept };
}

/** Returns the same picture at the requested host: addresses in the interface name the host of the installation. */
export const here = ({ url, sources }: Picture): Picture => ({
  url: pathOf(url),
  sources: sources.map((one) => ({ ...one, url: pathOf(one.url) })),
});

const pathOf = (url: string): string => new URL(url, 'http://localhost').pathname;
