/** Drawn signatures: pictures from a browser, which are drawn again before anything keeps or prints them. */
import { drawSmall } from '../../platform/images/index.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { say } from '../../../kernel/base/values/words.ts';
import type { Whose } from '../../../kernel/base/apart/one-at-a-time.ts';

export const MAX_DRAWING = 1024 * 1024;
const LARGEST = { width: 1200, height: 400 };

/** Pictures by the buffer that was sent. They are drawn before the transaction opens, because that takes long. */
const drawn = new WeakMap<Buffer, Buffer>();

/** Draws a signature again. @throws Problem if it isn't a picture */
export async function checkDrawing(sent: Buffer | null | undefined, whose: Whose): Promise<void> {
  if (!sent) return;
  const png = await drawSmall(sent, LARGEST, whose);
  if (png === null) throw invalid('signature_image', say`Draw the signature again: it must be a PNG picture.`);
  drawn.set(sent, png);
}

/** Returns the picture that was drawn for what was sent, in base64. */
export const takeDrawing = (sent: Buffer): string => drawn.get(sent)!.toString('base64');
