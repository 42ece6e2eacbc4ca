/** Icons: squares made from an uploaded picture, or from one letter on a colour. */
import { fileOf, type Stored } from './addresses.ts';
import { load } from './draw.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';

/** Share of the icon's side, for a picture with its own shape on a transparent background. */
const MARGIN = 0.1;
const LETTER_HEIGHT = 0.5;

interface Letter {
  readonly letter: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly on: string;
  /** font file */
  readonly font: string;
}

/**
 * Reads the smallest file of an image that is at least this wide, or its largest; null if the store doesn't have it.
 */
export function readLargeEnough(files: FileStore, stored: Stored, width: number): Promise<Buffer | null> {
  const at = stored.widths.find((one) => one >= width) ?? stored.width;
  return files.get(fileOf(stored, at, stored.fallback));
}

/**
 * Returns a PNG. A photo fills it; transparent pictures get a white background, because phones would show them on
 * black.
 */
export async function drawIcon(bytes: Buffer, size: number): Promise<Buffer> {
  const sharp = await load();
  const picture = sharp(bytes);
  const { hasAlpha } = await picture.metadata();
  if (!hasAlpha) return picture.resize({ width: size, height: size, fit: 'cover' }).png({ palette: true }).toBuffer();
  const inner = size - 2 * Math.round(size * MARGIN);
  const input = await picture.resize({ width: inner, height: inner, fit: 'inside' }).png().toBuffer();
  return ground(sharp, size, '#ffffff')
    .composite([{ input, gravity: 'centre' }])
    .png({ palette: true })
    .toBuffer();
}

const ground = (sharp: Awaited<ReturnType<typeof load>>, size: number, background: string) =>
  sharp({ create: { width: size, height: size, channels: 3, background } });

export async function drawLetter({ letter, color, on, font }: Letter, size: number): Promise<Buffer> {
  const sharp = await load();
  const text = await sharp({
    text: {
      text: `<span foreground="${on}">${letter}</span>`,
      font: 'DejaVu Sans Bold',
      fontfile: font,
      rgba: true,
      width: size,
      height: Math.round(size * LETTER_HEIGHT),
    },
  })
    .png()
    .toBuffer();
  return ground(sharp, size, color)
    .composite([{ input: text, gravity: 'centre' }])
    .png({ palette: true })
    .toBuffer();
}
