import { BucketStore, type BucketSettings } from './bucket-store.ts';
import { FolderStore } from './folder-store.ts';
import type { FileStore } from './file-store.ts';

/** Opens the store of the settings: the bucket, or else the data folder. */
export const openFiles = ({
  dataDir,
  bucket,
}: {
  readonly dataDir: string;
  readonly bucket: BucketSettings | undefined;
}): FileStore => (bucket ? new BucketStore(bucket) : new FolderStore(dataDir));
