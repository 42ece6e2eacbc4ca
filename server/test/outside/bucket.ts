/** A small S3 service for tests: keeps objects in memory, and checks each signature as Amazon describes it. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';

const REGION = 'test-1';
const KEY_ID = 'AKIDTEST';
const SECRET = 'a secret that nobody sees';
const BUCKET = 'rollcall-test';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

export class TestBucket {
  readonly objects = new Map<string, { readonly bytes: Buffer; readonly at: Date }>();
  /** methods of the requests, in order */
  readonly asked: string[] = [];
  readonly #parts = new Map<string, Buffer[]>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<TestBucket> {
    const bucket = new TestBucket();
    bucket.#server.listen(0, '127.0.0.1');
    await once(bucket.#server, 'listening');
    return bucket;
  }

  get settings() {
    const { port } = this.#server.address() as { port: number };
    return { url: `http://127.0.0.1:${port}/${BUCKET}`, region: REGION, keyId: KEY_ID, secret: SECRET };
  }

  /** Returns these settings as environment variables of a service. */
  get env() {
    const { url, region, keyId, secret } = this.settings;
    return { BUCKET_URL: url, BUCKET_REGION: region, BUCKET_KEY_ID: keyId, BUCKET_SECRET: secret };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const url = new URL(request.url!, 'http://bucket');
    const key = decodeURIComponent(url.pathname).replace(new RegExp(`^/${BUCKET}/?`), '');
    this.asked.push(request.method!);
    if (!isSigned(request, url, body)) {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>');
      return;
    }
    const { status = 200, text = '', bytes } = this.#act(request.method!, key, url.searchParams, body);
    response.writeHead(status, {
      etag: `"${createHash('md5')
        .update(bytes ?? body)
        .digest('hex')}"`,
      'content-type': bytes ? 'application/octet-stream' : 'application/xml',
    });
    response.end(bytes ?? text);
  }

  #act(
    method: string,
    key: string,
    query: URLSearchParams,
    body: Buffer,
  ): { status?: number; text?: string; bytes?: Buffer } {
    const upload = query.get('uploadId');
    if (method === 'POST' && query.has('uploads')) {
      this.#parts.set(key, []);
      return {
        text: `<InitiateMultipartUploadResult><UploadId>${sha256(key)}</UploadId></InitiateMultipartUploadResult>`,
      };
    }
    if (method === 'PUT' && upload !== null) {
      const parts = this.#parts.get(key);
      if (!parts) return { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' };
      parts[Number(query.get('partNumber')) - 1] = body;
      return {};
    }
    if (method === 'POST' && upload !== null) {
      this.objects.set(key, { bytes: Buffer.concat(this.#parts.get(key)!), at: new Date() });
      this.#parts.delete(key);
      return {
        text: `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`,
      };
    }
    if (method === 'DELETE' && upload !== null) this.#parts.delete(key);
    else if (method === 'DELETE') this.objects.delete(key);
    if (method === 'DELETE') return { status: 204 };
    if (method === 'PUT') {
      this.objects.set(key, { bytes: body, at: new Date() });
      return {};
    }
    if (query.has('list-type')) return { text: this.#listed(query) };
    const found = this.objects.get(key);
    return found ? { bytes: found.bytes } : { status: 404, text: '<Error><Code>NoSuchKey</Code></Error>' };
  }

  #listed(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const ends = query.get('delimiter');
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const isBelow = (key: string) => ends !== null && key.slice(prefix.length).includes(ends);
    const folders = new Set(keys.filter(isBelow).map((key) => `${prefix}${key.slice(prefix.length).split('/')[0]}/`));
    const contents = keys
      .filter((key) => !isBelow(key))
      .map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>${this.objects.get(key)!.at.toISOString()}</LastModified><Size>${this.objects.get(key)!.bytes.length}</Size></Contents>`,
      );
    return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}${[...folders].map((one) => `<CommonPrefixes><Prefix>${one}</Prefix></CommonPrefixes>`).join('')}</ListBucketResult>`;
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, keyId, day, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/test-1\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (keyId !== KEY_ID) return false;
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const asked = [
    method,
    url.pathname,
    query,
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    payload,
  ].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce<Buffer>(
    (from, part) => hmac(from, part),
    hmac(hmac(`AWS4${SECRET}`, day), REGION),
  );
  return hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(asked)].join('\n')).toString('hex') === signature;
}
