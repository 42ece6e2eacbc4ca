declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  const copy: {
    to(sql: string): Readable & Submittable & { rowCount: number };
    from(sql: string): Writable & Submittable & { rowCount: number };
  };
  export default copy;
}
