/**
 * Fonts for pages. Each is a stack of fonts that computers and phones already have, so that no page waits for a
 * download and no third party learns who reads it.
 */
export const FONTS = {
  system: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', sans-serif",
  geometric: "Avenir, 'Avenir Next', Montserrat, Corbel, 'URW Gothic', sans-serif",
  rounded:
    "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Comfortaa, Nunito, 'Arial Rounded MT Bold', Calibri, sans-serif",
  classical: "Optima, Candara, 'Noto Sans', sans-serif",
  old_style: "'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', P052, Palatino, serif",
  transitional: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif",
  slab: "Rockwell, 'Rockwell Nova', 'Roboto Slab', 'DejaVu Serif', 'Sitka Small', serif",
} as const;
export type Font = keyof typeof FONTS;

export const HEADING_SIZES = ['small', 'medium', 'large'] as const;
export type HeadingSize = (typeof HEADING_SIZES)[number];

/** Size of headings relative to the usual one. */
export const SCALE: Readonly<Record<HeadingSize, number>> = { small: 0.88, medium: 1, large: 1.16 };
