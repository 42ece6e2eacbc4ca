import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { draw, MAX_BYTES, MAX_PIXELS, type Drawn } from './draw.ts';
import { image } from './image.ts';
import { createImage } from './writes.ts';
import { upload } from '../../../kernel/base/fields/kinds.ts';

/** Drawn pictures by the uploaded buffer. They are drawn before the transaction opens, because that takes long. */
const drawn = new WeakMap<Buffer, Drawn>();

export const uploadImage = create(image, {
  path: '/images',
  summary: 'Upload an image',
  description: `Takes a JPEG, PNG, WebP, AVIF or GIF of at most ${MAX_BYTES / 1024 / 1024} MB and ${MAX_PIXELS / 1_000_000} million pixels, as \`multipart/form-data\` or as base64 in JSON. The picture is turned upright, and its metadata, such as where it was taken, is removed. Of an animation, the first frame is kept. An image that nothing uses for a week is deleted.`,
  who: staffWith('store', 'manage_events'),
  body: { image: upload({ max: MAX_BYTES }).describe('The file, or its bytes as base64.') },
  problems: ['unavailable'],
  ahead: async (body, _, whose) => {
    drawn.set(body.image!, await draw(body.image!, whose));
  },
  run: async ({ work, body, dryRun }) => (await createImage(work, drawn.get(body.image)!, { dryRun })).id,
});
