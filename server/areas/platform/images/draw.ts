/**
 * Conversion of an uploaded file to the pictures that are stored. The file is untrusted: only picture formats are
 * opened, its dimensions are checked before anything is decoded, and one is drawn at a time, so that ten uploads need
 * no more memory than one; businesses take turns. Nothing of the file itself is kept, so its metadata (where a photo
 * was taken, and by whom) is gone.
 */
import type { default as Sharp, Sharp as Picture } from 'sharp';
import { fileEndings, heightAt, type Stored } from './addresses.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { OneAtATime, type Whose } from '../../../kernel/base/apart/one-at-a-time.ts';

export const MAX_BYTES = 10 * 1024 * 1024;
/** Enough for photos taken by phones; decoded, each pixel takes four bytes. */
export const MAX_PIXELS = 50_000_000;
const MAX_SMALL_PIXELS = 8_000_000;
const LONGEST_SIDE = 16_000;
/** The largest size fits into a square of this side. */
const LARGEST = 1920;
const WIDTHS = [320, 640, 1280];
/** Time limit for all sizes and formats of a picture together. */
const MAX_MS = 20_000;
/** Above this many pixels, AVIF is encoded with less effort: otherwise, a noisy picture takes five times as long. */
const EFFORTLESS_FROM = 1_000_000;

/** Returns the widths for a picture: the standard ones below its own width, and its own. */
export const sizesUpTo = (width: number): number[] => [...WIDTHS.filter((one) => one < width), width];

export interface Drawn extends Pick<Stored, 'widths' | 'width' | 'height' | 'fallback'> {
  readonly originalWidth: number;
  readonly originalHeight: number;
  readonly files: readonly { readonly width: number; readonly ending: string; readonly bytes: Buffer }[];
}

let library: Promise<typeof Sharp> | undefined;

/** Loads the library when the first picture arrives: it takes memory that a service without pictures doesn't need. */
export const load = (): Promise<typeof Sharp> =>
  (library ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // Formats that aren't listed here can't be opened, whatever the file claims to be.
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

/**
 * Detects the format by the first bytes; null if it isn't supported. The name and the declared type of a file aren't
 * reliable.
 */
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

/** @throws Problem if the file is not a picture or too large, or if too many are being drawn */
export async function draw(bytes: Buffer, whose: Whose, { withinMs = MAX_MS } = {}): Promise<Drawn> {
  if (formatOf(bytes) === null) throw notAPicture();
  return turns.run(whose, bytes.length, () => drawNow(bytes, new Deadline(withinMs, whose.gone)));
}

/** The program's own drawings belong to no business, and no connection waits for them. */
const OWN: Whose = { business: 0, gone: new AbortController().signal };

/**
 * Returns a PNG of a drawing that the program itself created, never of outside data: drawings can include other files.
 * While it runs, no uploaded file is opened.
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

/**
 * Returns an uploaded PNG drawn again on white, at most this large; null if it isn't one. For small pictures that are
 * kept elsewhere, for example signatures.
 * @throws Problem if too many are being drawn
 */
export async function drawSmall(
  bytes: Buffer,
  size: { readonly width: number; readonly height: number },
  whose: Whose,
): Promise<Buffer | null> {
  if (formatOf(bytes) !== 'png') return null;
  return turns.run(whose, bytes.length, async () => {
    const sharp = await load();
    const picture = sharp(bytes, { limitInputPixels: MAX_SMALL_PIXELS, failOn: 'error', pages: 1 });
    return new Deadline(MAX_MS, whose.gone)
      .within(picture)
      .flatten({ background: 'white' })
      .resize({ ...size, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ palette: false })
      .toBuffer()
      .catch(() => null);
  });
}

/** The time by which a picture must be done; earlier if the client disconnects. */
class Deadline {
  readonly #at: number;
  readonly #gone: AbortSignal;

  constructor(withinMs: number, gone: AbortSignal) {
    this.#at = performance.now() + withinMs;
    this.#gone = gone;
  }

  /** Limits a step to the remaining time. @throws Problem, or the reason why the client is gone */
  within(picture: Picture): Picture {
    this.#gone.throwIfAborted();
    const left = this.#at - performance.now();
    if (left <= 0) throw tooSlow();
    return picture.timeout({ seconds: Math.ceil(left / 1000) });
  }

  /** Returns the error for a step that failed within the deadline. */
  faultOf(error: unknown): unknown {
    return performance.now() >= this.#at || /timeout/i.test(String(error)) ? tooSlow() : error;
  }
}

const tooSlow = (): Problem =>
  invalid('image', 'The picture takes too long to prepare. Make it smaller, or save it as a JPEG, and upload that.');

async function drawNow(bytes: Buffer, deadline: Deadline): Promise<Drawn> {
  const sharp = await load();
  const open = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const known = await open()
    .metadata()
    .catch(() => null);
  if (!known) throw unreadable();
  if (known.format === 'heif' && known.compression !== 'av1') throw notAPicture();
  const { width: originalWidth, height: originalHeight } = known.autoOrient;
  if (originalWidth * originalHeight > MAX_PIXELS || Math.max(originalWidth, originalHeight) > LONGEST_SIDE)
    throw invalid(
      'image',
      `Must have at most ${MAX_PIXELS / 1_000_000} million pixels, and at most ${LONGEST_SIDE} on each side. This has ${originalWidth} × ${originalHeight}.`,
    );
  // Decoded once, upright, in sRGB.
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
    for (const ending of fileEndings({ fallback })) {
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
