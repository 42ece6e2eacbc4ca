/**
 * Email by SMTP that makes the outcome of a crash certain: the final dot waits for the caller. See
 * docs/adr/0013-sending.md.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { said, type Carrier, type LastByte, type Outcome } from '../carrier.ts';
import { smtpSettings } from './smtp.ts';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/** An email in wire format, with the addresses of its envelope. */
export interface Letter {
  /** address for failure reports */
  readonly from: string;
  readonly to: string;
  readonly raw: Buffer;
}

interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** Servers end sessions with very many messages; a new one now and then costs nothing. */
const PER_SESSION = 200;
const IDLE_MS = 20_000;
/** A server may take long to confirm the final dot, and giving up early means sending twice (RFC 5321, 4.5.3.2.6). */
const SILENT_MS = 600_000;

class Session {
  readonly connection: SMTPConnection;
  used = 0;
  alive = true;
  idle: NodeJS.Timeout | undefined;
  /** called when the other side or an error ends the connection */
  onEnd: ((error: Error) => void) | undefined;

  private constructor(connection: SMTPConnection) {
    this.connection = connection;
  }

  static async open(url: string): Promise<Session> {
    const { options, auth } = smtpSettings(url);
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const connection = new Connection({ ...options, socketTimeout: SILENT_MS });
    const session = new Session(connection);
    const ended = (error?: Error) => {
      session.alive = false;
      session.onEnd?.(error ?? new Error('the mail server ended the connection'));
    };
    await new Promise<void>((resolve, reject) => {
      session.onEnd = reject;
      connection.on('error', ended);
      connection.on('end', () => ended());
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    if (auth) {
      await new Promise<void>((resolve, reject) => {
        session.onEnd = reject;
        connection.login(auth, (error) => (error ? reject(error) : resolve()));
      });
    }
    session.onEnd = undefined;
    return session;
  }

  close(): void {
    clearTimeout(this.idle);
    this.alive = false;
    this.connection.close();
  }

  get #socket(): Socket | null {
    return (this.connection as unknown as { _socket?: Socket | false })._socket || null;
  }

  /** Bytes that the system has not accepted yet. */
  get unwritten(): number {
    return this.#socket?.writableLength ?? 0;
  }

  /**
   * Calls `act` right before the next bytes go to the system: between the end of a stream and its last write, the event
   * loop turns.
   */
  beforeNextWrite(act: () => void): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.write = ((...given: Parameters<Socket['write']>) => {
      delete (socket as { write?: unknown }).write;
      act();
      return socket.write(...given);
    }) as Socket['write'];
  }
}

export class SmtpCarrier implements Carrier<Letter> {
  readonly lines: number;
  readonly #url: string;
  readonly #free: Session[] = [];
  readonly #open = new Set<Session>();
  #closed = false;

  constructor(url: string, lines: number) {
    this.#url = url;
    this.lines = lines;
  }

  async hand(letter: Letter, last: LastByte): Promise<Outcome> {
    const kept = this.#take();
    const first = kept ? await this.#handOn(kept, letter, last) : null;
    // A session that was kept open may have ended unnoticed: that says nothing about the server.
    if (first && first.outcome !== 'not_reached') return first;
    let session: Session;
    try {
      session = await Session.open(this.#url);
    } catch (error) {
      return { outcome: 'not_reached', said: said(error) };
    }
    this.#open.add(session);
    if (this.#closed) {
      this.#drop(session);
      return { outcome: 'not_reached', said: 'the service is ending' };
    }
    return this.#handOn(session, letter, last);
  }

  async #handOn(session: Session, letter: Letter, last: LastByte): Promise<Outcome> {
    let ended = false;
    let withdrawn = false;
    let failure: unknown;
    const dialogue = { over: false };
    let asking: Promise<void> | undefined;
    const ask = async (): Promise<void> => {
      try {
        ended = await last.mayEnd();
      } catch (error) {
        failure = error;
      }
      withdrawn = !ended;
    };
    const body = new LetterBody(
      letter.raw,
      async () => {
        // A message counts as handed over once its dot would complete it: so the system must have accepted all of it
        // first.
        while (session.alive && !dialogue.over && session.unwritten > 0) await new Promise(setImmediate);
        if (!session.alive || dialogue.over) return false;
        await (asking = ask());
        if (ended) session.beforeNextWrite(last.ending);
        return ended;
      },
      () => this.#drop(session),
    );
    const result = await new Promise<{ error: SmtpError | null; response?: string }>((resolve) => {
      session.onEnd = (error) => resolve({ error });
      session.connection.send({ from: letter.from, to: [letter.to], size: letter.raw.length }, body, (error, info) =>
        error ? resolve({ error }) : resolve({ error: null, response: info?.response }),
      );
    });
    dialogue.over = true;
    session.onEnd = undefined;
    session.used += 1;
    // Waits for the caller's answer, which otherwise could come after the outcome was reported.
    await asking;
    if (failure !== undefined) throw failure;
    if (withdrawn) return { outcome: 'withdrawn' };
    const { error } = result;
    if (!error) {
      this.#keep(session);
      return {
        outcome: 'taken',
        reference: /\b(?:queued as|id[=: ])\s*([\w.-]{4,80})/i.exec(result.response ?? '')?.[1] ?? null,
      };
    }
    const code = error.responseCode ?? 0;
    if (code >= 400) {
      if (body.begun) this.#settleBody(session, ended);
      else await this.#reset(session);
      const enhanced = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1] ?? null;
      // 421 is the server's goodbye, in response to any command.
      if (code === 421) return { outcome: 'not_reached', said: said(error) };
      const toRecipient = error.command === 'RCPT TO';
      return {
        outcome: 'refused',
        permanent: code >= 500,
        address: code >= 500 && toRecipient && (enhanced === null || enhanced.startsWith('5.1.')),
        code: enhanced ?? String(code),
        said: said(error),
      };
    }
    this.#drop(session);
    return { outcome: ended ? 'unanswered' : 'not_reached', said: said(error) };
  }

  /** Settles the dialogue. After the final dot it continues; in the middle of a message, it cannot be resumed. */
  #settleBody(session: Session, ended: boolean): void {
    if (ended) this.#keep(session);
    else this.#drop(session);
  }

  #take(): Session | undefined {
    for (let session = this.#free.pop(); session; session = this.#free.pop()) {
      clearTimeout(session.idle);
      if (session.alive) return session;
      this.#drop(session);
    }
    return undefined;
  }

  #keep(session: Session): void {
    if (this.#closed || !session.alive || session.used >= PER_SESSION) return this.#drop(session);
    session.idle = setTimeout(() => this.#drop(session), IDLE_MS).unref();
    this.#free.push(session);
  }

  async #reset(session: Session): Promise<void> {
    if (!session.alive) return this.#drop(session);
    const clean = await new Promise<boolean>((resolve) => {
      session.onEnd = () => resolve(false);
      session.connection.reset((error) => resolve(!error));
    });
    session.onEnd = undefined;
    if (clean) this.#keep(session);
    else this.#drop(session);
  }

  #drop(session: Session): void {
    const at = this.#free.indexOf(session);
    if (at >= 0) this.#free.splice(at, 1);
    this.#open.delete(session);
    session.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const session of this.#open) this.#drop(session);
  }
}

/** The message as a stream whose end, which becomes the final dot, waits. */
class LetterBody extends Readable {
  readonly #raw: Buffer;
  readonly #mayEnd: () => Promise<boolean>;
  readonly #withdraw: () => void;
  #written = false;

  constructor(raw: Buffer, mayEnd: () => Promise<boolean>, withdraw: () => void) {
    super();
    this.#raw = raw;
    this.#mayEnd = mayEnd;
    this.#withdraw = withdraw;
  }

  /** true if the mail server has requested it */
  get begun(): boolean {
    return this.#written;
  }

  override _read(): void {
    if (this.#written) return;
    this.#written = true;
    this.push(this.#raw);
    setImmediate(() => void this.#end());
  }

  async #end(): Promise<void> {
    // Without the dot, the dialogue cannot be resumed: the connection is closed, and the message discarded.
    if (await this.#mayEnd()) this.push(null);
    else this.#withdraw();
  }
}
