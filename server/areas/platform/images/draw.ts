/**
 * Makes of an uploaded file the pictures that are kept. The file comes from outside: only formats that are pictures are
 * opened, its dimensions are looked at before anything is decoded, and one is drawn at a time, so that a process needs
 * no more memory for ten uploads than for one; businesses take turns. Nothing of the file itself is kept, so its metadata (where a photo was
 * taken, and by whom) is gone.
 */
import type { default as Sharp, Sharp as Picture } from 'sharp';
import { endingsOf, heightAt, type Stored } from './addresses.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { OneAtATime, type Whose } from '../../../kernel/base/apart/one-at-a-time.ts';

export const MOST_BYTES = 10 * 1024 * 1024;
/** Of photos that phones take; decoded, they take four bytes each. */
export const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 16_000;
/** The largest size fits into a square of this side. */
export const LARGEST = 1920;
const WIDTHS = [320, 640, 1280];
/** For all sizes and formats of a picture together. */
const MOST_MS = 20_000;
/** AVIF of more pixels is made with less effort: a picture that is all noise takes five times as long otherwise. */
const EFFORTLESS_FROM = 1_000_000;

/** Of a picture of this width: the usual ones below it, and its own. */
export const sizesUpTo = (width: number): number[] => [...WIDTHS.filter((one) => one < width), width];

export interface Drawn extends Pick<Stored, 'widths' | 'width' | 'height' | 'fallback'> {
  readonly originalWidth: number;
  readonly originalHeight: number;
  readonly files: readonly { readonly width: number; readonly ending: string; readonly bytes: Buffer }[];
}

let library: Promise<typeof Sharp> | undefined;

/** Loaded when the first picture comes: it takes memory that a service without pictures does not need. */
export const load = (): Promise<typeof Sharp> =>
  (library ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // Everything that is not named here can't be opened, whatever the file calls itself.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: [
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadWebpBuffer',
        'VipsForeignLoadHeifBuffer',
        'VipsForeignLoadNsgifBuffer',
      ],
    });
    return sharp;
  }));

const text = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** By the first bytes; null: none that is taken. Neither the name nor the declared type of a file says what it is. */
export function formatOf(bytes: Buffer): 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | null {
  if (bytes.length < 16) return null;
  if (text(bytes, 0, 3) === '\xFF\xD8\xFF') return 'jpeg';
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1A\n') return 'png';
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'webp';
  if (text(bytes, 4, 8) === 'ftyp' && ['avif', 'avis', 'mif1'].includes(text(bytes, 8, 12))) return 'avif';
  return ['GIF87a', 'GIF89a'].includes(text(bytes, 0, 6)) ? 'gif' : null;
}

const notAPicture = (): Problem => invalid('image', 'Must be a picture: JPEG, PNG, WebP, AVIF or GIF.');
const unreadable = (): Problem =>
  invalid('image', 'The picture can’t be read. It is damaged or incomplete. Save it again and upload the new file.');

export const turns = new OneAtATime({ ofOne: 4, bytes: 96 * 1024 * 1024, what: 'pictures are being uploaded' });

/** @throws Problem for what is no picture, too large a one, or too many at the same time */
export async function draw(bytes: Buffer, whose: Whose, { withinMs = MOST_MS } = {}): Promise<Drawn> {
  if (formatOf(bytes) === null) throw notAPicture();
  return turns.run(whose, bytes.length, () => drawNow(bytes, new Deadline(withinMs, whose.gone)));
}

/** The program's own drawings are nobody's, and nobody waits for them in a connection. */
const OWN: Whose = { business: 0, gone: new AbortController().signal };

/**
 * A PNG of a drawing that the program itself made, never of anything that came from outside: drawings can be made of
 * other files. While it is made, nothing that was uploaded is opened.
 */
export async function drawOwn(svg: string, width: number): Promise<Buffer> {
  return turns.run(OWN, svg.length, async () => {
    const sharp = await load();
    sharp.unblock({ operation: [DRAWING] });
    try {
      return await sharp(Buffer.from(svg)).resize({ width }).png().toBuffer();
    } finally {
      sharp.block({ operation: [DRAWING] });
    }
  });
}

const DRAWING = 'VipsForeignLoadSvgBuffer';

/** When a picture must be done; earlier if the client goes. */
class Deadline {
  readonly #at: number;
  readonly #gone: AbortSignal;

  constructor(withinMs: number, gone: AbortSignal) {
    this.#at = performance.now() + withinMs;
    this.#gone = gone;
  }

  /** Ends a step that takes longer than there is. @throws Problem, or the reason for which nobody waits any more */
  within(picture: Picture): Picture {
    this.#gone.throwIfAborted();
    const left = this.#at - performance.now();
    if (left <= 0) throw tooSlow();
    return picture.timeout({ seconds: Math.ceil(left / 1000) });
  }

  /** Why a step failed that was within. */
  faultOf(error: unknown): unknown {
    return performance.now() >= this.#at || /timeout/i.test(String(error)) ? tooSlow() : error;
  }
}

const tooSlow = (): Problem =>
  invalid('image', 'The picture takes too long to prepare. Make it smaller, or save it as a JPEG, and upload that.');

async function drawNow(bytes: Buffer, deadline: Deadline): Promise<Drawn> {
  const sharp = await load();
  const open = () => sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 });
  const known = await open()
    .metadata()
    .catch(() => null);
  if (!known) throw unreadable();
  if (known.format === 'heif' && known.compression !== 'av1') throw notAPicture();
  const { width: originalWidth, height: originalHeight } = known.autoOrient;
  if (originalWidth * originalHeight > MOST_PIXELS || Math.max(originalWidth, originalHeight) > LONGEST_SIDE)
    throw invalid(
      'image',
      `Must have at most ${MOST_PIXELS / 1_000_000} million pixels, and at most ${LONGEST_SIDE} on each side. This has ${originalWidth} × ${originalHeight}.`,
    );
  // Decoded once, upright, in the colors of the web.
  const { data, info } = await deadline
    .within(open())
    .autoOrient()
    .resize({ width: LARGEST, height: LARGEST, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      const fault = deadline.faultOf(error);
      throw fault instanceof Problem ? fault : unreadable();
    });
  const { width, height, channels } = info;
  const fallback = known.hasAlpha ? 'png' : 'jpg';
  const widths = sizesUpTo(width);
  const files: { width: number; ending: string; bytes: Buffer }[] = [];
  for (const at of widths) {
    const high = heightAt({ width, height }, at);
    for (const ending of endingsOf({ fallback })) {
      const sized = deadline
        .within(sharp(data, { raw: { width, height, channels } }))
        .resize({ width: at, height: high, fit: 'fill' });
      const made = await encoded(sized, ending, at * high)
        .toBuffer()
        .catch((error: unknown) => {
          throw deadline.faultOf(error);
        });
      files.push({ width: at, ending, bytes: made });
    }
  }
  return { originalWidth, originalHeight, widths, width, height, fallback, files };
}

function encoded(picture: Picture, ending: string, pixels: number): Picture {
  switch (ending) {
    case 'avif':
      return picture.avif({ quality: 55, effort: pixels > EFFORTLESS_FROM ? 0 : 2 });
    case 'webp':
      return picture.webp({ quality: 80 });
    case 'png':
      return picture.png();
    default:
      return picture.jpeg({ quality: 82, mozjpeg: true });
  }
}
