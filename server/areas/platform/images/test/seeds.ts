import { randomBytes } from 'node:crypto';
import { row } from '../../../../test/schedule-world.ts';
import type { Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  image: (world, providerId) =>
    row(
      world,
      'image',
      {
        key: randomBytes(16).toString('base64url'),
        original_width: 4000,
        original_height: 3000,
        widths: [320, 640, 1280, 1920],
        width: 1920,
        height: 1440,
        fallback: 'jpg',
        user_id: 7,
      },
      providerId,
    ),
};
