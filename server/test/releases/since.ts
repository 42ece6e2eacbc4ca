/** Differences to kept states of earlier releases that are intended, each with its reason. */

/** Tables and addresses of the interface that later releases removed. */
export const GONE: {
  readonly tables: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
} = { tables: {}, addresses: {} };

/** Tables without rows in a kept state, by the reason. */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  'with a row, the installation would be one of several cells': [
    'account_clash',
    'account_news',
    'account_part',
    'cell',
    'cell_business',
    'cell_move',
    'cell_name',
  ],
  'made by the backup itself, after it has read everything': ['backup_record'],
};

export const MAY_BE_EMPTY: ReadonlySet<string> = new Set(Object.values(EMPTY).flat());
