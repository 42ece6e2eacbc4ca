import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { EVERYONE, get } from '../../../kernel/api/endpoint.ts';
import { image } from './image.ts';
import { imageFeed } from './feed.ts';
import { imageUses } from './uses.ts';
import { sweepImages } from './sweep.ts';
import { uploadImage } from './upload-image.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { imageDoors } from './routes.ts';
export { addressesOf, fileEndings, TYPE_OF } from './addresses.ts';
export { draw, drawOwn, drawSmall, type Drawn } from './draw.ts';
export { forgetImageFiles } from './sweep.ts';
export { createImage } from './writes.ts';
export { drawIcon, drawLetter, readLargeEnough } from './icon.ts';
export { pictureAt } from './picture-at.ts';
export { imageUses } from './uses.ts';
export {
  imageHere,
  imageRef,
  imageRefs,
  shownImage,
  shownImages,
  storedImage,
  usedIn,
  type StoredImage,
} from './shown-by.ts';

export const images: Area = {
  name: 'images',
  description: 'Pictures that staff upload, and that other objects show.',
  namesInPath: [businessInPath(/^\/images\/(\d{1,15})\//)],
  tables: TABLES,
  resources: [image],
  endpoints: [uploadImage, get(image, { path: '/images/{id}', summary: 'Get an image', who: EVERYONE })],
  feed: [imageFeed],
  ports: [imageUses],
  sweep: sweepImages,
};
