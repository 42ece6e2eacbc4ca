/** The look of a business's pages: colors, fonts, its logo at the top, and its icon in browsers and on phones. */
import { hash } from 'node:crypto';
import { addressesOf, type StoredImage } from '../../platform/images/index.ts';
import { FONTS, SCALE, type Font, type HeadingSize } from '../../../kernel/base/values/fonts.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { picture, type Picture } from '../../../kernel/pages/picture.ts';
import { readableOn, textOn } from '../../../kernel/base/values/color.ts';
import type { Brand } from '../../../kernel/pages/visit.ts';

export interface Look {
  readonly id: number;
  readonly name: string;
  /** `#rrggbb`; null for the default color */
  readonly color: string | null;
  readonly font: Font;
  readonly headingFont: Font | null;
  readonly headingSize: HeadingSize;
  readonly logo: StoredImage | null;
  readonly cover: StoredImage | null;
  /** its own icon for phones; null: derived from the logo or the first letter */
  readonly icon: StoredImage | null;
}

/** `--brand` in kernel/pages/style/tokens.css */
export const PLAIN_COLOR = '#1d4ed8';

/** The height of the first letter that it replaces, see `.logo` in kernel/pages/style/frame.css. */
const LOGO_HEIGHT = 40;
/** Ratio of width to height from which on a logo is a word, and replaces the name. */
const WORD = 2;

export const ICON_SIZES = [96, 180, 192, 512] as const;

const isWord = ({ width, height }: StoredImage): boolean => width / height >= WORD;

/** Returns the picture of the icon; null: the first letter, because a word is unreadable in so small a square. */
export const iconPicture = ({ icon, logo }: Pick<Look, 'icon' | 'logo'>): StoredImage | null =>
  icon ?? (logo !== null && !isWord(logo) ? logo : null);

const short = (text: string): string => hash('sha1', text, 'hex').slice(0, 8);

/** Returns a version that changes with the icon, so that browsers may cache it. */
export const iconVersion = (look: Look): string =>
  short(JSON.stringify([iconPicture(look)?.key ?? look.name.slice(0, 20), look.color]));

export const iconPath = (look: Look, size: (typeof ICON_SIZES)[number]): string =>
  `/images/${look.id}/icon-${size}.png?v=${iconVersion(look)}`;

export const shownPicture = (stored: StoredImage | null): Picture | null => stored && addressesOf(stored, '');

/** Returns the brand's elements; without a logo, pages show the first letter. */
export function brandOf(look: Look): Partial<Brand> & Pick<Brand, 'head'> {
  const { logo, name, color } = look;
  return {
    ...(logo && { mark: markOf(logo, name) }),
    head: html`<link rel="icon" type="image/png" sizes="96x96" href="${iconPath(look, 96)}">
<link rel="apple-touch-icon" href="${iconPath(look, 180)}">
<meta name="theme-color" content="${color ?? PLAIN_COLOR}">`,
  };
}

function markOf(logo: StoredImage, name: string) {
  const width = Math.round((LOGO_HEIGHT * logo.width) / logo.height);
  const look = { sizes: `${width}px`, class: logo.fallback === 'png' ? 'logo clear' : 'logo' };
  return isWord(logo)
    ? picture(addressesOf(logo, ''), { ...look, alt: name })
    : html`${picture(addressesOf(logo, ''), { ...look, alt: '' })}${name}`;
}

/** Background behind links in kernel/pages/style/tokens.css, light and dark. */
const PAPER = { light: '#f3f5f7', dark: '#1a2128' };

/**
 * Returns the business's colors and fonts as a style sheet. With any chosen color, everything on it and next to it is
 * readable.
 */
export function themeOf({ color, font, headingFont, headingSize }: Look): string {
  const heads = headingFont ?? font;
  const set = [
    ...(color === null
      ? []
      : [
          `--brand: ${color}; --on-brand: ${textOn(color)}; --brand-edge: ${readableOn(PAPER.light, color)}; --link: ${readableOn(PAPER.light, color)}`,
        ]),
    ...(font === 'system' ? [] : [`--font: ${FONTS[font]}`]),
    ...(heads === font ? [] : [`--head-font: ${FONTS[heads]}`]),
    ...(headingSize === 'medium' ? [] : [`--head-size: ${SCALE[headingSize]}`]),
  ];
  const dark =
    color === null
      ? ''
      : `@media (prefers-color-scheme: dark) { :root { --brand-edge: ${readableOn(PAPER.dark, color)}; --link: ${readableOn(PAPER.dark, color)} } }\n`;
  return set.length === 0 ? '' : `:root { ${set.join('; ')} }\n${dark}`;
}

/** Returns the path of that style sheet; null if it would be empty. */
export function themePath(look: Look): string | null {
  const sheet = themeOf(look);
  return sheet === '' ? null : `/account/${look.id}/theme.css?v=${short(sheet)}`;
}
