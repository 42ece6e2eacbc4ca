/** The address to which the SMS service reports on a message: it names the message by its token. */
import { messageToken } from '../tokens.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';

export const STATUS_PATH = '/callbacks/sms';

export const statusUrl = (
  { baseUrl, box }: Pick<Installation, 'baseUrl' | 'box'>,
  { provider_id, id }: { provider_id: number; id: number },
): string => `${baseUrl}${STATUS_PATH}/${messageToken(box, provider_id, id)}`;
