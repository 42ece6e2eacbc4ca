/**
 * Signed addresses of files. An address contains the sealed name of the file and when it expires, so serving it needs
 * no credential, and nobody can make another address from it.
 */
import { notFound } from '../../../kernel/base/problem.ts';
import { NotOpened, type SecretBox } from '../../../kernel/base/secret-box.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The first part of addresses, and of the names of stored files. */
export const PATH = 'files';
const FOLDER = 'library';
/** Longer than a film: a player asks for the next part of it at the same address. */
const TTL_MS = 4 * 3_600_000;

interface Link {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** epoch ms */
  readonly until: number;
}

export interface LinkedFile {
  readonly provider: number;
  readonly key: string;
}

export const folderOf = ({ provider, key }: LinkedFile): string => `${FOLDER}/${provider}/${key}`;
export const fileOf = (file: LinkedFile): string => `${folderOf(file)}/file`;

const purposeOf = (provider: number): string => `content_link:${provider}`;

/** Returns an address of a file that expires. */
export async function linkTo(work: Work, pagesUrl: string, file: number): Promise<string> {
  const row = await work.tx.one<{ key: string; name: string; media_type: string }>(sql`
    SELECT key, name, media_type FROM content_file WHERE provider_id = ${work.providerId} AND id = ${file}`);
  if (!row) throw notFound();
  const link: Link = { key: row.key, name: row.name, type: row.media_type, until: work.now + TTL_MS };
  const token = work.installation.box.seal(purposeOf(work.providerId), JSON.stringify(link));
  return `${pagesUrl}/${PATH}/${work.providerId}/${token}`;
}

/** Returns the file of an address; null if the address was made up, or has expired. */
export function readLink(box: SecretBox, provider: number, token: string, now: number): Link | null {
  try {
    const link = JSON.parse(box.open(purposeOf(provider), token)) as Link;
    return link.until > now ? link : null;
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}
