/**
 * Bodies of the type multipart/form-data, as HTML forms and HTTP libraries send them. The platform's own parser reads
 * them; bodies that would make it slow are refused before.
 */
import { Problem } from '../../base/problem.ts';

const MAX_PARTS = 1000;
const HEAD_BYTES = 4096;
const HEAD_END = Buffer.from('\r\n\r\n');

const malformed = (why: string) => new Problem('parameter_invalid', `The body is not multipart/form-data: ${why}`);

/** Returns pairs of name and text or bytes, in order. Refuses files except under the given names. */
export async function readMultipart(
  contentType: string,
  body: Buffer,
  filesAt: ReadonlySet<string> = new Set(),
): Promise<[name: string, value: string | Buffer][]> {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i
    .exec(contentType)
    ?.slice(1)
    .find((text) => text !== undefined);
  if (boundary === undefined) throw malformed('its Content-Type has no boundary.');
  checkParts(body, Buffer.from(`--${boundary}`));
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
  })
    .formData()
    .catch(() => {
      throw malformed('its parts don’t have the format of RFC 7578.');
    });
  const files = new Set<string>();
  const found: [string, string | Buffer][] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') found.push([name, value]);
    else if (filesAt.has(name)) found.push([name, Buffer.from(await value.arrayBuffer())]);
    else files.add(name.slice(0, 80));
  }
  const [first] = files;
  if (first === undefined) return found;
  const message = 'Must be text: files are not accepted.';
  throw new Problem(
    'parameter_invalid',
    `${first}: ${message}`,
    Object.fromEntries([...files].slice(0, 20).map((name) => [name, [message]])),
  );
}

/** Refuses too many parts, and parts with long headers. */
function checkParts(body: Buffer, delimiter: Buffer): void {
  let parts = 0;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    // The body ends with one delimiter more than it has parts.
    if (++parts > MAX_PARTS + 1) throw new Problem('parameter_invalid', 'The form has too many values.');
    const head = body.subarray(at, at + HEAD_BYTES + HEAD_END.length);
    if (head.length > HEAD_BYTES && !head.includes(HEAD_END)) throw malformed('the headers of a part are too long.');
  }
}
