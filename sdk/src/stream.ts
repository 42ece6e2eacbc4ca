/** Parses server-sent events (WHATWG HTML, 9.2), as far as the service sends them. */

export interface ServerEvent {
  readonly type: string;
  /** the position from which the stream resumes; null if none was sent */
  readonly id: string | null;
  /** empty if the event only moves the position */
  readonly data: string;
}

/** Input without a line break would otherwise have no bound. */
const LONGEST = 16 * 1024 * 1024;

/** Yields the events of a response body. @throws Error if the connection breaks, or an event is too long */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let rest = '';
  let event = { type: 'message', id: null as string | null, data: [] as string[] };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r/);
      rest = lines.pop()!;
      if (rest.length > LONGEST) throw new Error('an event of the stream is too long');
      for (const line of lines) {
        if (line === '') {
          if (event.id !== null || event.data.length > 0) yield { ...event, data: event.data.join('\n') };
          event = { type: 'message', id: null, data: [] };
          continue;
        }
        const [, name, text] = /^([^:]*):? ?(.*)$/.exec(line)!;
        if (name === 'data') event.data.push(text);
        else if (name === 'id') event.id = text;
        else if (name === 'event') event.type = text;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
