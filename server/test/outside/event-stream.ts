/** A client of server-sent events over its own connection, like a browser. */
import http from 'node:http';
import { once } from 'node:events';

export interface Event {
  readonly id: string;
  readonly event: string;
  /** as sent; '' if there was none */
  readonly data: string;
}

export interface EventClient {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** events so far, without those that have no data */
  readonly events: Event[];
  /** id from which a client that reconnects would continue */
  readonly lastEventId: string;
  readonly comments: number;
  /** resolves when the stream has ended for any reason */
  readonly ended: Promise<void>;
  /** closes the connection */
  leave(): void;
  /** stops or resumes reading from the connection */
  pause(): void;
  resume(): void;
}

/** Connects; resolves when the response head has arrived. The body of a refusal is the data of its first event. */
export async function openStream(url: string, headers: Record<string, string>): Promise<EventClient> {
  const request = http.get(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const client = { events: [] as Event[], lastEventId: '', comments: 0 };
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) read(client, block);
  });
  const ended = new Promise<void>((resolve) => {
    response.on('close', resolve);
    response.on('error', () => {});
    request.on('error', () => {});
  });
  void ended.then(() => response.statusCode === 200 || client.events.push({ id: '', event: 'refusal', data: text }));
  return Object.assign(client, {
    status: response.statusCode!,
    headers: response.headers,
    ended,
    leave: () => void request.destroy(),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
  });
}

function read(client: { events: Event[]; lastEventId: string; comments: number }, block: string): void {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const [name, value] = line.split(/: ?(.*)/s);
    if (name === '') client.comments += 1;
    else fields[name] = value ?? '';
  }
  if (fields.id !== undefined) client.lastEventId = fields.id;
  if (fields.data !== undefined)
    client.events.push({ id: fields.id ?? client.lastEventId, event: fields.event ?? 'message', data: fields.data });
}
