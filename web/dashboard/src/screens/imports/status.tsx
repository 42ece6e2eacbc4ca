import { words } from './words.ts';

export type StatusName = 'ready' | 'checking' | 'checked' | 'running' | 'complete' | 'cancelled' | 'failed';

export function Status({ of }: { readonly of: StatusName }) {
  const tone = of === 'complete' ? 'tag good' : of === 'failed' ? 'tag wrong' : 'tag';
  return <span className={tone}>{words.say(`status.${of}`)}</span>;
}
