/** Files in an S3-compatible bucket, so that machines need no shared folder. */
import { S3mini, type UploadPart } from 's3mini';
import { isFileName, type FileStore, type Stored } from './file-store.ts';

export interface BucketSettings {
  /** URL of the bucket, such as `https://s3.eu-central-1.amazonaws.com/rollcall-files` */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Longer files are sent in parts of at least this size; one part is in memory at a time. */
const PART = 8 * 1024 * 1024;
const ANSWER_WITHIN_MS = 30_000;
/** Number of concurrent removals. */
const TOGETHER = 8;

export class BucketStore implements FileStore {
  readonly #bucket: S3mini;

  /** Without a logger, which would receive secret URLs. */
  constructor({ url, region, keyId, secret }: BucketSettings) {
    this.#bucket = new S3mini({
      endpoint: url,
      region,
      accessKeyId: keyId,
      secretAccessKey: secret,
      requestAbortTimeout: ANSWER_WITHIN_MS,
    });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.putObject(keyOf(name), bytes);
  }

  async putParts(name: string, parts: AsyncIterable<string | Uint8Array>): Promise<number> {
    const key = keyOf(name);
    let written = 0;
    let upload: Upload | null = null;
    try {
      for await (const { bytes, isLast } of inPieces(parts)) {
        written += bytes.length;
        if (isLast && upload === null) await this.#bucket.putObject(key, bytes);
        else
          upload = await this.#add(
            upload ?? { id: await this.#bucket.getMultipartUploadId(key), sent: [] },
            key,
            bytes,
          );
      }
      if (upload !== null) await this.#bucket.completeMultipartUpload(key, upload.id, [...upload.sent]);
    } catch (error) {
      // The uploaded parts would be kept, and paid for, until somebody notices.
      if (upload !== null) await this.#bucket.abortMultipartUpload(key, upload.id).catch(() => {});
      throw error;
    }
    return written;
  }

  /**
   * Uploads one part after the other. The library could send a stream in parallel, but if the stream fails, it leaves
   * its pending requests to fail later without a handler, which ends the process.
   */
  async #add({ id, sent }: Upload, key: string, bytes: Uint8Array): Promise<Upload> {
    if (bytes.length === 0) return { id, sent };
    return { id, sent: [...sent, await this.#bucket.uploadPart(key, id, bytes, sent.length + 1)] };
  }

  async get(name: string): Promise<Buffer | null> {
    const bytes = await this.#bucket.getObjectArrayBuffer(keyOf(name));
    return bytes && Buffer.from(bytes);
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    const answer = await this.#bucket.getObjectResponse(keyOf(name));
    return answer && (answer.body ?? emptyParts());
  }

  async remove(name: string): Promise<void> {
    const key = keyOf(name);
    const keys = [key, ...(await this.#below(`${key}/`, {})).map((one) => one.Key)];
    for (let at = 0; at < keys.length; at += TOGETHER)
      await Promise.all(keys.slice(at, at + TOGETHER).map((one) => this.#bucket.deleteObject(one)));
  }

  async list(folder: string): Promise<Stored[]> {
    const prefix = `${keyOf(folder)}/`;
    // Folders in it end in a slash: they have no time of their own, and nobody requests them.
    return (await this.#below(prefix, { delimiter: '/' }))
      .filter(({ Key: key }) => !key.endsWith('/'))
      .map(({ Key: key, LastModified: at }) => ({ name: key.slice(prefix.length), at: at.getTime() }));
  }

  async #below(prefix: string, options: Record<string, unknown>) {
    const found = await this.#bucket.listObjects('/', prefix, undefined, options);
    if (found === null) throw new Error('the bucket of BUCKET_URL does not exist');
    return found;
  }
}

// eslint-disable-next-line require-yield
interface Upload {
  readonly id: string;
  readonly sent: readonly UploadPart[];
}

/** Yields pieces as large as a part, except for the last, which may be empty. */
async function* inPieces(parts: AsyncIterable<string | Uint8Array>) {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    const bytes = Buffer.from(part as Uint8Array);
    waiting.push(bytes);
    length += bytes.length;
    if (length < PART) continue;
    yield { bytes: Buffer.concat(waiting), isLast: false };
    [waiting, length] = [[], 0];
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}

async function* emptyParts(): AsyncGenerator<Uint8Array> {}

function keyOf(name: string): string {
  if (!isFileName(name)) throw new RangeError(`Not the name of a file: ${JSON.stringify(name)}`);
  return name;
}
