/** Pictures for tests. */
import sharp from 'sharp';

export interface Made {
  readonly width?: number;
  readonly height?: number;
  readonly alpha?: boolean;
}

/** Returns a picture whose left half is red and whose right half is blue. */
export function picture({ width = 40, height = 20, alpha = false }: Made = {}) {
  const half = { create: { width: Math.ceil(width / 2), height, channels: 3, background: 'blue' } } as const;
  return sharp({
    create: { width, height, channels: alpha ? 4 : 3, background: alpha ? { r: 255, g: 0, b: 0, alpha: 0.5 } : 'red' },
  }).composite([{ input: half, gravity: 'east' }]);
}

/** Returns the smallest usable PNG. */
export const pngOf = (of: Made = {}): Promise<Buffer> => picture(of).png().toBuffer();
