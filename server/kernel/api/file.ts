/** Responses that are documents, each with its own media type and a file name. */

export interface Named {
  /** file name for saving */
  readonly name: string;
  readonly type: string;
}

export interface DrawnFile extends Named {
  /**
   * renders the document; called after the transaction that read its data has ended, because rendering may take long
   */
  readonly draw: () => string | Buffer | Promise<string | Buffer>;
}

/** A document that may be too long for memory: its parts are read while they are sent, in transactions of their own. */
interface Streamed extends Named {
  readonly parts: AsyncIterable<string | Uint8Array>;
}

export type FileToSend = DrawnFile | Streamed;
